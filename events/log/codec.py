"""Writes events as JSON and reads them. The code for it is compiled once for each event class.

A public field goes into `data`; a secret one is split off, a value for each of its readers (contract 6).
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from domain.core.event_versions import current_version, later_versions
from domain.core.json_form import AS_IT_IS, Convert, JsonForm, apply, as_object, as_text, compile_form, or_none
from domain.core.types import Typed, fields_of, key
from domain.core.visibility import SPECTATORS, TABLE, Reader, Secrecy, part_of, seat_field, secret_fields, secret_parts
from domain.games.catalogue import game_of
from domain.match import match_parts

EVERYBODY: Reader = "all"
"""A reader that sees every secret part: the server itself, or any reader once everything is disclosed."""

Parts = Mapping[str, Mapping[Reader, Any]]

canonical = msgspec.json.Encoder(order="sorted").encode
"""Encode as canonical JSON (RFC 8785). Events hold no fractions and no keys beyond ASCII, where the two agree."""

UNREADABLE: Final = (msgspec.MsgspecError, TypeError, ValueError, OverflowError, OSError, RecursionError)
"""The exceptions that reading may raise for data that this server never wrote."""


class Shape:
    """Writes and reads one event class."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.version = current_version(cls)
        self.added = [{key(name): x for name, x in added.items()} for added in later_versions(cls)]
        self.marks = secret_fields(cls)
        self.secret = frozenset(map(key, self.marks))
        self.seat = key(seat_field(cls) or "")
        self.fades = frozenset(key(name) for name, mark in self.marks.items() if mark is Secrecy.FADING)
        fields = fields_of(cls)
        forms = {name: _form(t, self.marks.get(name)) for name, t in fields.items()}
        self.public = [(name, key(name), form.write) for name, form in forms.items() if name not in self.marks]
        self.writers = {name: forms[name].write for name in self.marks}
        self.readers = [(key(name), self.marks.get(name), form.read) for name, form in forms.items()]
        self.whole = _maker(
            cls, {key(n): or_none(form.read) if fields[n].optional else form.read for n, form in forms.items()}
        )

    def data(self, event: Any) -> dict[str, Any]:
        """Return the public fields, ready for JSON."""
        return {key: apply(write, getattr(event, name)) for name, key, write in self.public}

    def parts(self, event: Any, seats: int) -> dict[str, dict[Reader, Any]]:
        """Return the secret fields for each reader, ready for JSON."""
        if not self.marks:
            return {}
        split = secret_parts(event, seats)
        return {
            key(name): {reader: apply(self.writers[name], value) for reader, value in part.items()}
            for name, part in split.items()
        }

    def faded(self, parts: Parts) -> dict[str, dict[Reader, Any]]:
        """Return the secret fields without fading ones."""
        return {field: dict(part) for field, part in parts.items() if field not in self.fades}

    def readers_of(self, data: Mapping[str, Any], seats: int, v: int) -> dict[str, set[Reader]]:
        """Return the readers of each secret field of version `v`; they follow from the public fields."""
        later = self.added_after(v)
        marks = {key(name): mark for name, mark in self.marks.items() if key(name) not in later}
        return {name: _READERS[mark](data.get(self.seat), seats) for name, mark in marks.items()}

    def added_after(self, v: int) -> dict[str, Any]:
        """Return the fields that versions after `v` added, with the values that events of version `v` get."""
        return {name: x for added in self.added[v - 1 :] for name, x in added.items()}

    def upcast(self, v: int, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the public data of version `v` in the form of the current version.

        Events are upcast only before they are folded or checked; served and hashed data is as written. Raise
        `LookupError` for an unknown version, `ValueError` for fields that version `v` did not have.
        """
        if v == self.version:
            return data
        if not 1 <= v < self.version:
            raise LookupError(f"{self.cls.__name__} has version {v}; those known here are 1 to {self.version}")
        later = self.added_after(v)
        if early := data.keys() & later.keys():
            raise ValueError(f"version {v} of {self.cls.__name__} had no field {min(early)}")
        return {**data, **{name: x for name, x in later.items() if name not in self.secret}}

    def event(self, data: Mapping[str, Any], seats: int, parts: Parts, reader: Reader) -> Any:
        """Read an event as this reader is shown it; a part that is not shown is None."""
        if not self.marks:
            return self.whole(data)
        return self.cls(
            *[
                apply(read, data[key])
                if mark is None
                else _shown(mark, read, data.get(self.seat), parts.get(key, {}), seats, reader)
                for key, mark, read in self.readers
            ]
        )


_READERS: Mapping[Secrecy, Callable[[Any, int], set[Reader]]] = {
    Secrecy.OWN: lambda own, seats: {str(own)},
    Secrecy.EACH: lambda own, seats: set(map(str, range(seats))),
    Secrecy.NOBODY: lambda own, seats: {TABLE},
    Secrecy.FADING: lambda own, seats: {*map(str, range(seats)), SPECTATORS},
}


def _maker(cls: type, readers: Mapping[str, Convert | None]) -> Callable[[Mapping[str, Any]], Any]:
    """Compile the function that builds an event with only public fields from its JSON.

    It is the innermost step of every load; a generic loop over the fields is slower.
    """
    names: dict[str, Any] = {"cls": cls}
    arguments = []
    for i, (name, read) in enumerate(readers.items()):
        names[f"read{i}"] = read
        arguments.append(f"read{i}(data[{name!r}])" if read else f"data[{name!r}]")
    # Only our own field names are evaluated.
    made: Callable[[Mapping[str, Any]], Any] = eval(f"lambda data: cls({', '.join(arguments)})", names)  # noqa: S307
    return made


def _shown(
    mark: Secrecy,
    read: Convert | None,
    own: Any,
    part: Mapping[Reader, Any],
    seats: int,
    reader: Reader,
) -> Any:
    if mark is Secrecy.EACH:
        return tuple(_read_part(read, part, str(i), reader) for i in range(seats))
    owner = str(own) if mark is Secrecy.OWN else next(iter(part), "")
    return _read_part(read, part, owner if mark is not Secrecy.FADING or reader == EVERYBODY else reader, reader)


def _read_part(read: Convert | None, part: Mapping[Reader, Any], owner: Reader, reader: Reader) -> Any:
    shown = owner in part and (reader in (owner, EVERYBODY))
    return apply(read, part[owner]) if shown else None


@cache
def shapes(game: str) -> Mapping[str, Shape]:
    """Return the shapes of all known events of a match of this game, by type."""
    return shapes_of((*match_parts.EVENTS, *game_of(game).events))


@cache
def shapes_of(classes: tuple[type, ...]) -> Mapping[str, Shape]:
    """Return the shapes of events of these classes, by type."""
    return {cls.__name__: Shape(cls) for cls in classes}


@cache
def has_fading(game: str) -> bool:
    """Return whether a match of this game has fading fields (rules 1.4.5)."""
    return any(shape.fades for shape in shapes(game).values())


# --- Forms, compiled from types -------------------------------------------------------------------------


def _form(t: Typed, mark: Secrecy | None = None) -> JsonForm:
    """Compile the form of a field, or of one reader's part of a secret field."""
    return compile_form(t if mark is None else part_of(t, mark), _leaf, as_object)


def _leaf(t: Typed) -> JsonForm | None:
    """Write leaves in their text form. The data with which a match is created can be any JSON value."""
    return AS_IT_IS if t.kind in ("any", "mapping") else as_text(t)
