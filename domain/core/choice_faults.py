"""Finds faults in the results of a game's own class of choices."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from itertools import chain
from math import isfinite
from typing import Any, Final

from domain.core.options import misfit
from domain.core.type_faults import name_value
from domain.core.types import key


def part_fault(part: str, make: type, given: Any) -> str | None:
    """Return the fault in a result of a choice whose moves have the class `make`; None if there is none."""
    check = _CHECKS.get(part)
    return check(make, given) if check else None


def _is_a(kind: type) -> Callable[[type, Any], str | None]:
    return lambda make, given: None if isinstance(given, kind) else f"{name_value(given)} is not a {kind.__name__}."


def _move(make: type, given: Any) -> str | None:
    if type(given) is not make:
        return f"{name_value(given)} is not a {make.__name__}."
    wrong = misfit(given)
    return f"{make.__name__}.{wrong[0]} has a value of the wrong type." if wrong else None


def _moves(make: type, given: Any) -> str | None:
    if not isinstance(given, tuple):
        return f"{name_value(given)} is not a tuple."
    return next((fault for move in given if (fault := _move(make, move))), None)


def _schema(make: type, given: Any) -> str | None:
    """Compare a schema with the fields of the move class that takes its arguments."""
    if not isinstance(given, dict) or not isinstance(given.get("properties"), Mapping):
        return f"{name_value(given)} is not the JSON Schema of an object, with its `properties`."
    if odd := unwritable(given):
        return f"It holds {name_value(odd[0])}, which cannot be written as JSON."
    if wrong := next(_no_schemas(given), None):
        return wrong
    properties, required = given["properties"], given.get("required", [])
    known = {key(f.name): f.default is MISSING for f in fields(make)}
    for name in [*properties, *required]:
        if name not in known:
            return f"{make.__name__} has no argument {name}."
    missing = [name for name, needed in known.items() if needed and not (name in properties and name in required)]
    if missing:
        return f"The argument {missing[0]} of {make.__name__} is not among the `properties` and `required`."
    return None


TYPES: Final = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))
"""The types of JSON Schema."""


def _no_schemas(schema: Any) -> Iterator[str]:
    """Find invalid schemas in a schema, and invalid types and lists of values."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        yield f"{name_value(schema)} is not a JSON Schema."
        return
    types = schema.get("type", [])
    for name in types if isinstance(types, list | tuple) else [types]:
        if not (isinstance(name, str) and name in TYPES):
            yield f"Its `type` has {name_value(name)}, which is not a JSON Schema type."
    for word in ("enum", "required", "anyOf", "oneOf", "allOf", "prefixItems"):
        if not isinstance(schema.get(word, []), list | tuple):
            yield f"Its `{word}` is {name_value(schema[word])}, which is not a list."
            return
    for name in schema.get("required", ()):
        if not isinstance(name, str):
            yield f"Its `required` has {name_value(name)}, which is not a name."
    properties = schema.get("properties", {})
    if not isinstance(properties, Mapping):
        yield f"Its `properties` are {name_value(properties)}, which is not an object."
        return
    inside = [schema[word] for word in ("items", "additionalProperties", "contains", "not") if word in schema]
    inside += chain.from_iterable(schema.get(word, ()) for word in ("anyOf", "oneOf", "allOf", "prefixItems"))
    for one in (*properties.values(), *inside):
        yield from _no_schemas(one)


_CHECKS: Final[Mapping[str, Callable[[Any, Any], str | None]]] = {
    "make": _is_a(type),
    "exact": _is_a(bool),
    "of": _is_a(tuple),
    "plain": _is_a(tuple),
    "admits": _is_a(bool),
    "schema": _schema,
    "sample": _move,
    "proposals": _moves,
}


def unwritable(x: Any) -> list[Any]:
    """Find the parts of a value that are not JSON."""
    if isinstance(x, Mapping):
        return [name for name in x if type(name) is not str] + [*chain.from_iterable(map(unwritable, x.values()))]
    if isinstance(x, list | tuple):
        return [*chain.from_iterable(map(unwritable, x))]
    if isinstance(x, str):
        # A lone surrogate is not valid text.
        return [] if x.encode(errors="ignore").decode() == x else [x]
    return [] if x is None or isinstance(x, int) or (isinstance(x, float) and isfinite(x)) else [x]
