"""This module writes events as JSON and reads them. The code for it is compiled once for each event class.

A public field goes into `data`; a secret one is split off, a value for each of its readers (contract 6). Names that
Python keeps for itself end in `_` in the code and nowhere else.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from domain.core.cards import NAMES, NUMBERS, Card
from domain.core.clock import Time
from domain.core.visibility import SPECTATORS, TABLE, Reader, Secrecy, seat_field, secret_fields, secret_parts
from domain.games.catalogue import game_of
from domain.match import events as match_events
from events.times import read_time, write_time

EVERYBODY: Reader = "all"
"""This reader is shown every secret part: the server itself, and any reader once all is disclosed."""

Convert = Callable[[Any], Any]
Parts = Mapping[str, Mapping[Reader, Any]]

canonical = msgspec.json.Encoder(order="sorted").encode
"""Encode as canonical JSON (RFC 8785). Events hold no fractions and no keys beyond ASCII, where the two agree."""


def key(name: str) -> str:
    """Name a field as JSON does."""
    return name.rstrip("_")


class Shape:
    """A shape says how one event class is written and read."""

    def __init__(self, cls: type) -> None:
        hints = get_type_hints(cls, include_extras=True)
        self.cls = cls
        self.marks = secret_fields(cls)
        self.seat = key(seat_field(cls) or "")
        self.fades = frozenset(key(name) for name, mark in self.marks.items() if mark is Secrecy.FADING)
        self.public = [(f.name, key(f.name), _writer(hints[f.name])) for f in fields(cls) if f.name not in self.marks]
        self.writers = {name: _writer(_part(hints[name], mark)) for name, mark in self.marks.items()}
        self.readers = [
            (key(f.name), self.marks.get(f.name), _field_reader(hints[f.name], self.marks.get(f.name)))
            for f in fields(cls)
        ]
        self.whole = _maker(cls, {key: read for key, _, read in self.readers})

    def data(self, event: Any) -> dict[str, Any]:
        """Give the public fields, ready for JSON."""
        return {key: _apply(write, getattr(event, name)) for name, key, write in self.public}

    def parts(self, event: Any, seats: int) -> dict[str, dict[Reader, Any]]:
        """Give the secret fields, ready for JSON, for each reader."""
        if not self.marks:
            return {}
        split = secret_parts(event, seats)
        return {
            key(name): {reader: _apply(self.writers[name], value) for reader, value in part.items()}
            for name, part in split.items()
        }

    def faded(self, parts: Parts) -> dict[str, dict[Reader, Any]]:
        """Give the secret fields without those that fade."""
        return {field: dict(part) for field, part in parts.items() if field not in self.fades}

    def readers_of(self, data: Mapping[str, Any], seats: int) -> dict[str, set[Reader]]:
        """Give for each secret field its readers, which follow from the public fields alone."""
        return {key(name): _READERS[mark](data.get(self.seat), seats) for name, mark in self.marks.items()}

    def event(self, data: Mapping[str, Any], seats: int, parts: Parts, reader: Reader) -> Any:
        """Read an event as this reader is shown it; a part that is not shown is None."""
        if not self.marks:
            return self.whole(data)
        return self.cls(*[
            _apply(read, data[key]) if mark is None
            else _shown(mark, read, data.get(self.seat), parts.get(key, {}), seats, reader)
            for key, mark, read in self.readers
        ])  # fmt: skip


_READERS: Mapping[Secrecy, Callable[[Any, int], set[Reader]]] = {
    Secrecy.OWN: lambda own, seats: {str(own)},
    Secrecy.EACH: lambda own, seats: set(map(str, range(seats))),
    Secrecy.NOBODY: lambda own, seats: {TABLE},
    Secrecy.FADING: lambda own, seats: {*map(str, range(seats)), SPECTATORS},
}


def _maker(cls: type, readers: Mapping[str, Convert | None]) -> Callable[[Mapping[str, Any]], Any]:
    """Write the function that makes an event of public fields alone from its JSON.

    It is the innermost line of every load; a loop over the fields, asking each how it is read, takes longer.
    """
    names: dict[str, Any] = {"cls": cls}
    arguments = []
    for i, (key, read) in enumerate(readers.items()):
        names[f"read{i}"] = read
        arguments.append(f"read{i}(data[{key!r}])" if read else f"data[{key!r}]")
    # What is evaluated consists of our own field names.
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
        return tuple(_one(read, part, str(i), reader) for i in range(seats))
    owner = str(own) if mark is Secrecy.OWN else next(iter(part), "")
    return _one(read, part, owner if mark is not Secrecy.FADING or reader == EVERYBODY else reader, reader)


def _one(read: Convert | None, part: Mapping[Reader, Any], owner: Reader, reader: Reader) -> Any:
    shown = owner in part and (reader in (owner, EVERYBODY))
    return _apply(read, part[owner]) if shown else None


def _apply(convert: Convert | None, x: Any) -> Any:
    return x if convert is None or x is None else convert(x)


@cache
def shapes(game: str) -> Mapping[str, Shape]:
    """Give the shapes of all events that a match of this game can have, by type, as far as they are known here."""
    return shapes_of((*match_events.EVENTS, *game_of(game).events))


@cache
def shapes_of(classes: tuple[type, ...]) -> Mapping[str, Shape]:
    """Give the shapes of events of these classes, by type."""
    return {cls.__name__: Shape(cls) for cls in classes}


@cache
def fading(game: str) -> bool:
    """Say whether some of what a match of this game shows is forgotten later (rules 1.4.5)."""
    return any(shape.fades for shape in shapes(game).values())


# --- Conversions, compiled from types; None where JSON holds the value as it is -----------------------


def _part(hint: Any, mark: Secrecy) -> Any:
    """Give the type of one reader's part of a secret field."""
    inner = get_args(hint)[0]
    return get_args(inner)[0] if mark is Secrecy.EACH else inner


def _field_reader(hint: Any, mark: Secrecy | None) -> Convert | None:
    return _reader(hint if mark is None else _part(hint, mark))


def _writer(hint: Any) -> Convert | None:
    return _compiled(hint, {Card: NAMES.__getitem__, Time: write_time}, list, _value_writer)


def _reader(hint: Any) -> Convert | None:
    return _compiled(hint, {Card: NUMBERS.__getitem__, Time: read_time}, tuple, _value_reader)


def _compiled(
    hint: Any, leaves: Mapping[Any, Convert], row: Callable[[Any], Any], nested: Callable[[type], Convert]
) -> Convert | None:
    origin = get_origin(hint)
    if hint in leaves:
        return leaves[hint]
    if origin is Annotated:
        return _compiled(get_args(hint)[0], leaves, row, nested)
    if origin in (Union, UnionType):
        kinds = [a for a in get_args(hint) if a is not NoneType]
        found = [c for a in kinds if (c := _compiled(a, leaves, row, nested))]
        if found and len(kinds) > 1:
            raise TypeError(f"{hint}: which of its kinds a value is cannot be told from JSON")
        return _or_none(found[0]) if found else None
    if origin is tuple:
        each = _compiled(get_args(hint)[0], leaves, row, nested)
        return row if each is None else lambda xs: row([each(x) for x in xs])
    if is_dataclass(hint):
        return nested(hint if isinstance(hint, type) else type(hint))
    if hint in (int, str, bool, Any) or origin is Literal or origin is not None or hasattr(hint, "__supertype__"):
        return None
    raise TypeError(f"an event cannot hold a {hint}")


def _or_none(convert: Convert) -> Convert:
    return lambda x: None if x is None else convert(x)


def _value_writer(cls: type) -> Convert:
    """Write a record inside an event; what may be left out, and is None, is left out."""
    hints = get_type_hints(cls, include_extras=True)
    shape = [(f.name, key(f.name), _writer(hints[f.name]), f.default is None) for f in fields(cls)]
    return lambda v: {
        key: _apply(write, x)
        for name, key, write, optional in shape
        if (x := getattr(v, name)) is not None or not optional
    }


def _value_reader(cls: type) -> Convert:
    hints = get_type_hints(cls, include_extras=True)
    shape = [(key(f.name), _reader(hints[f.name])) for f in fields(cls)]
    return lambda d: cls(*[_apply(read, d.get(key)) for key, read in shape])
