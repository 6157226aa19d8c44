"""Defines who may see each field of an event; the field's type defines it, and all code obeys it (rules 1.4).

    class PassChosen:
        seat: Seat
        cards: Private[Cards]

An unmarked field is public. A marked one is a secret part: it is stored apart, sealed for each of
its readers, and `None` in the copy of all other readers. Fields are secret, events never are.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from functools import cache
from typing import Annotated, Any, Final, TypeVar

from domain.core.cards import Seat, is_seat
from domain.core.types import Typed, fields_of

T = TypeVar("T")
E = TypeVar("E")


class Secrecy(Enum):
    """Marks a field as secret, with its readers."""

    OWN = "the event's seat, which is its first field of that type"
    EACH = "each seat its own entry"
    NOBODY = "nobody until disclosure"
    FADING = "everybody, until it is forgotten (rules 1.4.5)"


Private = Annotated[T | None, Secrecy.OWN]
PerSeat = Annotated[tuple[T | None, ...], Secrecy.EACH]
Hidden = Annotated[T | None, Secrecy.NOBODY]
Fading = Annotated[T | None, Secrecy.FADING]

Reader = str
"""A seat number as text, `spectators`, or `table` for data that no reader may see yet (contract 6)."""

SPECTATORS: Final[Reader] = "spectators"
TABLE: Final[Reader] = "table"


def reader_of(seat: Seat | None) -> Reader:
    """Return the reader for a seat; `None` is a spectator."""
    return SPECTATORS if seat is None else str(seat)


@cache
def secret_fields(cls: type) -> Mapping[str, Secrecy]:
    """Return the secret fields of an event class, in order, with their marks."""
    return {name: mark for name, t in fields_of(cls).items() for mark in t.marks if isinstance(mark, Secrecy)}


@cache
def seat_field(cls: type) -> str | None:
    """Return the name of the field with the event's seat: its first field of that type; None if there is none."""
    return next((name for name, t in fields_of(cls).items() if is_seat(t)), None)


def part_of(t: Typed, mark: Secrecy) -> Typed:
    """Return the type of one reader's value of a secret field."""
    part: Typed = t.of if mark is Secrecy.EACH else t
    return part


def owner_of(event: Any) -> Seat:
    """Return the seat of an event."""
    cls: type = type(event)
    seat: Seat = getattr(event, seat_field(cls) or "")
    return seat


def secret_parts(event: Any, seats: int) -> dict[str, dict[Reader, Any]]:
    """Split off the secret parts of an event: for each secret field, the value for each of its readers."""
    cls: type = type(event)
    return {name: _PARTS[mark](event, getattr(event, name), seats) for name, mark in secret_fields(cls).items()}


_PARTS: Mapping[Secrecy, Callable[[Any, Any, int], dict[Reader, Any]]] = {
    Secrecy.OWN: lambda event, value, seats: {str(owner_of(event)): value},
    Secrecy.EACH: lambda event, value, seats: {str(i): entry for i, entry in enumerate(value)},
    Secrecy.NOBODY: lambda event, value, seats: {TABLE: value},
    Secrecy.FADING: lambda event, value, seats: dict.fromkeys([*map(str, range(seats)), SPECTATORS], value),
}


def view_event(event: E, seat: Seat | None) -> E:
    """Return the event as this seat is shown it when it happens; `None` is a spectator."""
    cls: type = type(event)
    marks = secret_fields(cls)
    if not marks:
        return event
    shown = {name: _SEEN[mark](event, getattr(event, name), seat) for name, mark in marks.items()}
    return replace(event, **shown)  # type: ignore[type-var]


_SEEN: Mapping[Secrecy, Callable[[Any, Any, Seat | None], Any]] = {
    Secrecy.OWN: lambda event, value, seat: value if owner_of(event) == seat else None,
    Secrecy.EACH: lambda event, value, seat: tuple(v if i == seat else None for i, v in enumerate(value)),
    Secrecy.NOBODY: lambda event, value, seat: None,
    Secrecy.FADING: lambda event, value, seat: value,
}
