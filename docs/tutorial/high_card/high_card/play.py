"""High Card: moves, events, state, and play."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from domain.core import text as words
from domain.core.cards import BACK, PACK, RANK_OF, Card, Cards, Seat, add, backs, names, remove
from domain.core.choices import Ask, OneCard, Shuffle
from domain.core.game import CHANCE, Choices, Outcome, ranked
from domain.core.values import Compiled, Copied, put, shown, value
from domain.core.visibility import Hidden, PerSeat, Private
from high_card.options import Options

# --- Moves: the seats', then that of chance ----------------------------------------------------------


@value
class Lay:
    card: Card


@value
class Trade:
    card: Card


@value
class DealOut:
    pack: Cards


Move = Lay | Trade | DealOut

# --- Events ------------------------------------------------------------------------------------------


@value
class BoutOpened:
    bout: int


@value
class RoundOpened:
    round: int


@value
class FansDealt:
    """`fans` are shown to their seats alone, the talon to nobody."""

    fans: PerSeat[Cards]
    talon_left: int
    talon: Hidden[Cards]


@value
class CardTraded:
    """A card goes under the talon, and its top card to the seat."""

    who: Seat
    gave: Private[Card]
    got: Private[Card]


@value
class CardLaid:
    who: Seat
    card: Private[Card]


@value
class CardsTurned:
    cards: Cards


@value
class RoundWon:
    who: Seat
    points: tuple[int, ...]


@value
class BoutClosed:
    best: tuple[Seat, ...]
    order: tuple[int, ...]
    points: tuple[int, ...]
    why: str


Event = BoutOpened | RoundOpened | FansDealt | CardTraded | CardLaid | CardsTurned | RoundWon | BoutClosed

# --- State, and what each event makes of it ----------------------------------------------------------


@dataclass(slots=True)
class Table(Copied):
    """A table as somebody knows it: cards that were not shown are backs."""

    opts: Compiled[Options]
    n: Compiled[int]
    bout: int
    round: int
    points: tuple[int, ...]
    stage: str = "before"
    fans: tuple[Cards, ...] = ()
    talon: Cards = ()
    laid: tuple[Card | None, ...] = ()
    traded: tuple[bool, ...] = ()
    closed: BoutClosed | None = None


def start(options: Options, seats: int, last: Table | None) -> Table:
    """Give the table before the first event; bouts and rounds are counted through the match."""
    bout, done = (last.bout, last.round) if last else (0, 0)
    return Table(options, seats, bout, done, (0,) * seats, fans=((),) * seats)


def evolve(s: Table, event: Event) -> None:
    """Assign what has happened."""
    match event:
        case BoutOpened():
            s.bout = event.bout
        case RoundOpened():
            s.round, s.stage = event.round, "choosing"
            s.laid, s.traded = (None,) * s.n, (False,) * s.n
        case FansDealt():
            s.fans = tuple(shown(fan, backs(s.opts.fan_size)) for fan in event.fans)
            s.talon = shown(event.talon, backs(event.talon_left))
        case CardTraded():
            gave, got = shown(event.gave, BACK), shown(event.got, s.talon[0])
            s.fans = put(s.fans, event.who, add(remove(s.fans[event.who], gave), (got,)))
            s.talon, s.traded = (*s.talon[1:], gave), put(s.traded, event.who, True)
        case CardLaid():
            card = shown(event.card, BACK)
            s.fans = put(s.fans, event.who, remove(s.fans[event.who], card))
            s.laid = put(s.laid, event.who, card)
        case CardsTurned():
            s.stage, s.laid = "turned", event.cards
        case RoundWon():
            s.stage, s.points = "scored", event.points
        case BoutClosed():
            s.stage, s.closed = "closed", event


# --- What a seat may do, and why not -----------------------------------------------------------------


def to_act(s: Table) -> tuple[Seat, ...]:
    """Give the seats that have yet to lay a card; chance, where cards are to be dealt."""
    if s.stage == "choosing":
        return tuple(seat for seat, card in enumerate(s.laid) if card is None)
    return () if s.stage == "closed" else (CHANCE,)


def ask(s: Table) -> Ask:
    """Ask chance for the pack in a random order."""
    return Shuffle(DealOut, "deal", PACK)


def legal(s: Table, seat: Seat) -> Choices:
    """Give what the seat may do now."""
    if seat == CHANCE or seat not in to_act(s):
        return ()
    lay, trade = OneCard(Lay, s.fans[seat]), OneCard(Trade, s.fans[seat])
    return (lay,) if s.traded[seat] else (lay, trade)


def refusal(s: Table, seat: Seat, move: Move) -> str:
    """Name the first reason why the move is refused."""
    if s.stage != "choosing":
        return "wrong_phase"
    if s.laid[seat] is not None:
        return "already_done"
    return "traded_already" if type(move) is Trade and s.traded[seat] else "card_not_in_hand"


def default(s: Table, seat: Seat) -> Move:
    """Lay the highest card for a seat whose time is over."""
    return Lay(max(s.fans[seat], key=height))


def height(card: Card) -> tuple[int, Card]:
    """Order cards by rank, then by suit."""
    return RANK_OF[card], card


# --- What a move does, and what must then happen -----------------------------------------------------


def decide(s: Table, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Say what a legal move does."""
    match move:
        case Lay():
            return (CardLaid(seat, move.card),)
        case Trade():
            return (CardTraded(seat, move.card, s.talon[0]),)
        case DealOut():
            size, share = s.opts.fan_size, s.n * s.opts.fan_size
            fans = tuple(tuple(sorted(move.pack[i * size : (i + 1) * size])) for i in range(s.n))
            dealt = FansDealt(fans, len(PACK) - share, move.pack[share:])
            begins = () if s.stage != "before" else (BoutOpened(s.bout + 1),)
            return *begins, RoundOpened(s.round + 1), dealt


def consequences(s: Table) -> tuple[Event, ...]:
    """Turn the cards once all have laid one, name the winner, and close the bout after its last round."""
    if s.stage == "choosing" and None not in s.laid:
        return (CardsTurned(tuple(card for card in s.laid if card is not None)),)
    if s.stage == "turned":
        who = max(range(s.n), key=lambda seat: height(s.laid[seat] or Card(0)))
        return (RoundWon(who, put(s.points, who, s.points[who] + 1)),)
    if s.stage == "scored" and sum(s.points) == s.opts.rounds:
        return (closed(s, s.points, "played"),)
    return ()


def closed(s: Table, rank_by: tuple[int, ...], why: str) -> BoutClosed:
    """Close the bout; who has the most comes first."""
    order = ranked(-points for points in rank_by)
    best = tuple(seat for seat, place in enumerate(order) if place == 1)
    return BoutClosed(best, order, s.points, why)


def stop(s: Table, gave_up: tuple[Seat, ...], reason: str) -> tuple[Event, ...]:
    """Close the bout now: who gave up comes last; if nobody did, nobody wins."""
    if not gave_up:
        return (BoutClosed((), (1,) * s.n, s.points, reason),)
    return (closed(s, tuple(-1 if i in gave_up else points for i, points in enumerate(s.points)), reason),)


def outcome(s: Table) -> Outcome | None:
    """Give the result of a bout that is over."""
    return None if s.closed is None else Outcome(s.closed.best, s.closed.order, s.closed.points)


def move_of(event: Event) -> tuple[Seat, Move] | None:
    """Give the move that an event records; None where a seat was not shown it, or made none."""
    match event:
        case CardLaid():
            return event.who, Lay(shown(event.card, BACK))
        case CardTraded():
            return event.who, Trade(shown(event.gave, BACK))
        case _:
            return None


# --- What is shown, and said -------------------------------------------------------------------------


def view(s: Table, seat: Seat | None) -> Mapping[str, Any]:
    """Give the table as a reader knows it."""
    return {
        "stage": s.stage,
        "round": s.round,
        "mine": [] if seat is None else names(s.fans[seat]),
        "laid": [None if card is None else names([card])[0] for card in s.laid],
        "talon_left": len(s.talon),
        "won": list(s.points),
    }


def known(s: Table, seat: Seat) -> Mapping[str, Any]:
    """Give what standing orders may ask: the lead over the best other seat, and the cards in the fan."""
    others = [points for i, points in enumerate(s.points) if i != seat]
    return {"lead": s.points[seat] - max(others), "fan": names(s.fans[seat])}


TEXTS: Final = {
    BoutOpened: "Bout {bout} begins.",
    RoundOpened: "Round {round} begins.",
    FansDealt: "The cards are dealt{fans:dealt}.",
    CardTraded: "Seat {who} gives {gave} for {got}.",
    CardLaid: "Seat {who} lays {card}.",
    CardsTurned: "The cards are turned: {cards}.",
    RoundWon: "Seat {who} wins the round.",
    BoutClosed: "The bout is over: {best}{why}.",
}

text = words.event_text(
    TEXTS,
    {
        "dealt": words.dealt, "gave": words.some, "got": words.some, "card": words.some, "cards": words.cards,
        "best": words.won, "why": words.why,
    },
)  # fmt: skip
