"""Points to the arguments of moves on the table, so that a card can be the button that plays it.

A game maps the class of the move and the name of the argument to pointers into the seat's scene of the same moment. The
schemas of moves have them as `x-at`, in one of four forms:

- the pointer to a zone. The argument names cards in it, by their texts, or by the ids of their spots.
- a list of pointers to zones. The argument names cards in any of these, or seats by their numbers as texts if `/seats`
  is among them.
- the pointer to a list in the scene. The argument is a position in that list.
- a list of pointers. The argument is a position in this list.

The object of the move itself, such as the stock that it draws from, is under `MOVE`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Final

from domain.core.scene import zone_id
from domain.core.types import Title, fields_of, key

At = str | tuple[str, ...]
Where = Mapping[type, Mapping[str, At]]

X_AT: Final = "x-at"

SEATS: Final = "/seats"
"""The pointer to the seats, among pointers to zones: the argument may name seats."""

MOVE: Final = ""
"""The key for the place of the move itself."""


def no_positions(state: Any, seat: int) -> Where:
    """Return no positions in the scene."""
    return {}


def zone_pointer(kind: str, *parts: int | None) -> str:
    """Point to the zone of this kind, with the numbers of its owner and of its part."""
    return f"/zones/{zone_id(kind, *parts)}"


def spots(kind: str, *parts: int | None) -> str:
    """Point to the spots of a zone, for an argument that is a position."""
    return f"{zone_pointer(kind, *parts)}/spots"


def follow_pointer(scene: Mapping[str, Any], pointer: str) -> Any:
    """Return the value at a pointer in a scene's JSON. Raise `KeyError`, `IndexError` or `ValueError`."""
    there: Any = scene
    for step in pointer.split("/")[1:]:
        there = there[int(step)] if isinstance(there, list) else there[step]
    return there


def pointers(positions: Mapping[str, At]) -> Iterator[str]:
    """Return all pointers of a move."""
    for there in positions.values():
        yield from (there,) if isinstance(there, str) else there


# --- In schemas -----------------------------------------------------------------------------------------


def readable_name(name: str) -> str:
    """Write a name for people: `Play card` for `play_card`."""
    return name.replace("_", " ").capitalize()


@cache
def titles(make: type) -> Mapping[str, str]:
    """Return the titles of a move's arguments, by name."""
    known = fields_of(make)
    said = {f.name: [mark.text for mark in known[f.name].marks if isinstance(mark, Title)] for f in fields(make)}
    return {key(name): (*own, readable_name(key(name)))[0] for name, own in said.items()}


def title_of(name: str, make: type) -> str:
    """Return the name of a move for people: `title` of its class, or else its name in words."""
    said = vars(make).get("title")
    return said if isinstance(said, str) else readable_name(name)


def add_titles(
    name: str, make: type, schema: Mapping[str, Any], positions: Mapping[str, At] | None = None
) -> dict[str, Any]:
    """Return the schema of a move's arguments with titles and table positions.

    A nested argument is named with both names, such as `layoffs.card`; names that the schema lacks are ignored.
    """
    written = {"title": title_of(name, make), **parts_titled(schema, make)}
    for path, there in (positions or {}).items():
        _write_position(
            written, [step for step in path.split(".") if step], [*there] if isinstance(there, tuple) else there
        )
    return written


def parts_titled(schema: Mapping[str, Any], *makes: type) -> dict[str, Any]:
    """Return the schema of structures with the titles of their fields, and of nested ones."""
    has = schema["properties"]
    called = [(name, title) for make in makes for name, title in titles(make).items() if name in has]
    return {**schema, "properties": {name: {"title": title, **_inside(has[name])} for name, title in called}}


def _inside(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema in which nested arguments have titles too."""
    within = {name: _inside(schema[name]) for name in ("items", "additionalProperties") if _is_schema(schema, name)}
    if properties := schema.get("properties"):
        within["properties"] = {name: {"title": readable_name(name), **_inside(of)} for name, of in properties.items()}
    return {**schema, **within} if within else schema


def _is_schema(schema: Mapping[str, Any], name: str) -> bool:
    return isinstance(schema.get(name), dict)


def _write_position(schema: dict[str, Any], path: Iterable[str], there: str | list[str]) -> None:
    """Write a position into the part of a schema at a path, if there is one.

    Lists are passed through.
    """
    for step in path:
        inner = _items(schema)
        if inner is None or (inner.get("additionalProperties") is False and step not in inner["properties"]):
            return
        inner["properties"] = properties = {**inner.get("properties", {})}
        properties[step] = schema = {"title": readable_name(step), **properties.get(step, {})}
    schema[X_AT] = there


def _items(schema: dict[str, Any]) -> dict[str, Any] | None:
    """Return the part of a schema with the next properties; None for a list that can hold nothing."""
    if "properties" in schema or "type" not in schema or "array" not in schema["type"]:
        return schema
    if "items" not in schema:
        return None
    schema["items"] = items = {**schema["items"]}
    return items
