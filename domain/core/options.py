"""Marks on the types of options, from which their JSON Schema follows.

    target_score: Annotated[int, Range(1, 1000)] = 100
    variant: Annotated[str, Pattern("^[1-4]$")] = "2"

`Literal[...]`, `bool` and `T | None` need no mark.
"""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from domain.core.values import value


@value
class Range:
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int


@value
class Pattern:
    """A text that matches the regular expression from end to end."""

    regex: str


@value
class Odd:
    """An odd whole number from `low` to `high`, both included."""

    low: int
    high: int


def misfits(cls: type, given: Mapping[str, Any]) -> list[str]:
    """Name the fields in `given` that a record of this class cannot have so. What is not its own is let be."""
    return [name for name, hint in _hints(cls).items() if name in given and not _fits(hint, given[name])]


def misfit(record: Any) -> list[str]:
    """Name the fields of a record that are not of their types; True is no number."""
    cls: Any = type(record)
    return [name for name, hint in _hints(cls).items() if not _fits(hint, getattr(record, name))]


@cache
def _hints(cls: Any) -> Mapping[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: hints[f.name] for f in fields(cls)}


def _fits(hint: Any, x: Any) -> bool:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _fits(args[0], x) and (x is None or all(_within(mark, x) for mark in args[1:]))
    if origin in (Union, UnionType):
        return any(_fits(arg, x) for arg in args)
    if origin is Literal:
        return any(type(x) is type(arg) and x == arg for arg in args)
    if origin is tuple:
        return isinstance(x, (list, tuple)) and all(_fits(args[0], entry) for entry in x)
    if is_dataclass(hint):
        return type(x) is hint and not misfit(x)
    if hasattr(hint, "__supertype__"):
        return _fits(hint.__supertype__, x)
    return type(x) is hint if hint in (bool, int, str, NoneType) else True


def _within(mark: Any, x: Any) -> bool:
    match mark:
        case Range():
            return bool(mark.low <= x <= mark.high)
        case Odd():
            return bool(mark.low <= x <= mark.high and x % 2)
        case Pattern():
            return re.fullmatch(mark.regex, x) is not None
    return True
