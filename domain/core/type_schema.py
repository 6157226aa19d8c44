"""Describes types as JSON Schema, as clients send their values."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields
from typing import Any, Final

from domain.core.field_docs import field_docs
from domain.core.options import Odd, Pattern, Range
from domain.core.types import Doc, Typed, fields_of, key, names_in, plain, text_form
from domain.core.values import value

Json = dict[str, Any]


@value
class Bounds:
    """A reader's further limits: for whole numbers without their own range, and for lists."""

    number: Mapping[str, Any] = field(default_factory=dict)
    row: Mapping[str, Any] = field(default_factory=dict)


NO_BOUNDS: Final = Bounds()


def of_record(*classes: Any, bounds: Bounds = NO_BOUNDS) -> Json:
    """Describe an object with the fields of a record, or of several, their defaults and docstrings included."""
    known = [(cls, f) for cls in classes for f in fields(cls)]
    properties = {key(f.name): _field(cls, f, bounds) for cls, f in known}
    return object_of(properties, [key(f.name) for _, f in known if f.default is MISSING])


def object_of(properties: Mapping[str, Any], required: list[str] | None = None) -> Json:
    """Describe an object with only these properties."""
    described: Json = {"type": "object", "properties": dict(properties)}
    return described | ({"required": required} if required else {}) | {"additionalProperties": False}


def mapping_of(pattern: str, of: Json) -> Json:
    """Describe an object with property names of this pattern and values of one kind."""
    return {"type": "object", "propertyNames": {"pattern": pattern}, "additionalProperties": of}


def _field(cls: type, f: Field[Any], bounds: Bounds) -> Json:
    given = {"default": _as_json(f.default)} if _is_plain(f.default) else {}
    doc = field_docs(cls).get(f.name)
    return of_type(fields_of(cls)[f.name], bounds) | given | ({"description": doc} if doc else {})


def _is_plain(x: Any) -> bool:
    """Return whether a value is the same in JSON, with tuples as lists."""
    return all(map(_is_plain, x)) if isinstance(x, tuple) else isinstance(x, str | int | bool | None)


def _as_json(x: Any) -> Any:
    return list(map(_as_json, x)) if isinstance(x, tuple) else x


def of_type(t: Typed, bounds: Bounds = NO_BOUNDS) -> Json:
    """Describe the values of a type."""
    described = _kind(t, bounds)
    for mark in t.marks:
        described |= limits(mark)
    return or_null(described) if t.optional else described


def _kind(t: Typed, bounds: Bounds) -> Json:
    match t.kind:
        case "words":
            return {"type": "string", "enum": list(t.of)}
        case "row":
            form = text_form(t.of)
            once = {"uniqueItems": True} if form and form.once else {}
            return {"type": "array", "items": of_type(t.of, bounds), **bounds.row, **once}
        case "record" if pattern := names_in(t.of):
            return mapping_of(pattern, of_type(next(iter(fields_of(t.of).values())), bounds))
        case "record":
            return of_record(t.of, bounds=bounds)
        case "either":
            return {"anyOf": [of_type(kind, bounds) for kind in t.of]}
    if form := text_form(t):
        return dict(form.schema)
    if plain(t.of) is int:
        bounded = any(isinstance(mark, Range | Odd) for mark in t.marks)
        return {"type": "integer", **({} if bounded else bounds.number)}
    return {"type": _TYPES[plain(t.of)]}


_TYPES: Final = {bool: "boolean", str: "string"}


def limits(mark: Any) -> Json:
    """Describe the requirements or the description in a mark."""
    match mark:
        case Doc():
            return {"description": mark.text}
        case Range():
            return {"minimum": mark.low, "maximum": mark.high}
        case Odd():
            return {"minimum": mark.low, "maximum": mark.high, "not": {"multipleOf": 2}}
        case Pattern():
            return {"pattern": f"^(?:{mark.regex})$"}
    return {}


def or_null(described: Json) -> Json:
    """Describe a value or null."""
    if "null" in described.get("type", ()) or {"type": "null"} in described.get("anyOf", ()):
        return described
    if described.keys() == {"anyOf"}:
        return {"anyOf": [*described["anyOf"], {"type": "null"}]}
    if "type" not in described:
        return {"anyOf": [described, {"type": "null"}]}
    words = {"enum": [*described["enum"], None]} if "enum" in described else {}
    return described | words | {"type": [described["type"], "null"]}
