"""High Card: options, moves, events, state, play, and what readers see of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from domain.core.cards import BACK, NAMES, PACK, RANK_OF, Card, Cards, Seat, backs, card_names, remove_cards
from domain.core.choices import Ask, OneCard, Shuffle
from domain.core.game import CHANCE, Choices, Outcome, drawn_outcome, highest_wins
from domain.core.options import Range
from domain.core.scene import Scene, SeatShown, badges, by_rank, numbers, zone
from domain.core.scene_pointers import Where, zone_pointer
from domain.core.text import event_text
from domain.core.values import Compiled, Copied, or_back, put_at, value
from domain.core.visibility import Hidden, PerSeat, Private

FAN: Final = 3
"""The number of cards that each seat is dealt."""


@value
class Options:
    """The options of a table."""

    rounds: Annotated[int, Range(1, 20)] = 3
    """The number of rounds of a bout."""


# --- Moves: the seats', then that of chance ----------------------------------------------------------


@value
class Lay:
    card: Card


@value
class DealOut:
    pack: Cards


Move = Lay | DealOut


# --- Events ------------------------------------------------------------------------------------------


@value
class BoutOpened:
    bout: int


@value
class RoundOpened:
    round: int


@value
class FansDealt:
    """Each seat sees its own fan. No one sees the talon."""

    fans: PerSeat[Cards]
    talon: Hidden[Cards]


@value
class CardLaid:
    who: Seat
    card: Private[Card]


@value
class RoundWon:
    who: Seat
    cards: Cards
    points: tuple[int, ...]


@value
class BoutClosed:
    result: Outcome
    reason: str


Event = BoutOpened | RoundOpened | FansDealt | CardLaid | RoundWon | BoutClosed


# --- State, and what each event makes of it ----------------------------------------------------------


@dataclass(slots=True)
class Table(Copied):
    """A table as one reader knows it. Cards that the reader was not shown are backs."""

    options: Compiled[Options]
    bout: int
    round: int
    points: tuple[int, ...]
    fans: tuple[Cards, ...]
    talon: Cards = ()
    laid: tuple[Card | None, ...] = ()
    stage: str = "before"
    result: Outcome | None = None


def start(options: Options, seats: int, last: Table | None) -> Table:
    """Return the table before the first event. Bouts and rounds are numbered through the match."""
    bout, done = (last.bout, last.round) if last else (0, 0)
    return Table(options, bout, done, points=(0,) * seats, fans=((),) * seats)


def evolve(s: Table, event: Event) -> None:
    """Assign what has happened."""
    match event:
        case BoutOpened():
            s.bout = event.bout
        case RoundOpened():
            s.round, s.stage, s.laid = event.round, "laying", (None,) * len(s.points)
        case FansDealt():
            s.fans = tuple(or_back(fan, backs(FAN)) for fan in event.fans)
            s.talon = or_back(event.talon, backs(len(PACK) - FAN * len(s.fans)))
        case CardLaid():
            card = or_back(event.card, BACK)
            s.fans = put_at(s.fans, event.who, remove_cards(s.fans[event.who], card))
            s.laid = put_at(s.laid, event.who, card)
        case RoundWon():
            s.stage, s.laid, s.points = "scored", event.cards, event.points
        case BoutClosed():
            s.stage, s.result = "closed", event.result


# --- What a seat may do, and why not -----------------------------------------------------------------


def to_act(s: Table) -> tuple[Seat, ...]:
    """Return the seats that have yet to lay a card, or chance before a deal."""
    if s.stage == "laying":
        return tuple(seat for seat, card in enumerate(s.laid) if card is None)
    return () if s.stage == "closed" else (CHANCE,)


def ask(s: Table) -> Ask:
    """Ask chance for the pack in a random order."""
    return Shuffle(DealOut, "deal", PACK)


def legal(s: Table, seat: Seat) -> Choices:
    """Return the legal moves: lay any card of the fan."""
    return (OneCard(Lay, s.fans[seat]),) if seat in to_act(s) else ()


def refusal(s: Table, seat: Seat, move: Move) -> str:
    """Return the code of the first reason against the move."""
    if s.stage != "laying":
        return "wrong_phase"
    return "card_not_in_hand" if s.laid[seat] is None else "already_done"


def default(s: Table, seat: Seat) -> Move:
    """Lay the highest card for a seat whose time has run out."""
    return Lay(max(s.fans[seat], key=height))


def height(card: Card) -> tuple[int, Card]:
    """Order cards by rank, then by suit."""
    return RANK_OF[card], card


# --- What a move does, and what must then happen -----------------------------------------------------


def decide(s: Table, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Return the events of a legal move."""
    if isinstance(move, Lay):
        return (CardLaid(seat, move.card),)
    n = len(s.points)
    fans = tuple(tuple(sorted(move.pack[i : FAN * n : n])) for i in range(n))
    opened = (BoutOpened(s.bout + 1),) if s.stage == "before" else ()
    return *opened, RoundOpened(s.round + 1), FansDealt(fans, move.pack[FAN * n :])


def consequences(s: Table) -> tuple[Event, ...]:
    """Return the winner of a round once all have laid a card, or close the bout after its last round."""
    laid = tuple(card for card in s.laid if card is not None)
    if s.stage == "laying" and len(laid) == len(s.points):
        who = laid.index(max(laid, key=height))
        return (RoundWon(who, laid, put_at(s.points, who, s.points[who] + 1)),)
    if s.stage == "scored" and sum(s.points) == s.options.rounds:
        return (BoutClosed(highest_wins(s.points), "played"),)
    return ()


def stop(s: Table, gave_up: tuple[Seat, ...], reason: str) -> tuple[Event, ...]:
    """Close the bout now. Seats that resigned come last; if there are none, no one wins."""
    result = highest_wins(s.points, gave_up, reason) if gave_up else drawn_outcome(s.points, reason)
    return (BoutClosed(result, reason),)


def move_of(event: Event) -> tuple[Seat, Move] | None:
    """Return the move that an event records, or None."""
    return (event.who, Lay(or_back(event.card, BACK))) if isinstance(event, CardLaid) else None


# --- What is shown, and said -------------------------------------------------------------------------


def view(s: Table, seat: Seat | None) -> Mapping[str, Any]:
    """Return the table as a reader knows it."""
    mine = () if seat is None else s.fans[seat]
    laid = [None if card is None else NAMES[card] for card in s.laid]
    return {"stage": s.stage, "round": s.round, "mine": card_names(mine), "laid": laid, "won": list(s.points)}


def scene(s: Table, seat: Seat | None) -> Scene:
    """Return the fans, the laid cards and the talon. Unseen cards are face down."""
    seats = tuple(SeatShown(i, badges(turn=i in to_act(s)), numbers(won=won)) for i, won in enumerate(s.points))
    fans = [zone("fan", "fan", by_rank(fan), i) for i, fan in enumerate(s.fans)]
    laid = [zone("laid", "row", [card], i) for i, card in enumerate(s.laid) if card is not None]
    return Scene(s.stage, seat, seats, (*fans, *laid, zone("talon", "pile", s.talon)), numbers(round=s.round))


def where(s: Table, seat: Seat) -> Where:
    """Point to the fan, from which a seat lays its card."""
    return {Lay: {"card": zone_pointer("fan", seat)}}


def known(s: Table, seat: Seat) -> Mapping[str, Any]:
    """Return the lead of the seat in points, negative if it is behind, for standing orders."""
    return {"lead": s.points[seat] - max(points for i, points in enumerate(s.points) if i != seat)}


def about(options: Options, seats: int) -> str:
    """Describe the rules of a table to people."""
    return f"{seats} seats get {FAN} cards and lay one; the highest wins. Most of {options.rounds} rounds win."


text = event_text(
    {
        BoutOpened: "Bout {bout} began.",
        RoundOpened: "Round {round} began.",
        FansDealt: "The cards were dealt{fans:dealt}.",
        CardLaid: "Seat {who} laid {card}.",
        RoundWon: "The cards were turned: {cards}. Seat {who} won the round.",
        BoutClosed: "The bout ended: {result.winners:winners}{reason}.",
    }
)
