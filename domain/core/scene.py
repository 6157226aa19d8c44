"""Describes a table as data, as one reader sees it, for programs that draw it or read it aloud.

A game builds its scene only from the state that the reader has seen, so a scene cannot show more. Cards are text, so
that a game may have its own cards. `as_json` returns plain JSON, in which a zone is found by its id
(`/zones/hand-2/spots/0`) and a seat by its number (`/seats/2`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from domain.core.cards import BACK, NAMES, RANK_OF, SUIT_OF, Card, Seat
from domain.core.values import value

Numbers = tuple[tuple[str, int], ...]
"""Numbers with their labels, in reading order."""

Marks = tuple[str, ...]

Layout = Literal["row", "fan", "pile", "grid", "around"]
"""The layout of the cards in a zone.

Side by side, overlapping as in a hand, a pile with the last card on top, rows of `columns`, or each card in front of
the seat that played it.
"""

# --- Words that programs know ---------------------------------------------------------------------------
# A program that draws a scene knows no game. It knows these words, and shows all others as they are (contract 4.7).

DEALER: Final = "dealer"
"""The badge of the seat that deals."""
TURN: Final = "turn"
"""The badge of a seat that has something to decide."""
OUT: Final = "out"
"""The badge of a seat that is out of the game."""
FOLDED: Final = "folded"
"""The badge of a seat that is out of the hand."""
SMALL_BLIND: Final = "small blind"
"""The badge of the seat that posts the smaller forced bet."""
BIG_BLIND: Final = "big blind"
"""The badge of the seat that posts the larger forced bet."""

UNASKED: Final = frozenset((OUT, FOLDED))
"""A seat with one of these badges has nothing to decide, and is drawn faintly."""

SHORT_BADGES: Final[Mapping[str, str]] = {DEALER: "D", SMALL_BLIND: "SB", BIG_BLIND: "BB"}
"""The abbreviations of badges that at most one seat has, for a program that has little room."""

HAND: Final = "hand"
"""The kind of the zone with the cards that a seat holds. Without one, a seat's first fan is drawn as its hand."""
STOCK: Final = "stock"
"""The kind of the zone from which cards are drawn. Without one, every face-down heap is drawn as one."""
TRICK: Final = "trick"
"""The kind of the zone with the cards that are played now, each before its seat."""
LAST_TRICK: Final = "last_trick"
"""The kind of the zone with the previous trick; it is drawn small during a new one."""
BURNT: Final = "burnt"
"""The kind of the zone with cards discarded unseen; it is drawn small."""
LANDS: Final = "lands"
"""The kind of the zone with a seat's cards that pay for others; they are drawn flat, behind its other rows."""

SET_ASIDE: Final = "set_aside"
"""The kind of the zone with cards that a seat has exchanged; it is drawn small."""
BOARD: Final = "board"
"""The kind of the zone with the cards that all seats share."""
POT: Final = "pot"
"""The kind of a zone with the chips that can be won."""
BET: Final = "bet"
"""The kind of the zone with the chips that a seat has bet in this round; it is drawn in front of the seat."""
STACK: Final = "chips"
"""The kind of the zone with a seat's other chips. A table with one is drawn as a table for betting."""
LIBRARY: Final = "library"
"""The kind of the zone with the cards of a seat that are still to be drawn. A table with one is drawn as a duel."""
PICKS: Final = "picks"
"""The kind of the zone with the cards that a seat has drafted. A table with one is drawn as a draft."""

WINS: Final = "wins"
"""The mark of the card that takes its trick."""
TAPPED: Final = "tapped"
"""The mark of a card that has been used, and is drawn turned."""
ATTACKING: Final = "attacking"
"""The mark of a card that attacks; it is drawn with a border."""

CHIPS: Final = "chips"
"""The label of the number of a seat's chips; it may be omitted next to the number."""
PROGRESS: Final = ("hand", "trick", "turn")
"""The labels of table numbers that show the progress of a game."""

# --- A table --------------------------------------------------------------------------------------------


@value
class Spot:
    """A position in a zone, with a card face up (its text), a card face down, or no card.

    `seat` is the seat that put the card there, if that matters; `marks` are words about the card. `id` is the card's
    name in moves, in games with several cards of the same text. `aims` are the ids of the cards that this one targets
    or blocks, and the numbers of the seats that it targets.
    """

    card: str | None = None
    empty: bool = False
    seat: Seat | None = None
    marks: Marks = ()
    id: str | None = None
    aims: tuple[str, ...] = ()


@value
class Zone:
    """A part of the table with cards or chips, such as a hand, a trick, a stock or a pot.

    In addition to the kinds above, several games use discard, board, taken, set_aside, drawn, meld and pot; a game may
    have others. `seat` is the owner. `count` is the number of all cards of the zone; those without a spot are face
    down, in no order. `columns` is the width of a grid.
    """

    id: str
    kind: str
    layout: Layout
    seat: Seat | None = None
    spots: tuple[Spot, ...] = ()
    count: int = 0
    numbers: Numbers = ()
    note: str = ""
    columns: int | None = None


@value
class SeatShown:
    """A seat in a scene: badges are short words such as dealer or out; numbers are values such as score and chips."""

    seat: Seat
    badges: tuple[str, ...] = ()
    numbers: Numbers = ()


@value
class StepShown:
    """A step of a turn: its name, whether it is the current one, and whether the reader wants to be asked in it."""

    name: str
    now: bool = False
    stop: bool = False


@value
class Scene:
    """A table as the reader at `seat` sees it; None for a spectator.

    `numbers` are those of the whole table, such as the current hand and trick. `notes` are sentences. `last` is the
    latest event in words, from the caller, who has the events. `steps` are those of the turn in their order, in games
    that have some.
    """

    phase: str
    seat: Seat | None
    seats: tuple[SeatShown, ...]
    zones: tuple[Zone, ...]
    numbers: Numbers = ()
    notes: tuple[str, ...] = ()
    last: str | None = None
    steps: tuple[StepShown, ...] = ()


def face_up(card: Card, marks: Marks = ()) -> Spot:
    """Describe a face-up card."""
    return Spot(NAMES[card], marks=marks)


def zone(
    kind: str,
    layout: Layout,
    cards: Sequence[Any],
    seat: Seat | None = None,
    *,
    part: int | None = None,
    face: Callable[[Any], Spot] = face_up,
) -> Zone:
    """Build a zone of cards in order; face-down cards among them are counted.

    `part` distinguishes zones of the same kind. `face` describes a visible card.
    """
    spots = tuple(face(c) for c in cards if c != BACK)
    return Zone(zone_id(kind, seat, part), kind, layout, seat, spots, len(cards))


def zone_id(kind: str, *parts: int | None) -> str:
    """Return the id of a zone: its kind, and the numbers of its owner and of its part."""
    return "-".join([kind, *(str(part) for part in parts if part is not None)])


def face_down_heap(kind: str, count: int, seat: Seat | None = None, *, part: int | None = None) -> Zone:
    """Build a heap of face-down cards."""
    return Zone(zone_id(kind, seat, part), kind, "pile", seat, count=count)


def trick_zone(kind: str, leader: Seat, cards: Sequence[Card], seats: int, winner: Seat | None = None) -> Zone:
    """Build the zone of a trick: cards clockwise from the leader's, with the winner's marked."""
    order = [(leader + i) % seats for i in range(len(cards))]
    spots = [
        Spot(NAMES[c], seat=seat, marks=(WINS,) if seat == winner else ()) for seat, c in zip(order, cards, strict=True)
    ]
    return Zone(kind, kind, "around", None, tuple(spots), len(spots))


def badges(**held: bool) -> tuple[str, ...]:
    """Return the names of the given badges, as in `badges(dealer=True, small_blind=False)`."""
    return tuple(badge.replace("_", " ") for badge, there in held.items() if there)


def numbers(**counts: int | None) -> Numbers:
    """Label numbers, as in `numbers(score=5, bet=None)`; None is left out."""
    return tuple((label.replace("_", " "), n) for label, n in counts.items() if n is not None)


def by_suit(cards: Iterable[Card], *, is_ace_low: bool = False) -> list[Card]:
    """Sort a hand for display: by suit with alternating colours, high cards first, backs last."""

    def rank(card: Card) -> int:
        return (RANK_OF[card] + 1) % 13 if is_ace_low else RANK_OF[card]

    return sorted(cards, key=lambda c: (4, 0) if c == BACK else (_COLOURS[SUIT_OF[c]], -rank(c)))


def by_rank(cards: Iterable[Card]) -> list[Card]:
    """Sort a hand by rank, high cards first, backs last."""
    return sorted(cards, key=lambda c: (13, 0) if c == BACK else (-RANK_OF[c], _COLOURS[SUIT_OF[c]]))


_COLOURS: Final = (2, 3, 1, 0)
"""Clubs, diamonds, hearts and spades have these positions in a hand that is held."""


# --- As JSON --------------------------------------------------------------------------------------------


def as_json(scene: Scene) -> dict[str, Any]:
    """Return the scene as plain JSON."""
    return {
        "phase": scene.phase,
        "seat": scene.seat,
        "seats": [{"seat": s.seat, "badges": list(s.badges), "numbers": dict(s.numbers)} for s in scene.seats],
        "zones": {each.id: _zone(each) for each in scene.zones},
        "numbers": dict(scene.numbers),
        "notes": list(scene.notes),
        "last": scene.last,
        "steps": [{"name": step.name, "now": step.now, "stop": step.stop} for step in scene.steps],
    }


def _zone(each: Zone) -> dict[str, Any]:
    return {
        "kind": each.kind,
        "layout": each.layout,
        "seat": each.seat,
        "spots": [_spot(spot) for spot in each.spots],
        "count": each.count,
        "numbers": dict(each.numbers),
        "note": each.note,
        "columns": each.columns,
    }


def _spot(spot: Spot) -> dict[str, Any]:
    face = "empty" if spot.empty else "down" if spot.card is None else "up"
    return {
        "face": face,
        "card": spot.card,
        "seat": spot.seat,
        "marks": list(spot.marks),
        "id": spot.id,
        "aims": list(spot.aims),
    }


def from_json(data: Mapping[str, Any]) -> Scene:
    """Read a scene from the JSON of `as_json`. Raise `KeyError` or `TypeError` for anything else."""
    return Scene(
        data["phase"],
        data["seat"],
        tuple(SeatShown(s["seat"], tuple(s["badges"]), tuple(s["numbers"].items())) for s in data["seats"]),
        tuple(_zone_from(name, each) for name, each in data["zones"].items()),
        tuple(data["numbers"].items()),
        tuple(data["notes"]),
        data["last"],
        tuple(StepShown(step["name"], step["now"], step["stop"]) for step in data["steps"]),
    )


def _zone_from(name: str, data: Mapping[str, Any]) -> Zone:
    spots = tuple(
        Spot(s["card"], s["face"] == "empty", s["seat"], tuple(s["marks"]), s.get("id"), tuple(s["aims"]))
        for s in data["spots"]
    )
    numbers = tuple(data["numbers"].items())
    return Zone(
        name, data["kind"], data["layout"], data["seat"], spots, data["count"], numbers, data["note"], data["columns"]
    )
