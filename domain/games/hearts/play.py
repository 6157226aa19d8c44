"""Defines the play of Hearts: what a seat may do, what a move does, and what must then happen."""

from collections.abc import Mapping, Sequence

from domain.core.cards import OF_SUIT, PACK, RANK_OF, SUIT_OF, Card, Cards, Seat, drop_cards, keep_cards
from domain.core.choices import Ask, Below, OneCard, Shuffle, SomeCards
from domain.core.game import CHANCE, Choices, Outcome, rank_lowest_first
from domain.core.values import put_at
from domain.games.hearts.events import (
    CardCut,
    CardPlayed,
    CardsPassed,
    CardsReturned,
    Cut,
    Deal,
    Event,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandScored,
    HandStarted,
    HeartsOpened,
    Move,
    PassCards,
    PassChosen,
    PassReceived,
    PickFirst,
    PlayCard,
    PlayStarted,
    PoolRedealt,
    Redeal,
    ReturnCard,
    ReturnChosen,
    ReturnReceived,
    Taken,
    TrickTaken,
    TwoOfClubsShown,
)
from domain.games.hearts.options import (
    ALL_HEARTS,
    JD,
    QS,
    SEATS,
    STEPS,
    TRICKS,
    Hands,
    Moon,
    Points,
    Tricks,
    from_left_of,
    hearts_in,
)
from domain.games.hearts.table import NOBODY, State

# --- What a seat may do, and why not (hearts 2, 4, 5) -------------------------------------------


def phase(s: State) -> str:
    """Name the phase; the way of passing decides which phase follows the pass."""
    return s.rules.passing.then if s.phase == "passed" else s.phase


def to_act(s: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for; all who have not answered yet where they act at once."""
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
    """Return the seats that have not done it."""
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
    """Return the twelve cards passed to the dealer, in the order in which they are shuffled (hearts 4.4)."""
    return tuple(c for seat in from_left_of(s.dealer) for c in s.exchange.passed[seat] or ())


def legal(s: State, seat: Seat) -> Choices:
    """Return what the seat may do now; nothing if it is not its turn."""
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
    """Return the cards of a hand that may be played now."""
    if s.trick:
        following = keep_cards(hand, OF_SUIT[SUIT_OF[s.trick[0]]]) or hand
        return following if s.tricks else drop_cards(following, s.rules.scoring.harmful) or following
    if not s.tricks:
        return s.rules.leading.cards(hand, s.rules.scoring)
    return hand if s.hearts_open else drop_cards(hand, ALL_HEARTS) or hand


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
    """Return the cards that a seat's move names."""
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
        return "harmful_on_first_trick" if card in (keep_cards(hand, led) or hand) else "must_follow_suit"
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
            hands = deal_pack(s.dealer, move.pool)
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
        return (*opening, *begin_hand(s, picked, pack))
    return begin_hand(s, s.dealer if s.deal_no == 0 else (s.dealer + 1) % 4, pack)


def begin_hand(s: State, dealer: Seat, pack: Cards) -> tuple[Event, ...]:
    """Begin the next hand, with the next direction of the cycle (hearts 8.3)."""
    directions = s.rules.passing.directions
    hands = deal_pack(dealer, pack)
    return (
        HandStarted(s.hand_no + 1, s.deal_no + 1, dealer, directions[s.deal_no % len(directions)]),
        HandDealt(tuple(map(len, hands)), hands),
    )


def deal_pack(dealer: Seat, pack: Cards) -> Hands:
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
    """Return each seat back the one card, from the seat that it had passed to."""
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
        return (score_hand(s),)
    return () if s.hearts_open or not s.rules.opening.opens(s.tricks) else (HeartsOpened(played),)


def winner(leader: Seat, trick: Cards) -> Seat:
    """Return the seat that takes a trick, whose first card is the leader's: the highest of the suit led."""
    return (leader + trick.index(max(keep_cards(trick, OF_SUIT[SUIT_OF[trick[0]]])))) % 4


def taken_by(tricks: Tricks, seat: Seat) -> Cards:
    """Return all cards that the seat took, in the order taken."""
    return tuple(c for trick in tricks if trick.winner == seat for c in trick.cards)


def score_hand(s: State) -> HandScored:
    """Score the hand; a shot moon replaces everybody's points (hearts 6)."""
    piles = [taken_by(s.tricks, seat) for seat in SEATS]
    taken = tuple(Taken(hearts_in(p), QS in p, JD in p, s.rules.scoring.points(p)) for p in piles)
    shooter = next((seat for seat in SEATS if s.rules.moon.cards.issubset(piles[seat])), None)
    without_moon = tuple(t.card_points for t in taken)
    points = without_moon if shooter is None else moon_points(s.rules.moon, shooter, taken)
    return HandScored(taken, shooter, points, tuple(map(sum, zip(s.scores, points, strict=True))))


def moon_points(moon: Moon, shooter: Seat, taken: Sequence[Taken]) -> Points:
    """Return everybody's points after a moon, the jack's among them where it is a bonus."""
    base = put_at((moon.others,) * 4, shooter, moon.shooter)
    return tuple(b + moon.jack * t.jack for b, t in zip(base, taken, strict=True))


def game_ended(s: State) -> tuple[Event, ...]:
    """End the game once a total has reached the target and no tie is to be played off (hearts 7)."""
    if max(s.reached) < s.rules.target or not s.rules.settled(s.scores):
        return ()
    return (GameEnded(s.scores, rank_lowest_first(s.scores), lowest_of(s.scores, SEATS), "target_score"),)


def lowest_of(totals: Points, among: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return those of the seats with the lowest total."""
    least = min((totals[seat] for seat in among), default=0)
    return tuple(seat for seat in among if totals[seat] == least)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[Event, ...]:
    """End the game now: a seat that gave up comes last, the others by their totals; if none did, no seat wins."""
    if not gave_up:
        return (GameEnded(s.scores, (1,) * 4, (), reason),)
    staying = [seat for seat in SEATS if seat not in gave_up]
    last = max(s.scores) + 1
    ranking = rank_lowest_first(last if seat in gave_up else s.scores[seat] for seat in SEATS)
    return (GameEnded(s.scores, ranking, lowest_of(s.scores, staying), reason),)


def outcome(s: State) -> Outcome | None:
    """Return the result of a game that is over."""
    if s.ended is None:
        return None
    return Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)


ANSWERS: Mapping[type, str] = {CardPlayed: "seat", PassChosen: "seat", ReturnChosen: "seat"}


def move_of(event: Event) -> tuple[Seat, Move] | None:
    """Return the move of a seat that the event records."""
    match event:
        case CardPlayed():
            return event.seat, PlayCard(event.card)
        case PassChosen(cards=cards) if cards is not None:
            return event.seat, PassCards(cards)
        case ReturnChosen(card=c) if c is not None:
            return event.seat, ReturnCard(c)
        case _:
            return None
