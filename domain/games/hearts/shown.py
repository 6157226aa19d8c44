"""Shows a game of Hearts to a seat or to spectators: the table, its scene, and facts for standing orders."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypedDict

from domain.core.cards import BACK, NAMES, Card, CardName, Cards, Seat, card_names, fewest
from domain.core.game import FactKind
from domain.core.scene import Scene, SeatShown, Zone, badges, by_suit, face_down_heap, numbers, trick_zone, zone
from domain.core.scene_pointers import Where, zone_pointer
from domain.core.shown import TrickTableShown
from domain.core.tricks import list_played, list_trick, so_far
from domain.core.types import Doc
from domain.games.hearts.events import PASSED, PassCards, PlayCard, ReturnCard
from domain.games.hearts.options import SEATS, Direction
from domain.games.hearts.play import phase, taken_by, to_act
from domain.games.hearts.table import NOBODY, Exchange, State

_Passing = TypedDict(
    "_Passing", {"pass": Annotated[Direction, Doc("The direction in which cards are passed in this hand.")]}
)


class ExchangeShown(TypedDict):
    """This is the reader's own part in the exchange of cards; null before it happened, and for a spectator."""

    passed: list[CardName] | None
    """The cards that the reader passed."""
    received: list[CardName] | None
    """The cards that were passed to the reader."""
    returned: CardName | None
    """The card that the reader gave back."""
    regained: CardName | None
    """The card that the reader got back."""


class HeartsShown(TrickTableShown, _Passing, ExchangeShown):
    """This is the table of a game of Hearts."""

    hearts_open: bool
    """Whether hearts may be led."""
    two_of_clubs_shown: Seat | None
    """The seat that has shown the two of clubs."""


# --- The table ------------------------------------------------------------------------------------


def view(s: State, seat: Seat | None) -> HeartsShown:
    """Return the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": seat_or_none(s.dealer),
        "pass": s.direction,
        "hand": [] if seat is None else card_names(s.hands[seat]),
        "hands": [None if BACK in hand else card_names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "scores": list(s.scores),
        "points": [s.rules.scoring.points(taken_by(s.tricks, i)) for i in SEATS],
        "trick": list_played(s.leader, s.trick, 4),
        "trick_no": len(s.tricks) + 1 if phase(s) == "playing" else None,
        "last_trick": list_trick(s.tricks[-1], 4) if s.tricks else None,
        "tricks": [list_trick(trick, 4) for trick in s.tricks[-s.rules.history :]],
        "leader": seat_or_none(s.leader),
        "turn": seat_or_none(s.turn),
        "hearts_open": s.hearts_open,
        "two_of_clubs_shown": s.shown,
        **exchange_shown(s.exchange, seat),
    }


def seat_or_none(seat: Seat) -> Seat | None:
    """Return the seat, if it is one."""
    return None if seat == NOBODY else seat


def exchange_shown(x: Exchange, seat: Seat | None) -> ExchangeShown:
    """Return the cards that a seat passed, received, gave back and got back; `None` before it did."""
    if seat is None:
        return {"passed": None, "received": None, "returned": None, "regained": None}
    return {
        "passed": several(x.passed[seat]),
        "received": several(x.received[seat]),
        "returned": card_name(x.returned[seat]),
        "regained": card_name(x.regained[seat]),
    }


def several(cards: Cards | None) -> list[str] | None:
    """Name cards, if there are any."""
    return None if cards is None else card_names(cards)


def card_name(card: Card | None) -> str | None:
    """Name a card, if there is one."""
    return None if card is None else NAMES[card]


# --- The scene ------------------------------------------------------------------------------------


def scene(s: State, seat: Seat | None) -> Scene:
    """Return the table as this seat knows it, as data."""
    return Scene(
        phase(s),
        seat,
        tuple(describe_seat(s, i) for i in SEATS),
        (*hand_zones(s), *tricks(s), *underway(s)),
        numbers(hand=s.hand_no, trick=len(s.tricks) + 1 if phase(s) == "playing" else None),
        tuple(table_notes(s)),
    )


def describe_seat(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    taken = s.rules.scoring.points(taken_by(s.tricks, seat))
    won = sum(trick.winner == seat for trick in s.tricks)
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer)
    return SeatShown(seat, held, numbers(score=s.scores[seat], points=taken, tricks=won))


def hand_zones(s: State) -> Iterator[Zone]:
    """Return the hands."""
    for i in SEATS:
        yield zone("hand", "fan", by_suit(s.hands[i]), i)


def tricks(s: State) -> Iterator[Zone]:
    """Return the trick, the last one, which may be of the hand before, and what was taken before it."""
    yield trick_zone("trick", s.leader, s.trick, 4)
    for last in s.tricks[-1:] or s.before:
        yield trick_zone("last_trick", last.leader, last.cards, 4, last.winner)
    for i in SEATS:
        if taken := taken_by(s.tricks[:-1], i):
            yield face_down_heap("taken", len(taken), i)


def underway(s: State) -> Iterator[Zone]:
    """Return the cards that were passed or given back, and have not arrived."""
    for i in SEATS:
        if phase(s) == "passing" and (passed := s.exchange.passed[i]):
            yield zone("passed", "fan", by_suit(passed), i)
        if phase(s) == "returning" and (returned := s.exchange.returned[i]) is not None:
            yield zone("passed", "fan", (returned,), i)


def table_notes(s: State) -> Iterator[str]:
    """Say which way cards go, or that they come back, and whether hearts may be led."""
    if phase(s) == "passing" and s.direction != "none":
        yield f"Cards are passed {PASSED[s.direction]}."
    if phase(s) == "returning":
        yield "Each seat returns one card to the seat that passed it."
    if phase(s) == "playing" and s.hearts_open:
        yield "Hearts are broken."


def argument_places(s: State, seat: Seat) -> Where:
    """Say that all cards of moves lie in the hand; cards to give back too, for they have arrived there."""
    hand = zone_pointer("hand", seat)
    return {PassCards: {"cards": hand}, ReturnCard: {"card": hand}, PlayCard: {"card": hand}}


# --- Facts for standing orders --------------------------------------------------------------------


KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "trick_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "led": FactKind.SUIT,
    "winning": FactKind.CARD,
    "fewest_cards": FactKind.NUMBER,
}


def known_facts(s: State, seat: Seat) -> Mapping[str, Any]:
    """Return what the seat knows of the table."""
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "trick_no": len(s.tricks) + 1 if phase(s) == "playing" else None,
        "score": s.scores[seat],
        "hand": card_names(s.hands[seat]),
        "fewest_cards": fewest(s.hands, seat),
        **so_far(s.trick),
    }
