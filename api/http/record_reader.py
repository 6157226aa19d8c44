"""Reads records from JSON: bodies, queries, options and moves. A refusal names all faults, each in words."""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

from api.http.field_messages import form_of, with_value
from api.http.request_records import CheckedBy, Request
from domain.core.clock import Time
from domain.core.json_form import has_keys, shape_of
from domain.core.options import OMISSIBLE, Length, Odd, Pattern, Range
from domain.core.types import Typed, fields_of, key, plain, text_form

T = TypeVar("T")

TWICE: Final = "Names a card twice. Use each card only once."
UNKNOWN: Final = "Is unknown. Remove it, or correct its name."

Read = Callable[[Any], Any]


class Faults(Exception):
    """The faults of a value, in sentences by the path inside it; the path of the value itself is empty."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__()
        self.sentences = sentences


def read_record(cls: Callable[..., T], given: Mapping[str, Any]) -> T:
    """Make a record of a JSON object. Raise `Faults`."""
    made: T = _record(cls)(given)
    return made


def read_texts(cls: Callable[..., T], given: Mapping[str, Any]) -> T:
    """Make a record of a query, in which numbers are texts. Raise `Faults`."""
    made: T = _record(cls, in_query=True)(given)
    return made


def read_fields(classes: tuple[type, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Read the fields of several records with their defaults, by name. Raise `Faults`."""
    defaults = {f.name: f.default for cls in classes for f in fields(cls)}
    return defaults | _read_all(_field_readers(classes), given)


def read_field(classes: tuple[type, ...], name: str, value: Any) -> Any:
    """Read the value of one field of several records. Raise `Faults`."""
    return _field_readers(classes)[name].read(value)


# --- Records ----------------------------------------------------------------------------------------------


class FieldReader(NamedTuple):
    """How a field is read: the name in the code, the sentence if it is missing, None if it may be, and the reader."""

    name: str
    missing: str | None
    read: Read


@cache
def _field_readers(classes: tuple[Any, ...], *, in_query: bool = False) -> Mapping[str, FieldReader]:
    """Return the readers of all fields of some records, by name in JSON."""
    return {key(f.name): _field_reader(cls, f, in_query=in_query) for cls in classes for f in fields(cls)}


def _field_reader(cls: Any, f: Any, *, in_query: bool) -> FieldReader:
    t = fields_of(cls)[f.name]
    is_required = f.default is MISSING and f.default_factory is MISSING
    return FieldReader(
        f.name, f"Is missing. Send {form_of(t)}." if is_required else None, reader_of(t, in_query=in_query)
    )


@cache
def _record(cls: Any, *, in_query: bool = False) -> Read:
    """Return the function that makes a record of an object."""
    known = _field_readers((cls,), in_query=in_query)

    def read(given: Any) -> Any:
        made = cls(**_read_all(known, _check_type(given, dict)))
        if isinstance(made, Request) and (faults := made.faults()):
            raise Faults(faults)
        return made

    return read


def _read_all(known: Mapping[str, FieldReader], given: Mapping[str, Any]) -> dict[str, Any]:
    """Read the given fields, by their names in the code. Raise `Faults` with those of all fields."""
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for name, (attribute, missing, read) in known.items():
        if name in given:
            values[attribute] = _collect(faults, name, read, given[name])
        elif missing is not None:
            faults[name] = missing
    faults |= {name: UNKNOWN for name in given if name not in known}
    if faults:
        raise Faults(faults)
    return values


def _collect(faults: dict[str, str], name: str, read: Read, value: Any) -> Any:
    """Read a part of a value, and add its faults to others, below its name."""
    try:
        return read(value)
    except Faults as found:
        faults |= {f"{name}.{path}" if path else name: said for path, said in found.sentences.items()}


# --- Values -----------------------------------------------------------------------------------------------


def reader_of(t: Typed, *, in_query: bool = False) -> Read:
    """Return the function that reads a value of a type. It raises `Faults`."""
    accepts_null = t.optional and OMISSIBLE not in t.marks
    must = f"Must be {form_of(t)}{' or null' if accepts_null else ''}."
    steps = [_kind(t, in_query=in_query), *(check for mark in t.marks if (check := _check(mark)))]

    def read(given: Any) -> Any:
        if given is None and accepts_null:
            return None
        value = given
        try:
            for step in steps:
                value = step(value)
        except ValueError as error:
            raise Faults({"": with_value(str(error) or must, given)}) from None
        return value

    return read


def _kind(t: Typed, *, in_query: bool) -> Read:
    """Return the function that reads a value without its limits; it raises `ValueError`, and `Faults` for parts."""
    match t.kind:
        case "words":
            return lambda value: _of_words(value, t.of)
        case "row":
            return _row_reader(t.of, in_query=in_query)
        case "record":
            return _record(t.of)
        case "mapping":
            return _mapping_reader(*t.of)
        case "either":
            return _either_reader(t.of)
        case "leaf" if t.of is Time:
            return _read_time
        case "leaf" if text_form(t):
            return _text_reader(t)
        case "leaf" if plain(t.of) is int and in_query:
            return _read_digits
    return lambda value: _check_type(value, plain(t.of))


def _check_type(value: Any, *kinds: Any) -> Any:
    """Return a value of one of these types. Raise `ValueError`."""
    if type(value) not in kinds:
        raise ValueError
    return value


def _of_words(value: Any, words: tuple[Any, ...]) -> Any:
    if _check_type(value, str) not in words:
        raise ValueError
    return value


def _row_reader(entry: Typed, *, in_query: bool) -> Read:
    read_entry, form = reader_of(entry, in_query=in_query), text_form(entry)

    def read(value: Any) -> tuple[Any, ...]:
        faults: dict[str, str] = {}
        row = tuple(
            [_collect(faults, str(i), read_entry, one) for i, one in enumerate(_check_type(value, list, tuple))]
        )
        if faults:
            raise Faults(faults)
        if form and form.once and len(set(row)) < len(row):
            raise ValueError(TWICE)
        return row

    return read


def _mapping_reader(name: Typed, entry: Typed) -> Read:
    if entry.kind == "any":
        return lambda value: _check_type(value, dict)
    read_name, read_entry = reader_of(name), reader_of(entry)

    def read(value: Any) -> dict[str, Any]:
        faults: dict[str, str] = {}
        made = {}
        for given, one in _check_type(value, dict).items():
            made[_collect(faults, given, read_name, given)] = _collect(faults, given, read_entry, one)
        if faults:
            raise Faults(faults)
        return made

    return read


def _either_reader(kinds: tuple[Typed, ...]) -> Read:
    readers = [(shape_of(kind), kind, reader_of(kind)) for kind in kinds]

    def read(value: Any) -> Any:
        same = [(kind, read_kind) for shape, kind, read_kind in readers if type(value) is shape]
        if not same:
            raise ValueError
        # If the keys match no variant, report the faults by the first variant.
        return next((read_kind for kind, read_kind in same if has_keys(kind, value)), same[0][1])(value)

    return read


def _text_reader(t: Typed) -> Read:
    form = text_form(t)
    assert form is not None

    def read(value: Any) -> Any:
        try:
            return form.read(_check_type(value, str))
        except ValueError as error:
            raise ValueError(*([] if "description" in form.schema else error.args)) from None

    return read


def _read_digits(value: Any) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", value):
        raise ValueError
    return int(value)


def _read_time(value: Any) -> Time:
    """Read a time in RFC 3339 as milliseconds since 1970."""
    try:
        at = datetime.fromisoformat(_check_type(value, str))
    except ValueError:
        raise ValueError from None
    if at.tzinfo is None:
        raise ValueError
    return Time(round(at.timestamp() * 1000))


# --- Limits -----------------------------------------------------------------------------------------------


def _check(mark: Any) -> Read | None:
    """Return the check of a mark, which returns the value; None for a mark that limits nothing."""
    match mark:
        case CheckedBy():
            return mark.read
        case Range():
            return _check_that(lambda x: mark.low <= x <= mark.high)
        case Odd():
            return _check_that(lambda x: mark.low <= x <= mark.high and x % 2)
        case Length():
            return _check_that(lambda x: mark.low <= len(x) and (mark.high is None or len(x) <= mark.high))
        case Pattern():
            regex = re.compile(mark.regex)
            return _check_that(regex.fullmatch)
    return None


def _check_that(holds: Callable[[Any], Any]) -> Read:
    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError
        return value

    return check
