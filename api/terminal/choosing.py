"""Turns legal moves, as the API describes them, into rows of choices, and keys into a chosen move. It knows no game."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any, Final

MOST: Final = 120
"""Maximum values in a row; for a move with more, the row offers the server's example."""


@dataclass(frozen=True)
class Row:
    """A row: a move, and the values that complete it.

    `values` are bodies of arguments to choose one from. With `picks`, several values are chosen: as many as the range
    allows become the argument `argument`. With `bounds`, a number between them becomes the argument.
    """

    name: str
    title: str
    values: tuple[Mapping[str, Any], ...] = ()
    labels: tuple[str, ...] = ()
    argument: str = ""
    picks: range | None = None
    bounds: range | None = None
    usual: Any = None
    also: bool = False
    is_whole: bool = True
    """Whether the row offers all values; for a move with too many, it offers only the server's example."""


@dataclass(frozen=True)
class Choosing:
    """The player's choice so far: a row, a place in it, picked cards, a number."""

    rows: tuple[Row, ...]
    row: int = 0
    place: int = 0
    picked: frozenset[int] = frozenset()
    number: int = 0
    typed: str = ""
    sure: bool = False
    said: str = ""
    body: Mapping[str, Any] | None = None

    @property
    def here(self) -> Row | None:
        """Return the chosen row."""
        return self.rows[self.row] if self.rows else None


def move_rows(moves: Sequence[Mapping[str, Any]], also: Sequence[Mapping[str, Any]]) -> tuple[Row, ...]:
    """Build the rows of the answer to `GET …/moves`: pending decisions first, then the others."""
    return tuple(
        row
        for known, off_turn in ((moves, False), (also, True))
        for move in known
        for row in _rows(move, also=off_turn)
    )


def start_choosing(rows: tuple[Row, ...]) -> Choosing:
    """Begin to choose: at the first row, at what the server would play."""
    return _go_to_row(Choosing(rows), 0)


def _rows(move: Mapping[str, Any], *, also: bool) -> Iterator[Row]:
    title = str(move.get("title") or str(move["name"]).replace("_", " ").capitalize())
    example = dict(move["example"].get("args", {}))
    schema = move["args"]
    for branch in schema.get("anyOf") or schema.get("oneOf") or _branches(schema):
        yield _row(str(move["name"]), title, branch, example, also=also)


def _branches(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Split a schema by its `if`, which names values of one argument: with these, `then` may require another one."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    condition: Mapping[str, Any] = schema.get("if", {}).get("properties", {})
    argument, named = next(iter(condition.items()), ("", properties))
    if len(condition) != 1 or "enum" not in named or "enum" not in properties.get(argument, {}):
        yield schema
        return
    for is_named, key in ((False, "else"), (True, "then")):
        more = schema.get(key, {})
        values = [value for value in properties[argument]["enum"] if (value in named["enum"]) is is_named]
        if values:
            these = {**properties, **more.get("properties", {}), argument: {**properties[argument], "enum": values}}
            yield {"properties": these, "required": [*schema.get("required", ()), *more.get("required", ())]}


def _row(name: str, title: str, schema: Mapping[str, Any], example: Mapping[str, Any], *, also: bool) -> Row:
    properties = schema.get("properties", {})
    needed = {key: properties[key] for key in schema.get("required", ()) if key in properties}
    if len(needed) == 1:
        (argument, about), *_ = needed.items()
        if some := [*_list_values(about.get("items", {}))]:
            values = tuple({argument: one} for one in some)
            picks = range(about.get("minItems", 0), about.get("maxItems", len(values)) + 1)
            labels = tuple(map(_label, some))
            return Row(name, title, values, labels, argument, picks, usual=example.get(argument), also=also)
        if about.get("type") == "integer" and "minimum" in about and "maximum" in about:
            bounds = range(about["minimum"], about["maximum"] + 1)
            return Row(name, title, argument=argument, bounds=bounds, usual=example.get(argument), also=also)
    values = tuple([value for value in _objects(needed) if not _is_barred(needed, value, value)])
    if values:
        labels = tuple(" ".join(map(_label, value.values())) for value in values)
        return Row(name, title, values, labels, usual=example, also=also)
    said = ", ".join(f"{key.replace('_', ' ')} {_label(value)}" for key, value in example.items())
    return Row(name, title, (example,), (said,), usual=example, also=also, is_whole=False)


def _objects(properties: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the objects with these properties; none if they cannot be listed, or are more than a row offers."""
    each = [_values(about) for about in properties.values()]
    if prod(map(len, each)) > MOST:
        return []
    return [dict(zip(properties, some, strict=True)) for some in product(*each)]


def _values(about: Mapping[str, Any]) -> list[Any]:
    """Return the values that a schema lists: choices, lists of one choice, or objects of choices."""
    if "enum" in about or "const" in about:
        return list(about["enum"]) if "enum" in about else [about["const"]]
    if about.get("type") == "object":
        required, properties = about.get("required", ()), about.get("properties", {})
        return _objects({key: properties[key] for key in required if key in properties}) if required else []
    if about.get("type") == "array" and (about.get("minItems"), about.get("maxItems")) == (1, 1):
        return [[one] for one in _list_values(about.get("items", {}))]
    return []


def _is_barred(properties: Mapping[str, Any], value: Mapping[str, Any], whole: Mapping[str, Any]) -> bool:
    """Return whether a list in a value holds the value of another argument, which it must not (`x-other`)."""
    for key, about in properties.items():
        if "properties" in about and _is_barred(about["properties"], value.get(key, {}), whole):
            return True
        if "x-other" in about and whole[about["x-other"]] in value.get(key, ()):
            return True
    return False


def _list_values(items: Mapping[str, Any]) -> Iterator[Any]:
    """Return the values that a list may hold: those that its schema names, or pairs by their two ends."""
    yield from items.get("enum", ())
    for row in items.get("anyOf", (items,)):
        ends = row.get("properties", {})
        each = [end.get("enum", ()) for end in ends.values()]
        yield from (dict(zip(ends, pair, strict=True)) for pair in product(*each) if pair)


def _label(value: Any) -> str:
    """Write a value in a few letters; lists within a list are separated by `|`."""
    if isinstance(value, dict):
        return " – ".join(map(_label, value.values()))
    if isinstance(value, list):
        nested = any(isinstance(one, list) for one in value)
        return (" | " if nested else " ").join(map(_label, value))
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _go_to_row(choosing: Choosing, row: int) -> Choosing:
    """Select a row and, in it, the value that the server would play."""
    if not choosing.rows:
        return choosing
    row = min(max(row, 0), len(choosing.rows) - 1)
    here = choosing.rows[row]
    place = next((i for i, value in enumerate(here.values) if value == here.usual), 0)
    number = here.usual if here.bounds and here.usual in here.bounds else here.bounds[0] if here.bounds else 0
    return replace(choosing, row=row, place=place, picked=frozenset(), number=number, typed="", sure=False)


def press(choosing: Choosing, key: str) -> Choosing:
    """Return the choice after a key; `body` is set once the move is complete."""
    choosing, here = replace(choosing, said=""), choosing.here
    if here is None:
        return choosing
    match key:
        case "up" | "down":
            return _go_to_row(choosing, choosing.row + (1 if key == "down" else -1))
        case "left" | "right" | "+" | "-":
            return _moved_by(choosing, here, 1 if key in ("right", "+") else -1)
        case " " if here.picks:
            return replace(choosing, picked=choosing.picked ^ {choosing.place})
        case "p" if here.picks and here.usual:
            usual = frozenset(i for i, value in enumerate(here.values) if value[here.argument] in here.usual)
            return replace(choosing, picked=usual)
        case "enter":
            return _make_move(choosing, here)
        case "backspace" if here.bounds:
            return _number(choosing, here, choosing.typed[:-1])
        case _ if here.bounds and key.isdecimal() and len(choosing.typed) < 9:
            return _number(choosing, here, choosing.typed + key)
    return choosing


def _moved_by(choosing: Choosing, here: Row, by: int) -> Choosing:
    """Go to the next value, or to the next number."""
    if here.bounds:
        number = min(max(choosing.number + by, here.bounds[0]), here.bounds[-1])
        return replace(choosing, number=number, typed="")
    return replace(choosing, place=(choosing.place + by) % max(len(here.values), 1), sure=False)


def _number(choosing: Choosing, here: Row, typed: str) -> Choosing:
    """Take a typed digit; a number out of range is kept until Enter, which reports it."""
    return replace(choosing, typed=typed, number=int(typed or 0))


def _make_move(choosing: Choosing, here: Row) -> Choosing:
    """Make the move, or report what is missing; a move out of turn is made when Enter is pressed again."""
    if here.bounds:
        if choosing.number not in here.bounds:
            return replace(choosing, said=f"Between {here.bounds[0]} and {here.bounds[-1]}.")
        args: Mapping[str, Any] = {here.argument: choosing.number}
    elif here.picks:
        if len(choosing.picked) not in here.picks:
            least, most = here.picks[0], here.picks[-1]
            count = str(least) if least == most else f"{least} to {most}"
            return replace(choosing, said=f"Pick {count} with the space bar, then press Enter.")
        args = {here.argument: [here.values[i][here.argument] for i in sorted(choosing.picked)]}
    else:
        args = here.values[choosing.place]
    if here.also and not choosing.sure:
        return replace(choosing, sure=True, said=f"{here.title}? Press Enter again.")
    return replace(choosing, body={"name": here.name, "args": dict(args)})
