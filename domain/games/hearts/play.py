"""Defines the moves, events, state and play of Hearts, in the order of the rulebook.

The options, and the sixteen rules that they choose from, are in `hearts_rules`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, assert_never

from domain.core import text as words
from domain.core.cards import (
    BACK,
    NAMES,
    OF_SUIT,
    PACK,
    RANK_OF,
    SUIT_OF,
    Card,
    Cards,
    Seat,
    add,
    backs,
    names,
    next_seat,
    remove,
    within,
    without,
)
from domain.core.choices import Ask, Below, OneCard, Shuffle, SomeCards
from domain.core.event_fields import (
    DealNo,
    DealtCounts,
    EndReason,
    Gained,
    GameNo,
    HandNo,
    Places,
    Totals,
    TrickNo,
    Winners,
)
from domain.core.game import CHANCE, Choices, Outcome, ranked
from domain.core.shown import PlayedCardShown, TrickShown
from domain.core.tricks import Trick
from domain.core.values import Compiled, Copied, put, shown, value
from domain.core.visibility import PerSeat, Private
from domain.games.hearts.options import (
    ALL_HEARTS,
    JD,
    QS,
    SEATS,
    STEPS,
    TRICKS,
    Direction,
    Hands,
    Moon,
    Options,
    Points,
    Rules,
    Tricks,
    compile_rules,
    from_left_of,
    hearts_in,
    variants,
)
from domain.games.hearts.shown import ExchangeShown, HeartsShown

__all__ = ["Options", "variants"]

NOBODY: Final[Seat] = -1


# --- Moves: the seats', then those of chance (hearts 2, 3) --------------------------------------


@value
class PassCards:
    cards: Cards
    """The cards to pass."""


@value
class ReturnCard:
    card: Card
    """The card to give back."""


@value
class PlayCard:
    card: Card
    """The card to play."""


@value
class Cut:
    pack: Cards


@value
class PickFirst:
    seat: Seat


@value
class Deal:
    pack: Cards


@value
class Redeal:
    pool: Cards


Move = PassCards | ReturnCard | PlayCard | Cut | PickFirst | Deal | Redeal


# --- Events (hearts 3–7); a name that Python keeps for itself ends in `_` here alone --------------


@value
class GameStarted:
    game_no: GameNo


@value
class CardCut:
    seat: Seat
    card: Card
    """The card that the seat has cut."""


@value
class FirstDealerChosen:
    seat: Seat
    how: Literal["cut", "pick", "random"]
    """Whether the dealer was cut for, picked by the options, or drawn at random."""


@value
class HandStarted:
    hand_no: HandNo
    deal_no: DealNo
    dealer: Seat
    """The seat that deals."""
    pass_: Direction
    """Where cards are passed in this hand."""


@value
class HandDealt:
    counts: DealtCounts
    cards: PerSeat[Cards]
    """The hand of the reader."""


@value
class PassChosen:
    seat: Seat
    cards: Private[Cards]
    """The cards that the seat passes."""


@value
class CardsPassed:
    direction: Direction
    """Where the cards go."""


@value
class PassReceived:
    seat: Seat
    from_: Seat | Literal["pool"]
    """The seat from which the cards come, or `pool` where the dealer has dealt them."""
    cards: Private[Cards]
    """The cards that the seat gets."""


@value
class PoolRedealt:
    pass


@value
class ReturnChosen:
    seat: Seat
    card: Private[Card]
    """The card that the seat gives back."""


@value
class CardsReturned:
    pass


@value
class ReturnReceived:
    seat: Seat
    from_: Seat
    """The seat from which the card comes."""
    card: Private[Card]
    """The card that the seat gets back."""


@value
class TwoOfClubsShown:
    seat: Seat


@value
class PlayStarted:
    leader: Seat
    """The seat that leads to the first trick."""


@value
class CardPlayed:
    seat: Seat
    card: Card
    """The card that is played."""
    trick_no: TrickNo


@value
class TrickTaken:
    trick_no: TrickNo
    winner: Seat
    """The seat that takes the trick."""
    cards: Cards
    """The cards of the trick, in the order in which they were played."""


@value
class HeartsOpened:
    after_trick: int
    """The number of tricks that were complete then."""


@value
class Taken:
    """Says what a seat took in a hand; `card_points` is what its cards cost without a moon."""

    hearts: int
    """The number of hearts."""
    queen: bool
    """Whether the queen of spades is among the cards."""
    jack: bool
    """Whether the jack of diamonds is among the cards."""
    card_points: int
    """What the cards cost, without a moon."""


@value
class HandScored:
    taken: tuple[Taken, ...]
    """What each seat has taken in the hand, seat by seat."""
    moon: Seat | None
    """The seat that has shot the moon; null: none has."""
    points: Gained[Points]
    totals: Totals[Points]


@value
class GameEnded:
    """The game is over; `ranking` is each seat's place, from 1; equal totals share one."""

    totals: Totals[Points]
    ranking: Places[tuple[int, ...]]
    winners: Winners
    reason: EndReason


Event = (
    GameStarted
    | CardCut
    | FirstDealerChosen
    | HandStarted
    | HandDealt
    | PassChosen
    | CardsPassed
    | PassReceived
    | PoolRedealt
    | ReturnChosen
    | CardsReturned
    | ReturnReceived
    | TwoOfClubsShown
    | PlayStarted
    | CardPlayed
    | TrickTaken
    | HeartsOpened
    | HandScored
    | GameEnded
)


# --- State, and what each event makes of it -----------------------------------------------------


@value
class Exchange:
    """Says per seat what it passed, what it got, what it gave back, what it got back; `None` before it did."""

    passed: tuple[Cards | None, ...] = (None,) * 4
    received: tuple[Cards | None, ...] = (None,) * 4
    returned: tuple[Card | None, ...] = (None,) * 4
    regained: tuple[Card | None, ...] = (None,) * 4


@dataclass(slots=True)
class State(Copied):
    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    phase: str = "hand_setup"
    dealer: Seat = NOBODY
    deal_no: int = 0
    direction: Direction = "none"
    hands: Hands = ((),) * 4
    exchange: Exchange = field(default_factory=Exchange)
    shown: Seat | None = None
    """The seat that showed the two of clubs."""
    leader: Seat = NOBODY
    turn: Seat = NOBODY
    trick: Cards = ()
    tricks: tuple[Trick, ...] = ()
    hearts_open: bool = False
    scores: Points = (0,) * 4
    reached: tuple[int, ...] = ()
    """All totals that seats have had in this game."""
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Give the state before the first event; games and hands are counted on from the game before."""
    return State(compile_rules(options), last.game_no if last else 0, last.hand_no if last else 0)


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. What a seat was not shown is backs of cards."""
    match event:
        case CardPlayed():
            seat = event.seat
            s.hands = put(s.hands, seat, remove(s.hands[seat], event.card))
            s.trick += (event.card,)
            s.turn = next_seat(seat, 4)
        case TrickTaken():
            s.tricks += (Trick(s.leader, s.trick, event.winner),)
            s.trick, s.leader, s.turn = (), event.winner, event.winner
        case PassChosen():
            cards = shown(event.cards, backs(s.rules.passing.count))
            s.hands = put(s.hands, event.seat, remove(s.hands[event.seat], *cards))
            s.exchange = replace(s.exchange, passed=put(s.exchange.passed, event.seat, cards))
        case PassReceived():
            cards = shown(event.cards, backs(s.rules.passing.count))
            s.hands = put(s.hands, event.seat, add(s.hands[event.seat], cards))
            s.exchange = replace(s.exchange, received=put(s.exchange.received, event.seat, cards))
        case ReturnChosen():
            back = shown(event.card, BACK)
            s.hands = put(s.hands, event.seat, remove(s.hands[event.seat], back))
            s.exchange = replace(s.exchange, returned=put(s.exchange.returned, event.seat, back))
        case ReturnReceived():
            back = shown(event.card, BACK)
            s.hands = put(s.hands, event.seat, add(s.hands[event.seat], (back,)))
            s.exchange = replace(s.exchange, regained=put(s.exchange.regained, event.seat, back))
        case CardsPassed() | PoolRedealt():
            s.phase = "passed"
        case CardsReturned():
            s.phase = "ready"
        case HeartsOpened():
            s.hearts_open = True
        case HandStarted():
            s.phase, s.dealer, s.direction = "passing", event.dealer, event.pass_
            s.hand_no, s.deal_no = event.hand_no, event.deal_no
            s.exchange, s.shown, s.leader, s.turn = Exchange(), None, NOBODY, NOBODY
            s.trick, s.tricks, s.hearts_open = (), (), False
        case HandDealt():
            dealt = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(shown(cards, backs(count)) for cards, count in dealt)
        case PlayStarted():
            s.phase, s.leader, s.turn = "playing", event.leader, event.leader
        case TwoOfClubsShown():
            s.shown = event.seat
        case HandScored():
            s.phase, s.turn, s.scores = "scored", NOBODY, event.totals
            s.reached += event.totals
        case GameStarted():
            s.game_no = event.game_no
        case FirstDealerChosen():
            s.dealer = event.seat
        case GameEnded():
            s.phase, s.turn, s.ended = "game_over", NOBODY, event
        case CardCut():
            pass
        case _:
            assert_never(event)


# --- What a seat may do, and why not (hearts 2, 4, 5) -------------------------------------------


def phase(s: State) -> str:
    """Name the phase; what comes after the pass is said by the way of passing."""
    return s.rules.passing.then if s.phase == "passed" else s.phase


def to_act(s: State) -> tuple[Seat, ...]:
    """Give the seats that the game waits for; all who have not answered yet where they act at once."""
    match phase(s):
        case "playing":
            return (s.turn,)
        case "passing":
            return yet_to(s.exchange.passed) or (CHANCE,)
        case "returning":
            return yet_to(s.exchange.returned)
        case "game_over":
            return ()
        case _:
            return (CHANCE,)


def yet_to(done: Sequence[object]) -> tuple[Seat, ...]:
    """Give the seats that have not done it."""
    return tuple(seat for seat in SEATS if done[seat] is None)


DEAL = Shuffle(Deal, "deal", PACK)
FIRST_DEALER: Mapping[str, Ask] = {
    "cut": Shuffle(Cut, "cut", PACK),
    "pick": DEAL,
    "random": Below(PickFirst, "first_dealer", 4),
}


def ask(s: State) -> Ask:
    """Say what is asked of chance: the first dealer, the twelve cards of a pool, or a deal."""
    if phase(s) == "passing":
        return Shuffle(Redeal, "dealer_redeal", pool(s))
    return FIRST_DEALER[s.rules.first_dealer] if s.dealer == NOBODY else DEAL


def pool(s: State) -> Cards:
    """Give the twelve cards passed to the dealer, in the order in which they are shuffled (hearts 4.4)."""
    return tuple(c for seat in from_left_of(s.dealer) for c in s.exchange.passed[seat] or ())


def legal(s: State, seat: Seat) -> Choices:
    """Give what the seat may do now; nothing if it is not its turn."""
    if seat not in to_act(s) or seat == CHANCE:
        return ()
    match phase(s):
        case "playing":
            return (OneCard(PlayCard, playable(s, s.hands[seat])),)
        case "passing":
            return (SomeCards(PassCards, s.hands[seat], s.rules.passing.count),)
        case _:
            return (OneCard(ReturnCard, s.exchange.received[seat] or ()),)


def playable(s: State, hand: Cards) -> Cards:
    """Give the cards of a hand that may be played now."""
    if s.trick:
        following = within(hand, OF_SUIT[SUIT_OF[s.trick[0]]]) or hand
        return following if s.tricks else without(following, s.rules.scoring.harmful) or following
    if not s.tricks:
        return s.rules.leading.cards(hand, s.rules.scoring)
    return hand if s.hearts_open else without(hand, ALL_HEARTS) or hand


PHASES = {PassCards: "passing", ReturnCard: "returning", PlayCard: "playing"}


def refusal(s: State, seat: Seat, move: Move) -> str:
    """Name the first reason why the move is refused, in order (rules 1.3; hearts 2)."""
    cards, hand = cards_of(move), s.hands[seat]
    if len(set(cards)) < len(cards):
        return "duplicate_card"
    if PHASES.get(type(move)) != phase(s):
        return "wrong_phase"
    if seat not in to_act(s):
        return "not_your_turn" if phase(s) == "playing" else "already_done"
    if not set(cards) <= set(hand):
        return "card_not_in_hand"
    match phase(s):
        case "passing":
            return "wrong_count"
        case "returning":
            return "not_a_received_card"
        case _:
            return broken_rule(s, hand, cards[0])


def cards_of(move: Move) -> Cards:
    """Give the cards that a seat's move names."""
    match move:
        case PassCards():
            return move.cards
        case PlayCard() | ReturnCard():
            return (move.card,)
        case _:
            return ()


def broken_rule(s: State, hand: Cards, card: Card) -> str:
    """Name the rule of play that this card of the hand would break."""
    if s.trick:
        led = OF_SUIT[SUIT_OF[s.trick[0]]]
        return "harmful_on_first_trick" if card in (within(hand, led) or hand) else "must_follow_suit"
    return "hearts_not_open" if s.tricks else s.rules.leading.refusal


def default(s: State, seat: Seat) -> Move:
    """Choose for a seat whose time is up (rules 1.8)."""
    match phase(s):
        case "playing":
            return PlayCard(min(playable(s, s.hands[seat]), key=by_rank))
        case "passing":
            highest = sorted(s.hands[seat], key=by_rank)[-s.rules.passing.count :]
            return PassCards(tuple(sorted(highest)))
        case _:
            return ReturnCard(max(s.exchange.received[seat] or (), key=by_rank))


def by_rank(c: Card) -> tuple[int, int]:
    """Order cards by rank, and equal ranks C, D, H, S."""
    return RANK_OF[c], SUIT_OF[c]


# --- What a move does (hearts 3, 4) -------------------------------------------------------------


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Say what a legal move does."""
    match move:
        case PlayCard():
            return (CardPlayed(seat, move.card, len(s.tricks) + 1),)
        case PassCards():
            return (PassChosen(seat, tuple(sorted(move.cards))),)
        case ReturnCard():
            return (ReturnChosen(seat, move.card),)
        case Deal():
            return deal(s, move.pack)
        case Redeal():
            hands = dealt(s.dealer, move.pool)
            return (PoolRedealt(), *(PassReceived(i, "pool", hand) for i, hand in enumerate(hands)))
        case Cut():
            cuts, dealer = cut(move.pack, SEATS)
            return (GameStarted(s.game_no + 1), *cuts, FirstDealerChosen(dealer, "cut"))
        case PickFirst():
            return (GameStarted(s.game_no + 1), FirstDealerChosen(move.seat, "random"))


def deal(s: State, pack: Cards) -> tuple[Event, ...]:
    """Deal a hand; where the first dealer was picked, the game starts with it too."""
    if s.dealer == NOBODY:
        picked = s.rules.picked
        opening = (GameStarted(s.game_no + 1), FirstDealerChosen(picked, "pick"))
        return (*opening, *hand_dealt(s, picked, pack))
    return hand_dealt(s, s.dealer if s.deal_no == 0 else (s.dealer + 1) % 4, pack)


def hand_dealt(s: State, dealer: Seat, pack: Cards) -> tuple[Event, ...]:
    """Begin the next hand, with the next direction of the cycle (hearts 8.3)."""
    directions = s.rules.passing.directions
    hands = dealt(dealer, pack)
    return (
        HandStarted(s.hand_no + 1, s.deal_no + 1, dealer, directions[s.deal_no % len(directions)]),
        HandDealt(tuple(map(len, hands)), hands),
    )


def dealt(dealer: Seat, pack: Cards) -> Hands:
    """Deal the pack one card at a time, first to the left of the dealer; give each seat's hand."""
    return tuple(tuple(sorted(pack[(seat - dealer - 1) % 4 :: 4])) for seat in SEATS)


def cut(pack: Cards, seats: Sequence[Seat]) -> tuple[list[CardCut], Seat]:
    """Let all draw from the top, and who tie for the highest rank draw again, until one is left."""
    cuts: list[CardCut] = []
    # A pack that ties to its end deals to the first seat.
    while len(seats) > 1 and len(cuts) < len(pack):
        drawn = [CardCut(seat, c) for seat, c in zip(seats, pack[len(cuts) :], strict=False)]
        highest = max(RANK_OF[draw.card] for draw in drawn)
        seats = [draw.seat for draw in drawn if RANK_OF[draw.card] == highest]
        cuts += drawn
    return cuts, seats[0]


# --- What must then happen (hearts 4–7) ---------------------------------------------------------


def consequences(s: State) -> tuple[Event, ...]:
    """Give the events that follow now without a move."""
    match phase(s):
        case "playing":
            return after_card(s)
        case "passing":
            return after_passing(s)
        case "returning":
            return after_returning(s)
        case "ready":
            return play_started(s)
        case "scored":
            return game_ended(s)
        case _:
            return ()


def after_passing(s: State) -> tuple[Event, ...]:
    """Exchange the cards once all have chosen; no seat sees any before (hearts 8.4). A pool waits for chance."""
    if s.direction == "none":
        return play_started(s)
    if s.direction == "dealer" or None in s.exchange.passed:
        return ()
    givers = [(seat, (seat - STEPS[s.direction]) % 4) for seat in SEATS]
    given = s.exchange.passed
    return (CardsPassed(s.direction), *(PassReceived(to, giver, given[giver]) for to, giver in givers))


def after_returning(s: State) -> tuple[Event, ...]:
    """Give each seat back the one card, from the seat that it had passed to."""
    if None in s.exchange.returned:
        return ()
    takers = [(seat, (seat + STEPS[s.direction]) % 4) for seat in SEATS]
    back = s.exchange.returned
    return (CardsReturned(), *(ReturnReceived(to, taker, back[taker]) for to, taker in takers))


def play_started(s: State) -> tuple[Event, ...]:
    """Find who leads first, by the hands after the exchange."""
    leading = s.rules.leading
    leader = leading.leader(s.dealer, s.hands)
    shown = (TwoOfClubsShown(leader),) if leading.shows else ()
    return (*shown, PlayStarted(leader))


def after_card(s: State) -> tuple[Event, ...]:
    """Take a full trick, open hearts between tricks, score the hand after the last."""
    played = len(s.tricks)
    if len(s.trick) == 4:
        return (TrickTaken(played + 1, winner(s.leader, s.trick), s.trick),)
    if s.trick:
        return ()
    if played == TRICKS:
        return (hand_scored(s),)
    return () if s.hearts_open or not s.rules.opening.opens(s.tricks) else (HeartsOpened(played),)


def winner(leader: Seat, trick: Cards) -> Seat:
    """Give the seat that takes a trick, whose first card is the leader's: the highest of the suit led."""
    return (leader + trick.index(max(within(trick, OF_SUIT[SUIT_OF[trick[0]]])))) % 4


def taken_by(tricks: Tricks, seat: Seat) -> Cards:
    """Give all cards that the seat took, in the order taken."""
    return tuple(c for trick in tricks if trick.winner == seat for c in trick.cards)


def hand_scored(s: State) -> HandScored:
    """Score the hand; a shot moon replaces everybody's points (hearts 6)."""
    piles = [taken_by(s.tricks, seat) for seat in SEATS]
    taken = tuple(Taken(hearts_in(p), QS in p, JD in p, s.rules.scoring.points(p)) for p in piles)
    shooter = next((seat for seat in SEATS if s.rules.moon.cards.issubset(piles[seat])), None)
    without_moon = tuple(t.card_points for t in taken)
    points = without_moon if shooter is None else moon_points(s.rules.moon, shooter, taken)
    return HandScored(taken, shooter, points, tuple(map(sum, zip(s.scores, points, strict=True))))


def moon_points(moon: Moon, shooter: Seat, taken: Sequence[Taken]) -> Points:
    """Give everybody's points after a moon, the jack's among them where it is a bonus."""
    base = put((moon.others,) * 4, shooter, moon.shooter)
    return tuple(b + moon.jack * t.jack for b, t in zip(base, taken, strict=True))


def game_ended(s: State) -> tuple[Event, ...]:
    """End the game once a total has reached the target and no tie is to be played off (hearts 7)."""
    if max(s.reached) < s.rules.target or not s.rules.settled(s.scores):
        return ()
    return (GameEnded(s.scores, ranked(s.scores), lowest_of(s.scores, SEATS), "target_score"),)


def lowest_of(totals: Points, among: Sequence[Seat]) -> tuple[Seat, ...]:
    """Give those of the seats with the lowest total."""
    least = min((totals[seat] for seat in among), default=0)
    return tuple(seat for seat in among if totals[seat] == least)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[Event, ...]:
    """End the game now: a seat that gave up comes last, the others by their totals; if none did, no seat wins."""
    if not gave_up:
        return (GameEnded(s.scores, (1,) * 4, (), reason),)
    staying = [seat for seat in SEATS if seat not in gave_up]
    last = max(s.scores) + 1
    ranking = ranked(last if seat in gave_up else s.scores[seat] for seat in SEATS)
    return (GameEnded(s.scores, ranking, lowest_of(s.scores, staying), reason),)


def outcome(s: State) -> Outcome | None:
    """Give the result of a game that is over."""
    if s.ended is None:
        return None
    return Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)


# --- What a seat is shown -----------------------------------------------------------------------


def view(s: State, seat: Seat | None) -> HeartsShown:
    """Give the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": someone(s.dealer),
        "pass": s.direction,
        "hand": [] if seat is None else names(s.hands[seat]),
        "hands": [None if BACK in hand else names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "scores": list(s.scores),
        "points": [s.rules.scoring.points(taken_by(s.tricks, i)) for i in SEATS],
        "trick": laid(s.leader, s.trick),
        "trick_no": len(s.tricks) + 1 if phase(s) == "playing" else None,
        "last_trick": listed(s.tricks[-1]) if s.tricks else None,
        "tricks": [listed(trick) for trick in s.tricks[-s.rules.history :]],
        "leader": someone(s.leader),
        "turn": someone(s.turn),
        "hearts_open": s.hearts_open,
        "two_of_clubs_shown": s.shown,
        **exchanged(s.exchange, seat),
    }


def someone(seat: Seat) -> Seat | None:
    """Give the seat, if it is one."""
    return None if seat == NOBODY else seat


def laid(leader: Seat, cards: Cards) -> list[PlayedCardShown]:
    """List the cards of a trick with who played them."""
    return [{"seat": (leader + i) % 4, "card": NAMES[c]} for i, c in enumerate(cards)]


def listed(trick: Trick) -> TrickShown:
    """List a completed trick."""
    return {"leader": trick.leader, "winner": trick.winner, "cards": laid(trick.leader, trick.cards)}


def exchanged(x: Exchange, seat: Seat | None) -> ExchangeShown:
    """Give the cards that a seat passed, received, gave back and got back; `None` before it did."""
    if seat is None:
        return {"passed": None, "received": None, "returned": None, "regained": None}
    return {
        "passed": several(x.passed[seat]),
        "received": several(x.received[seat]),
        "returned": one(x.returned[seat]),
        "regained": one(x.regained[seat]),
    }


def several(cards: Cards | None) -> list[str] | None:
    """Name cards, if there are any."""
    return None if cards is None else names(cards)


def one(card: Card | None) -> str | None:
    """Name a card, if there is one."""
    return None if card is None else NAMES[card]


ANSWERS: Mapping[type, str] = {CardPlayed: "seat", PassChosen: "seat", ReturnChosen: "seat"}


def move_of(event: Event) -> tuple[Seat, Move] | None:
    """Give the move of a seat that the event records."""
    match event:
        case CardPlayed():
            return event.seat, PlayCard(event.card)
        case PassChosen(cards=cards) if cards is not None:
            return event.seat, PassCards(cards)
        case ReturnChosen(card=c) if c is not None:
            return event.seat, ReturnCard(c)
        case _:
            return None


TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} begins.",
    CardCut: "Seat {seat} cuts {card}.",
    FirstDealerChosen: "Seat {seat} deals first, {how}.",
    HandStarted: "Hand {hand_no}: seat {dealer} deals; {pass_}.",
    HandDealt: "The cards are dealt{cards:dealt}.",
    PassChosen: "Seat {seat} passes {cards}.",
    CardsPassed: "The cards are passed {direction}.",
    PassReceived: "Seat {seat} receives {cards} from {from_}.",
    PoolRedealt: "The dealer shuffles what was passed and deals it back.",
    ReturnChosen: "Seat {seat} gives back {card}.",
    CardsReturned: "The cards given back go where they came from.",
    ReturnReceived: "Seat {seat} gets back {card} from {from_}.",
    TwoOfClubsShown: "Seat {seat} shows the two of clubs.",
    PlayStarted: "Seat {leader} leads to the first trick.",
    CardPlayed: "Seat {seat} plays {card}.",
    TrickTaken: "Seat {winner} takes trick {trick_no}: {cards}.",
    HeartsOpened: "Hearts may be led from now on.",
    HandScored: "The hand is over{moon}. Points: {points}. Totals: {totals}.",
    GameEnded: "The game is over: {winners}{reason}. Totals: {totals}.",
}


PASSED = {"left": "to the left", "right": "to the right", "across": "across", "dealer": "to the dealer"}

IN_WORDS: words.Words = {
    "how": {"cut": "by the cut", "pick": "as was chosen", "random": "by lot"}.__getitem__,
    "pass_": lambda x: "no cards are passed" if x == "none" else f"cards are passed {PASSED[x]}",
    "direction": lambda x: PASSED[x],
    "from_": lambda x: "the pool" if x == "pool" else f"seat {x}",
    "moon": lambda x: "" if x is None else f", and seat {x} has shot the moon",
}

text = words.event_text(TEXTS, IN_WORDS)
