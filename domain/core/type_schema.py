"""Describes types as JSON Schema: values as clients send them, and events and tables as clients are shown them.

Sent values may be optional or written in several ways; shown values are complete and written in one way. A field that a
reader may not see is missing.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, field, fields
from typing import Any, Final, is_typeddict

from domain.core.event_versions import later_versions
from domain.core.field_docs import field_docs, key_docs
from domain.core.options import OMISSIBLE, Keywords, Length, Odd, Pattern, Range
from domain.core.types import Doc, TextOf, Typed, fields_of, key, names_in, plain, text_form, typed_keys
from domain.core.values import value
from domain.core.visibility import Secrecy, part_of, secret_fields

Json = dict[str, Any]


@value
class ValueForm:
    """How values are written: as they are shown, or as clients send them.

    Sent values have further limits: `number` for whole numbers without their own range, `row` for lists.
    `record` describes a record inside another, by default as itself.
    """

    shown: bool = False
    number: Mapping[str, Any] = field(default_factory=dict)
    row: Mapping[str, Any] = field(default_factory=dict)
    record: Callable[[Any], Json] | None = None


SENT: Final = ValueForm()
SHOWN: Final = ValueForm(shown=True)


# --- Objects ------------------------------------------------------------------------------------------


def of_record(*classes: Any, form: ValueForm = SENT) -> Json:
    """Describe an object with the fields of a record, or of several; sent ones with their defaults."""
    return _fields(classes, form, lambda f: form.shown or (f.default is MISSING and f.default_factory is MISSING))


def _fields(classes: tuple[Any, ...], form: ValueForm, is_required: Callable[[Field[Any]], bool]) -> Json:
    known = [(cls, f) for cls in classes for f in fields(cls)]
    properties = {key(f.name): _field(cls, f, form) for cls, f in known}
    return object_of(properties, [key(f.name) for _, f in known if is_required(f)])


def _field(cls: type, f: Field[Any], form: ValueForm) -> Json:
    t = fields_of(cls)[f.name]
    has_default = not form.shown and OMISSIBLE not in t.marks and _is_plain(f.default)
    given = {"default": _as_json(f.default)} if has_default else {}
    return _with_description(of_type(t, form) | given, field_docs(cls).get(f.name))


def _is_plain(x: Any) -> bool:
    """Return whether a value is the same in JSON, with tuples as lists."""
    return all(map(_is_plain, x)) if isinstance(x, tuple) else isinstance(x, str | int | bool | None)


def _as_json(x: Any) -> Any:
    return list(map(_as_json, x)) if isinstance(x, tuple) else x


def of_table(cls: Any) -> Json:
    """Describe an object whose keys and their types a `TypedDict` declares, with the docstrings below them."""
    properties, required = {}, []
    for name, t, always in typed_keys(cls):
        properties[name] = _with_description(of_type(t, SHOWN), key_docs(cls).get(name))
        required += [name] if always else []
    return object_of(properties, required)


def object_of(properties: Mapping[str, Any], required: list[str] | None = None) -> Json:
    """Describe an object with only these properties."""
    described: Json = {"type": "object", "properties": dict(properties)}
    return described | ({"required": required} if required else {}) | {"additionalProperties": False}


def mapping_of(pattern: str, of: Json) -> Json:
    """Describe an object with property names of this pattern and values of one kind."""
    return {"type": "object", "propertyNames": {"pattern": pattern}, "additionalProperties": of}


# --- Events -------------------------------------------------------------------------------------------


def of_event(cls: Any) -> Json:
    """Describe the data of an event as any reader may get it: secret fields, and later ones, may be missing."""
    marks, docs, known = secret_fields(cls), field_docs(cls), fields_of(cls)
    properties = {
        key(name): _secret(_with_description(of_type(part_of(t, marks[name]), SHOWN), docs.get(name)), marks[name])
        if name in marks
        else _with_description(of_type(t, SHOWN), docs.get(name))
        for name, t in known.items()
    }
    later = {name for added in later_versions(cls) for name in added}
    return object_of(properties, [key(name) for name in known if name not in marks and name not in later])


_READERS: Final[Mapping[Secrecy, str]] = {
    Secrecy.OWN: "Only its seat sees it here.",
    Secrecy.EACH: "Each seat is shown only its own here.",
    Secrecy.NOBODY: "It is not shown to any reader here.",
    Secrecy.FADING: "It is missing once the reader may no longer read it.",
}
"""The sentence about the readers of a secret field, by its mark."""


def _secret(described: Json, mark: Secrecy) -> Json:
    return _with_description(described, " ".join(filter(None, (described.get("description"), _READERS[mark]))))


# --- Values -------------------------------------------------------------------------------------------


def of_type(t: Typed, form: ValueForm = SENT) -> Json:
    """Describe the values of a type."""
    described = _kind(t, form)
    for mark in t.marks:
        if isinstance(mark, Keywords) and "$ref" in mark.json:
            described = {key: described[key] for key in ("description",) if key in described}
        described |= _lengths(mark, described) if isinstance(mark, Length) else _limits(mark)
    is_nullable = t.optional and OMISSIBLE not in t.marks
    return or_null(described) if is_nullable and described else described


def _kind(t: Typed, form: ValueForm) -> Json:
    match t.kind:
        case "words":
            return {"type": "string", "enum": list(t.of)}
        case "row" | "list":
            of = text_form(t.of)
            once = {"uniqueItems": True} if of and of.once and not form.shown else {}
            return {"type": "array", "items": of_type(t.of, form), **form.row, **once}
        case "fixed":
            return {"type": "array", "items": _either(t.of, form), "minItems": len(t.of), "maxItems": len(t.of)}
        case "mapping":
            return {"type": "object", "additionalProperties": of_type(t.of[1], form) or True}
        case "record" if pattern := names_in(t.of):
            return mapping_of(pattern, of_type(next(iter(fields_of(t.of).values())), form))
        case "record" if form.record:
            return form.record(t.of)
        case "record" if form.shown:
            return _titled(t.of, _fields((t.of,), form, lambda f: f.default is not None))
        case "record":
            return of_record(t.of, form=form)
        case "either":
            return _either(t.of, form)
        case "any":
            return {}
    return _titled(t.of, of_table(t.of)) if is_typeddict(t.of) else _leaf(t, form)


def _leaf(t: Typed, form: ValueForm) -> Json:
    written = text_form(next((Typed("leaf", mark.leaf) for mark in t.marks if isinstance(mark, TextOf)), t))
    if written:
        return dict(written.schema)
    bounded = plain(t.of) is not int or any(isinstance(mark, Range | Odd) for mark in t.marks)
    return {"type": (_SHOWN_TYPES if form.shown else _TYPES)[plain(t.of)], **({} if bounded else form.number)}


_TYPES: Final = {bool: "boolean", int: "integer", str: "string"}
_SHOWN_TYPES: Final = {**_TYPES, float: "number"}
"""The types of JSON. A number with a fraction is never sent."""


def _either(kinds: tuple[Typed, ...], form: ValueForm) -> Json:
    """Describe values of several types; if there are several structures, each is preceded by its name."""
    if len(kinds) > 1 and all(kind.kind == "record" for kind in kinds):
        return {"type": "array", "minItems": 2, "maxItems": 2}
    described = [of_type(kind, form) for kind in dict.fromkeys(kinds)]
    if len(described) == 1:
        return described[0]
    if all(one.keys() == {"type"} for one in described):
        return {"type": [one["type"] for one in described]}
    return {"anyOf": described}


def _titled(cls: Any, described: Json) -> Json:
    """Name an object inside another after its class."""
    return {"title": cls.__name__, **described}


def _with_description(described: Json, doc: str | None) -> Json:
    return described | ({"description": doc} if doc else {})


def _limits(mark: Any) -> Json:
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
        case Keywords():
            return dict(mark.json)
    return {}


def _lengths(mark: Length, described: Json) -> Json:
    noun = "Items" if described["type"] == "array" else "Length"
    limits = {f"min{noun}": mark.low or None, f"max{noun}": mark.high}
    return {name: limit for name, limit in limits.items() if limit is not None}


def or_null(described: Json) -> Json:
    """Describe a value or null."""
    if "null" in described.get("type", ()) or {"type": "null"} in described.get("anyOf", ()):
        return described
    if described.keys() == {"anyOf"}:
        return {"anyOf": [*described["anyOf"], {"type": "null"}]}
    if "type" not in described:
        bare = {key: said for key, said in described.items() if key != "description"}
        return _with_description({"anyOf": [bare, {"type": "null"}]}, described.get("description"))
    words = {"enum": [*described["enum"], None]} if "enum" in described else {}
    types = described["type"] if isinstance(described["type"], list) else [described["type"]]
    return described | words | {"type": [*types, "null"]}
