"""Describes types as JSON Schema, as clients are shown their values: events, and tables.

What is sent may be left out or written in several ways; what is shown is complete and written in one. A field that a
reader may not see is missing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final, is_typeddict

from domain.core.event_versions import later_versions
from domain.core.field_docs import field_docs, key_docs
from domain.core.type_schema import limits, mapping_of, object_of, or_null
from domain.core.types import TextOf, Typed, fields_of, key, names_in, plain, text_form, typed_keys
from domain.core.visibility import Secrecy, part_of, secret_fields

Json = dict[str, Any]


def of_event(cls: Any) -> Json:
    """Describe the data of an event as any reader may get it: secret fields, and later ones, may be missing."""
    marks = secret_fields(cls)
    docs = field_docs(cls)
    known = fields_of(cls)
    properties = {
        key(name): _secret(_said(of_type(part_of(t, marks[name])), docs.get(name)), marks[name])
        if name in marks
        else _said(of_type(t), docs.get(name))
        for name, t in known.items()
    }
    later = {name for added in later_versions(cls) for name in added}
    return object_of(properties, [key(name) for name in known if name not in marks and name not in later])


_READERS: Final[Mapping[Secrecy, str]] = {
    Secrecy.OWN: "Only the seat itself is shown it here.",
    Secrecy.EACH: "Each seat is shown only its own here.",
    Secrecy.NOBODY: "It is not shown to any reader here.",
    Secrecy.FADING: "It is missing where the reader may not read it any longer.",
}
"""The sentence about the readers of a secret field, by its mark."""


def _secret(described: Json, mark: Secrecy) -> Json:
    return _said(described, " ".join(filter(None, (described.get("description"), _READERS[mark]))))


def of_records(*classes: Any) -> Json:
    """Describe an object with the fields of a record, or of several."""
    properties = {name: described for cls in classes for name, described in _fields(cls)}
    required = [key(f.name) for cls in classes for f in fields(cls)]
    return object_of(properties, required)


def of_table(cls: Any) -> Json:
    """Describe an object whose keys and their types a `TypedDict` declares, with the docstrings below them."""
    properties, required = {}, []
    for name, t, always in typed_keys(cls):
        properties[name] = _said(of_type(t), key_docs(cls).get(name))
        required += [name] if always else []
    return object_of(properties, required)


def of_type(t: Typed) -> Json:
    """Describe the values of a type."""
    described = _kind(t)
    for mark in t.marks:
        described |= limits(mark)
    return or_null(described) if t.optional and described else described


def _kind(t: Typed) -> Json:
    match t.kind:
        case "words":
            return {"type": "string", "enum": list(t.of)}
        case "row" | "list":
            return {"type": "array", "items": of_type(t.of)}
        case "fixed":
            return {"type": "array", "items": _either(t.of), "minItems": len(t.of), "maxItems": len(t.of)}
        case "mapping":
            return {"type": "object", "additionalProperties": of_type(t.of[1]) or True}
        case "record" if pattern := names_in(t.of):
            return mapping_of(pattern, of_type(next(iter(fields_of(t.of).values()))))
        case "record":
            required = [key(f.name) for f in fields(t.of) if f.default is not None]
            return _titled(t.of, object_of(dict(_fields(t.of)), required))
        case "either":
            return _either(t.of)
        case "any":
            return {}
    if is_typeddict(t.of):
        return _titled(t.of, of_table(t.of))
    form = text_form(next((Typed("leaf", mark.leaf) for mark in t.marks if isinstance(mark, TextOf)), t))
    return dict(form.schema) if form else {"type": _TYPES[plain(t.of)]}


def _titled(cls: Any, described: Json) -> Json:
    """Name an object inside another after its class."""
    return {"title": cls.__name__, **described}


_TYPES: Mapping[Any, str] = {bool: "boolean", int: "integer", str: "string"}


def _fields(cls: Any) -> Iterator[tuple[str, Json]]:
    docs = field_docs(cls)
    for name, t in fields_of(cls).items():
        yield key(name), _said(of_type(t), docs.get(name))


def _either(kinds: tuple[Typed, ...]) -> Json:
    """Describe values of several types; several records come each with its name before it."""
    if len(kinds) > 1 and all(kind.kind == "record" for kind in kinds):
        return {"type": "array", "minItems": 2, "maxItems": 2}
    described = [of_type(kind) for kind in dict.fromkeys(kinds)]
    return described[0] if len(described) == 1 else {"anyOf": described}


def _said(described: Json, doc: str | None) -> Json:
    return described | ({"description": doc} if doc else {})
