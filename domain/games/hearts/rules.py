"""Defines the rules of Hearts: the state of a table, legal moves, and their consequences."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import starmap
from typing import assert_never

from domain.core.cards import (
    BACK,
    NOBODY,
    OF_SUIT,
    PACK,
    RANK_OF,
    SUIT_OF,
    Card,
    Cards,
    Seat,
    add_cards,
    backs,
    cut_for_deal,
    deal_hands,
    drop_cards,
    keep_cards,
    next_seat,
    remove_cards,
)
from domain.core.choices import Ask, Below, OneCard, Shuffle, SomeCards
from domain.core.game import CHANCE, Choices, Outcome, rank_lowest_first
from domain.core.tricks import Trick
from domain.core.values import Compiled, Copied, mutable, or_back, put_at, value
from domain.games.hearts import events
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
)

# --- The state, and the effects of events ------------------------------------------------------------------


@value
class Exchange:
    """The cards that a seat passed, received, returned and got back; None for later steps."""

    passed: tuple[Cards | None, ...] = (None,) * 4
    received: tuple[Cards | None, ...] = (None,) * 4
    returned: tuple[Card | None, ...] = (None,) * 4
    regained: tuple[Card | None, ...] = (None,) * 4


@mutable
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
    before: tuple[Trick, ...] = ()
    """The last trick of the hand before, or of the game before, until the first card of this one is played."""
    hearts_open: bool = False
    scores: Points = (0,) * 4
    reached: tuple[int, ...] = ()
    """All totals that seats have had in this game."""
    moons: tuple[Seat | None, ...] = ()
    """The seat that shot the moon in each hand of this game; None for none."""
    ended: events.GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; the numbers of games and hands continue from the previous game."""
    if last is None:
        return State(compile_rules(options), 0, 0)
    return State(compile_rules(options), last.game_no, last.hand_no, before=last.tricks[-1:])


def evolve(s: State, event: events.Event) -> None:
    """Apply an event to the state. Cards hidden from a seat are backs."""
    match event:
        case events.CardPlayed():
            seat = event.seat
            s.hands = put_at(s.hands, seat, remove_cards(s.hands[seat], event.card))
            s.trick += (event.card,)
            s.turn, s.before = next_seat(seat, 4), ()
        case events.TrickTaken():
            s.tricks += (Trick(s.leader, s.trick, event.winner),)
            s.trick, s.leader, s.turn = (), event.winner, event.winner
        case events.PassChosen():
            cards = or_back(event.cards, backs(s.rules.passing.count))
            s.hands = put_at(s.hands, event.seat, remove_cards(s.hands[event.seat], *cards))
            s.exchange = replace(s.exchange, passed=put_at(s.exchange.passed, event.seat, cards))
        case events.PassReceived():
            cards = or_back(event.cards, backs(s.rules.passing.count))
            s.hands = put_at(s.hands, event.seat, add_cards(s.hands[event.seat], cards))
            s.exchange = replace(s.exchange, received=put_at(s.exchange.received, event.seat, cards))
        case events.ReturnChosen():
            back = or_back(event.card, BACK)
            s.hands = put_at(s.hands, event.seat, remove_cards(s.hands[event.seat], back))
            s.exchange = replace(s.exchange, returned=put_at(s.exchange.returned, event.seat, back))
        case events.ReturnReceived():
            back = or_back(event.card, BACK)
            s.hands = put_at(s.hands, event.seat, add_cards(s.hands[event.seat], (back,)))
            s.exchange = replace(s.exchange, regained=put_at(s.exchange.regained, event.seat, back))
        case events.CardsPassed() | events.PoolRedealt():
            s.phase = "passed"
        case events.CardsReturned():
            s.phase = "ready"
        case events.HeartsOpened():
            s.hearts_open = True
        case events.HandStarted():
            s.phase, s.dealer, s.direction = "passing", event.dealer, event.pass_
            s.hand_no, s.deal_no = event.hand_no, event.deal_no
            s.exchange, s.shown, s.leader, s.turn = Exchange(), None, NOBODY, NOBODY
            s.before = (s.before + s.tricks)[-1:]
            s.trick, s.tricks, s.hearts_open = (), (), False
        case events.HandDealt():
            dealt = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(or_back(cards, backs(count)) for cards, count in dealt)
        case events.PlayStarted():
            s.phase, s.leader, s.turn = "playing", event.leader, event.leader
        case events.TwoOfClubsShown():
            s.shown = event.seat
        case events.HandScored():
            s.phase, s.turn, s.scores = "scored", NOBODY, event.totals
            s.reached += event.totals
            s.moons += (event.moon,)
        case events.GameStarted():
            s.game_no = event.game_no
        case events.FirstDealerChosen():
            s.dealer = event.seat
        case events.GameEnded():
            s.phase, s.turn, s.ended = "game_over", NOBODY, event
        case events.CardCut():
            pass
        case _:
            assert_never(event)


# --- Legal moves and refusals (hearts 2, 4, 5) -------------------------------------------------------------


def phase(s: State) -> str:
    """Name the phase; the way of passing decides which phase follows the pass."""
    return s.rules.passing.then if s.phase == "passed" else s.phase


def to_act(s: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for; with simultaneous actions, all that have not answered."""
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
    """Return the seats whose entry in `done` is None."""
    return tuple(seat for seat in SEATS if done[seat] is None)


DEAL = Shuffle(events.Deal, "deal", PACK)


FIRST_DEALER: Mapping[str, Ask] = {
    "cut": Shuffle(events.Cut, "cut", PACK),
    "pick": DEAL,
    "random": Below(events.PickFirst, "first_dealer", 4),
}


def ask(s: State) -> Ask:
    """Return the question to chance: the first dealer, the twelve cards of a pool, or a deal."""
    if phase(s) == "passing":
        return Shuffle(events.Redeal, "dealer_redeal", pool(s))
    return FIRST_DEALER[s.rules.first_dealer] if s.dealer == NOBODY else DEAL


def pool(s: State) -> Cards:
    """Return the twelve cards passed to the dealer, in the order in which they are shuffled (hearts 4.4)."""
    return tuple(c for seat in from_left_of(s.dealer) for c in s.exchange.passed[seat] or ())


def legal(s: State, seat: Seat) -> Choices:
    """Return the seat's legal moves; none if it is not its turn."""
    if seat not in to_act(s) or seat == CHANCE:
        return ()
    match phase(s):
        case "playing":
            return (OneCard(events.PlayCard, playable(s, s.hands[seat])),)
        case "passing":
            return (SomeCards(events.PassCards, s.hands[seat], s.rules.passing.count),)
        case _:
            return (OneCard(events.ReturnCard, s.exchange.received[seat] or ()),)


def playable(s: State, hand: Cards) -> Cards:
    """Return the cards of a hand that may be played now."""
    if s.trick:
        following = keep_cards(hand, OF_SUIT[SUIT_OF[s.trick[0]]]) or hand
        return following if s.tricks else drop_cards(following, s.rules.scoring.harmful) or following
    if not s.tricks:
        return s.rules.leading.cards(hand, s.rules.scoring)
    return hand if s.hearts_open else drop_cards(hand, ALL_HEARTS) or hand


PHASES = {events.PassCards: "passing", events.ReturnCard: "returning", events.PlayCard: "playing"}


def refusal(s: State, seat: Seat, move: events.Move) -> str:
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


def explain(s: State, seat: Seat, move: events.Move) -> str:
    """Return how many cards a seat must pass, if it chose another number; an empty text for other moves."""
    if refusal(s, seat, move) != "wrong_count":
        return ""
    return f"Number of cards to pass: {s.rules.passing.count}. You chose {len(cards_of(move))}."


def cards_of(move: events.Move) -> Cards:
    """Return the cards that a seat's move names."""
    match move:
        case events.PassCards():
            return move.cards
        case events.PlayCard() | events.ReturnCard():
            return (move.card,)
        case _:
            return ()


def broken_rule(s: State, hand: Cards, card: Card) -> str:
    """Return the code of the rule of play that this card of the hand would break."""
    if s.trick:
        led = OF_SUIT[SUIT_OF[s.trick[0]]]
        return "harmful_on_first_trick" if card in (keep_cards(hand, led) or hand) else "must_follow_suit"
    return "hearts_not_open" if s.tricks else s.rules.leading.refusal


def default(s: State, seat: Seat) -> events.Move:
    """Return the default move of a seat whose time is up (rules 1.8)."""
    match phase(s):
        case "playing":
            return events.PlayCard(min(playable(s, s.hands[seat]), key=by_rank))
        case "passing":
            highest = sorted(s.hands[seat], key=by_rank)[-s.rules.passing.count :]
            return events.PassCards(tuple(sorted(highest)))
        case _:
            return events.ReturnCard(max(s.exchange.received[seat] or (), key=by_rank))


def by_rank(c: Card) -> tuple[int, int]:
    """Order cards by rank, and equal ranks C, D, H, S."""
    return RANK_OF[c], SUIT_OF[c]


# --- Moves and their events (hearts 3, 4) ------------------------------------------------------------------


def decide(s: State, seat: Seat, move: events.Move) -> tuple[events.Event, ...]:
    """Return the events of a legal move."""
    match move:
        case events.PlayCard():
            return (events.CardPlayed(seat, move.card, len(s.tricks) + 1),)
        case events.PassCards():
            return (events.PassChosen(seat, tuple(sorted(move.cards))),)
        case events.ReturnCard():
            return (events.ReturnChosen(seat, move.card),)
        case events.Deal():
            return deal(s, move.pack)
        case events.Redeal():
            hands = deal_hands(move.pool, from_left_of(s.dealer), 4)
            return (events.PoolRedealt(), *(events.PassReceived(i, "pool", hand) for i, hand in enumerate(hands)))
        case events.Cut():
            cuts, dealer = cut_for_deal(move.pack, SEATS, RANK_OF.__getitem__)
            return (
                events.GameStarted(s.game_no + 1),
                *starmap(events.CardCut, cuts),
                events.FirstDealerChosen(dealer, "cut"),
            )
        case events.PickFirst():
            return (events.GameStarted(s.game_no + 1), events.FirstDealerChosen(move.seat, "random"))


def deal(s: State, pack: Cards) -> tuple[events.Event, ...]:
    """Deal a hand; where the first dealer was picked, the game starts with it too."""
    if s.dealer == NOBODY:
        picked = s.rules.picked
        opening = (events.GameStarted(s.game_no + 1), events.FirstDealerChosen(picked, "pick"))
        return (*opening, *begin_hand(s, picked, pack))
    return begin_hand(s, s.dealer if s.deal_no == 0 else (s.dealer + 1) % 4, pack)


def begin_hand(s: State, dealer: Seat, pack: Cards) -> tuple[events.Event, ...]:
    """Begin the next hand, with the next direction of the cycle (hearts 8.3)."""
    directions = s.rules.passing.directions
    hands = deal_hands(pack, from_left_of(dealer), 4)
    return (
        events.HandStarted(s.hand_no + 1, s.deal_no + 1, dealer, directions[s.deal_no % len(directions)]),
        events.HandDealt(tuple(map(len, hands)), hands),
    )


# --- Consequences (hearts 4–7) -----------------------------------------------------------------------------


def consequences(s: State) -> tuple[events.Event, ...]:
    """Return the events that follow now without a move."""
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


def after_passing(s: State) -> tuple[events.Event, ...]:
    """Exchange the cards once all have chosen; no seat sees any before (hearts 8.4). A pool waits for chance."""
    if s.direction == "none":
        return play_started(s)
    if s.direction == "dealer" or None in s.exchange.passed:
        return ()
    givers = [(seat, (seat - STEPS[s.direction]) % 4) for seat in SEATS]
    given = s.exchange.passed
    return (events.CardsPassed(s.direction), *(events.PassReceived(to, giver, given[giver]) for to, giver in givers))


def after_returning(s: State) -> tuple[events.Event, ...]:
    """Exchange the returned cards: each goes back to the seat that passed cards to this seat."""
    if None in s.exchange.returned:
        return ()
    takers = [(seat, (seat + STEPS[s.direction]) % 4) for seat in SEATS]
    back = s.exchange.returned
    return (events.CardsReturned(), *(events.ReturnReceived(to, taker, back[taker]) for to, taker in takers))


def play_started(s: State) -> tuple[events.Event, ...]:
    """Begin the play with the first seat to lead, by the hands after the exchange."""
    leading = s.rules.leading
    leader = leading.leader(s.dealer, s.hands)
    shown = (events.TwoOfClubsShown(leader),) if leading.shows else ()
    return (*shown, events.PlayStarted(leader))


def after_card(s: State) -> tuple[events.Event, ...]:
    """Take a full trick, open hearts between tricks, score the hand after the last."""
    played = len(s.tricks)
    if len(s.trick) == 4:
        return (events.TrickTaken(played + 1, winner(s.leader, s.trick), s.trick),)
    if s.trick:
        return ()
    if played == TRICKS:
        return (score_hand(s),)
    return () if s.hearts_open or not s.rules.opening.opens(s.tricks) else (events.HeartsOpened(played),)


def winner(leader: Seat, trick: Cards) -> Seat:
    """Return the seat that takes a trick, whose first card is the leader's: the highest of the suit led."""
    return (leader + trick.index(max(keep_cards(trick, OF_SUIT[SUIT_OF[trick[0]]])))) % 4


def taken_by(tricks: Tricks, seat: Seat) -> Cards:
    """Return all cards that the seat took, in the order taken."""
    return tuple(c for trick in tricks if trick.winner == seat for c in trick.cards)


def score_hand(s: State) -> events.HandScored:
    """Score the hand; a shot moon replaces the points of all seats (hearts 6)."""
    piles = [taken_by(s.tricks, seat) for seat in SEATS]
    taken = tuple(events.Taken(hearts_in(p), QS in p, JD in p, s.rules.scoring.points(p)) for p in piles)
    shooter = next((seat for seat in SEATS if s.rules.moon.cards.issubset(piles[seat])), None)
    without_moon = tuple(t.card_points for t in taken)
    points = without_moon if shooter is None else moon_points(s.rules.moon, shooter, taken)
    return events.HandScored(taken, shooter, points, tuple(map(sum, zip(s.scores, points, strict=True))))


def moon_points(moon: Moon, shooter: Seat, taken: Sequence[events.Taken]) -> Points:
    """Return the points of all seats after a moon, including the jack's if it is a bonus."""
    base = put_at((moon.others,) * 4, shooter, moon.shooter)
    return tuple(b + moon.jack * t.jack for b, t in zip(base, taken, strict=True))


def game_ended(s: State) -> tuple[events.Event, ...]:
    """End the game once a total has reached the target and no tie is to be played off (hearts 7)."""
    if max(s.reached) < s.rules.target or not s.rules.settled(s.scores):
        return ()
    return (events.GameEnded(s.scores, rank_lowest_first(s.scores), lowest_of(s.scores, SEATS), "target_score"),)


def lowest_of(totals: Points, among: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return those of the seats with the lowest total."""
    least = min((totals[seat] for seat in among), default=0)
    return tuple(seat for seat in among if totals[seat] == least)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[events.Event, ...]:
    """End the game now: resigned seats come last, the others rank by their totals; if none resigned, no seat wins."""
    if not gave_up:
        return (events.GameEnded(s.scores, (1,) * 4, (), reason),)
    staying = [seat for seat in SEATS if seat not in gave_up]
    last = max(s.scores) + 1
    ranking = rank_lowest_first(last if seat in gave_up else s.scores[seat] for seat in SEATS)
    return (events.GameEnded(s.scores, ranking, lowest_of(s.scores, staying), reason),)


def outcome(s: State) -> Outcome | None:
    """Return the result of a game that is over."""
    if s.ended is None:
        return None
    return Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)


ANSWERS: Mapping[type, str] = {events.CardPlayed: "seat", events.PassChosen: "seat", events.ReturnChosen: "seat"}


def move_of(event: events.Event) -> tuple[Seat, events.Move] | None:
    """Return the move of a seat that the event records."""
    match event:
        case events.CardPlayed():
            return event.seat, events.PlayCard(event.card)
        case events.PassChosen(cards=cards) if cards is not None:
            return event.seat, events.PassCards(cards)
        case events.ReturnChosen(card=c) if c is not None:
            return event.seat, events.ReturnCard(c)
        case _:
            return None
