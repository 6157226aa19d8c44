"""Reads the arguments of moves as clients write them."""

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from domain.core.cards import WRITTEN, Card
from domain.core.json_form import kind_of
from domain.core.options import Range
from domain.core.types import Typed, fields_of, key, record_of, text_form
from domain.orders.document import BOUND, MOST_NAMED


def read_move(cls: type, args: Mapping[str, Any]) -> Any:
    """Build a move from its arguments in the API. Raise `TypeError`, `ValueError` or `LookupError`."""
    known = {key(name): t for name, t in fields_of(cls).items()}
    return record_of(cls, {name: _read(known[name], x) for name, x in args.items()})


def _read(t: Typed, x: Any) -> Any:
    """Read one argument, or an entry of it, by its type."""
    if t.optional and x is None:
        return None
    match t.kind:
        case "either":
            return _read(kind_of(t, x), x)
        case "words":
            return x if isinstance(x, str) and x in t.of else _refuse_value(x)
        case "row":
            return _read_row(t, x if isinstance(x, list) and len(x) <= MOST_NAMED else _refuse_value(x))
        case "record":
            return read_move(t.of, x if isinstance(x, Mapping) else _refuse_value(x))
        case "leaf" if form := text_form(t):
            return form.read(x if isinstance(x, str) else _refuse_value(x))
        case "leaf" if t.of in (bool, str):
            return x if type(x) is t.of else _refuse_value(x)
    return _read_number(t, int(x) if is_number(x) else _refuse_value(x))


def _read_number(t: Typed, n: int) -> int:
    fits = all(mark.low <= n <= mark.high for mark in t.marks if isinstance(mark, Range))
    return n if fits else _refuse_value(n)


def _read_row(t: Typed, row: list[Any]) -> tuple[Any, ...]:
    entries = tuple(_read(t.of, entry) for entry in row)
    form = text_form(t.of)
    if form is None or not form.once:
        return entries
    return entries if len(set(entries)) == len(entries) else _refuse_value(row)


def _refuse_value(x: Any) -> Any:
    raise ValueError(f"{type(x).__name__} that cannot be here")


def is_card(x: Any) -> bool:
    """Return whether a value is a card in a form that people write."""
    return isinstance(x, str) and re.fullmatch(WRITTEN, x) is not None


def is_number(x: Any) -> bool:
    """Return whether a value is a whole number within the limits."""
    return (type(x) is int or (type(x) is float and x.is_integer())) and abs(x) < BOUND


def needs_arguments(cls: type) -> bool:
    """Return whether a move needs arguments in addition to its name."""
    return any(f.default is MISSING for f in fields(cls))


def is_of_a_card(cls: type) -> bool:
    """Return whether the first argument of a move is a card."""
    first = next(iter(fields_of(cls).values()), None)
    return first is not None and first.kind == "leaf" and first.of == Card and not first.optional
