"""Defines marks on the types of options, from which their JSON Schema follows.

    target_score: Annotated[int, Range(1, 1000)] = 100
    variant: Annotated[str, Pattern("^[1-4]$", "a digit from 1 to 4")] = "2"

`Literal[...]`, `bool` and `T | None` need no mark. The docstring below a field becomes the description of the field.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from domain.core.types import Typed, fields_of, plain
from domain.core.values import T, value


@value
class Range:
    """The value is a whole number from `low` to `high`, both included."""

    low: int
    high: int


@value
class Pattern:
    """The value is a text that matches the regular expression from end to end; `form` describes it as a noun."""

    regex: str
    form: str


@value
class Odd:
    """The value is an odd whole number from `low` to `high`, both included."""

    low: int
    high: int


@value
class Length:
    """The value is a text or a list with `low` to `high` characters or items, both included; None is no limit."""

    low: int
    high: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Keywords:
    """The JSON Schema of the type has these keywords too."""

    json: Mapping[str, Any]


OMISSIBLE: Final = "may be omitted"
"""Marks a field that can be omitted, but cannot be null; None then means that it was omitted."""

Omissible = Annotated[T | None, OMISSIBLE]


def misfits(cls: type, given: Mapping[str, Any]) -> list[str]:
    """Return the names of fields whose value in `given` does not fit this class. Other names are ignored."""
    return [name for name, t in fields_of(cls).items() if name in given and not _is_allowed_value(t, given[name])]


def misfit(record: Any) -> list[str]:
    """Return the names of fields with a value of the wrong type; True is not a number."""
    cls: Any = type(record)
    return [name for name, t in fields_of(cls).items() if not _is_allowed_value(t, getattr(record, name))]


def _is_allowed_value(t: Typed, x: Any) -> bool:
    if x is None and t.optional:
        return True
    return _is_of(t, x) and all(_satisfies(mark, x) for mark in t.marks)


def _is_of(t: Typed, x: Any) -> bool:
    match t.kind:
        case "words":
            return any(type(x) is type(word) and x == word for word in t.of)
        case "row":
            return isinstance(x, (list, tuple)) and all(_is_allowed_value(t.of, entry) for entry in x)
        case "fixed":
            return isinstance(x, (list, tuple)) and len(x) == len(t.of) and all(map(_is_allowed_value, t.of, x))
        case "record":
            return type(x) is t.of and not misfit(x)
        case "either":
            return any(_is_allowed_value(kind, x) for kind in t.of)
        case "leaf":
            leaf = plain(t.of)
            return type(x) is leaf if leaf in (bool, int, str) else True
    return True


def _satisfies(mark: Any, x: Any) -> bool:
    match mark:
        case Range():
            return bool(mark.low <= x <= mark.high)
        case Odd():
            return bool(mark.low <= x <= mark.high and x % 2)
        case Pattern():
            return re.fullmatch(mark.regex, x) is not None
    return True
