"""Compiles the conversion of a type's values to JSON and back.

The caller says how leaves and structures are written: `leaf` returns the form of a leaf, a mapping or anything, None if
there is none; `record` that of a structure.
"""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from types import NoneType
from typing import Any, Final, NamedTuple

from domain.core.types import Typed, fields_of, key, plain, text_form

Convert = Callable[[Any], Any]


class JsonForm(NamedTuple):
    """How values become JSON and come back; None if JSON holds the value unchanged."""

    write: Convert | None
    read: Convert | None


AS_IT_IS: Final = JsonForm(None, None)

Leaf = Callable[[Typed], JsonForm | None]
Record = Callable[[Any, Leaf], JsonForm]


class Unwritable(TypeError):
    """A type's values cannot be written as JSON and read again; `part` is the part that cannot."""

    def __init__(self, part: Typed) -> None:
        super().__init__(f"JSON cannot hold a {part}")
        self.part = part


def compile_form(t: Typed, leaf: Leaf, record: Record) -> JsonForm:
    """Compile the form of a type, for its values that are not None. Raises `Unwritable`."""
    match t.kind:
        case "words":
            return AS_IT_IS
        case "record":
            return record(t.of, leaf)
        case "row":
            return _row(compile_form(t.of, leaf, record), optional=t.of.optional)
        case "fixed":
            return _fixed([compile_form(part, leaf, record) for part in t.of])
        case "either":
            return _either(t, leaf, record)
    if form := leaf(t):
        return form
    raise Unwritable(t)


def _row(each: JsonForm, *, optional: bool) -> JsonForm:
    write, read = (or_none(each.write), or_none(each.read)) if optional else each
    return JsonForm(
        None if write is None else lambda xs: [write(x) for x in xs],
        tuple if read is None else lambda xs: tuple([read(x) for x in xs]),
    )


def _fixed(each: Sequence[JsonForm]) -> JsonForm:
    if all(form == AS_IT_IS for form in each):
        return JsonForm(None, tuple)
    return JsonForm(
        lambda xs: [apply(form.write, x) for form, x in zip(each, xs, strict=True)],
        lambda xs: tuple([apply(form.read, x) for form, x in zip(each, xs, strict=True)]),
    )


def _either(t: Typed, leaf: Leaf, record: Record) -> JsonForm:
    """Compile a union: structures by name, values that JSON holds unchanged, or kinds that JSON distinguishes."""
    if all(kind.kind == "record" for kind in t.of):
        forms = {kind.of.__name__: record(kind.of, leaf) for kind in t.of}
        return JsonForm(
            lambda x: [type(x).__name__, apply(forms[type(x).__name__].write, x)],
            lambda named: apply(forms[named[0]].read, named[1]),
        )
    forms_of = [(kind, compile_form(kind, leaf, record)) for kind in t.of]
    if all(form == AS_IT_IS for _, form in forms_of):
        return AS_IT_IS
    return _apart(t, forms_of)


def _apart(t: Typed, forms: Sequence[tuple[Typed, JsonForm]]) -> JsonForm:
    """Compile a union of kinds that JSON distinguishes: lists, texts, numbers, booleans, structures by keys."""
    alone = [shape_of(kind) for kind, _ in forms if kind.kind != "record"]
    if None in alone or dict in alone or len(set(alone)) < len(alone):
        raise Unwritable(t)
    written = {tuple if kind.kind == "row" else plain(kind.of): form.write for kind, form in forms}
    reads = {kind: form.read for kind, form in forms}
    return JsonForm(lambda x: apply(written[type(x)], x), lambda x: apply(reads[kind_of(t, x)], x))


def kind_of(t: Typed, x: Any) -> Typed:
    """Return the kind of a union for a JSON value. Raise `KeyError` if there is none."""
    for kind in t.of:
        if type(x) is shape_of(kind) and has_keys(kind, x):
            found: Typed = kind
            return found
    raise KeyError(type(x).__name__)


def shape_of(t: Typed) -> type | None:
    """Return the JSON type of a type's values: `list`, `dict`, `str`, `int` or `bool`; None if it varies."""
    if t.kind in ("row", "fixed"):
        return list
    if t.kind == "record":
        return dict
    if t.kind == "words" or text_form(t):
        return str
    leaf = plain(t.of)
    return leaf if t.kind == "leaf" and leaf in (int, str, bool) else None


def has_keys(t: Typed, x: Any) -> bool:
    """Return whether an object has exactly the keys of a structure; anything else has no keys to compare."""
    if t.kind != "record":
        return True
    needed = {key(f.name) for f in fields(t.of) if f.default is MISSING}
    return needed <= set(x) <= {key(f.name) for f in fields(t.of)}


def or_none(convert: Convert | None) -> Convert | None:
    """Return a conversion that keeps None."""
    return None if convert is None else lambda x: None if x is None else convert(x)


def apply(convert: Convert | None, x: Any) -> Any:
    """Convert a value; None stays None."""
    return x if convert is None or x is None else convert(x)


# --- Leaves ---------------------------------------------------------------------------------------------


def as_text(t: Typed) -> JsonForm | None:
    """Write leaves in their text form if they have one, otherwise unchanged."""
    form = text_form(t)
    return JsonForm(form.write, form.stored) if form else as_it_is(t)


def as_it_is(t: Typed) -> JsonForm | None:
    """Write leaves as the numbers, texts and booleans that they are."""
    return AS_IT_IS if t.kind == "leaf" and plain(t.of) in (int, str, bool, NoneType) else None


def in_a_state(t: Typed) -> JsonForm | None:
    """Write leaves unchanged if JSON can hold them; a state may also contain any JSON value."""
    if t.kind == "mapping":
        names, values = t.of
        return AS_IT_IS if names == Typed("leaf", str) and in_a_state(values) == AS_IT_IS else None
    return AS_IT_IS if t.kind == "any" else as_it_is(t) or as_text(t)


# --- Records --------------------------------------------------------------------------------------------


def as_object(cls: Any, leaf: Leaf) -> JsonForm:
    """Write a structure with its field names, without optional fields that are None."""
    known = {name: compile_form(t, leaf, as_object) for name, t in fields_of(cls).items()}
    row = [(f.name, key(f.name), *known[f.name], f.default is None) for f in fields(cls)]
    return JsonForm(
        lambda record: {
            key: apply(write, x)
            for name, key, write, _, optional in row
            if (x := getattr(record, name)) is not None or not optional
        },
        lambda found: cls(*[apply(read, found.get(key)) for _, key, _, read, _ in row]),
    )


def as_row(cls: Any, leaf: Leaf) -> JsonForm:
    """Write a record as the values of its fields, in their order."""
    row = [(name, compile_form(t, leaf, as_row)) for name, t in fields_of(cls).items()]
    return JsonForm(
        lambda record: [apply(form.write, getattr(record, name)) for name, form in row],
        lambda xs: cls(*[apply(form.read, x) for (_, form), x in zip(row, xs, strict=True)]),
    )
