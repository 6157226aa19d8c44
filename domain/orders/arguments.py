"""The arguments of moves as clients write them."""

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from domain.core.cards import RANKS, SUITS, Card, Cards, is_seat
from domain.core.cards import read as read_card
from domain.orders.document import BOUND, MOST_NAMED


def read_move(cls: type, args: Mapping[str, Any]) -> Any:
    """Make a move from its arguments as clients write them. Raises `TypeError`, `ValueError` or `LookupError`."""
    hints = get_type_hints(cls, include_extras=True)
    return cls(**{name: _read(hints[name], x) for name, x in args.items()})


def _read(hint: Any, x: Any) -> Any:
    """Read one argument, or an entry of it, by its type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint == Card:
        return read_card(x) if is_card(x) else _wrong(x)
    if is_seat(hint):
        return _read(int, x)
    if origin is Annotated:
        read = _read(args[0], x)
        return read if args[1].low <= read <= args[1].high else _wrong(x)
    if origin in (Union, UnionType):
        return None if x is None else _read(next(arg for arg in args if arg is not NoneType), x)
    if origin is Literal:
        return x if isinstance(x, str) and x in args else _wrong(x)
    if origin is tuple:
        return _read_row(hint, x if isinstance(x, list) and len(x) <= MOST_NAMED else _wrong(x))
    if is_dataclass(hint):
        return read_move(hint, x if isinstance(x, Mapping) else _wrong(x))  # type: ignore[arg-type]
    return int(x) if is_number(x) else _wrong(x)


def _read_row(hint: Any, row: list[Any]) -> tuple[Any, ...]:
    entries = tuple(_read(get_args(hint)[0], entry) for entry in row)
    if hint != Cards:
        return entries
    return tuple(sorted(entries)) if len(set(entries)) == len(entries) else _wrong(row)


def _wrong(x: Any) -> Any:
    raise ValueError(f"{type(x).__name__} that cannot be here")


def is_card(x: Any) -> bool:
    """Say whether it is a card as people write it."""
    return isinstance(x, str) and CARD.fullmatch(x) is not None


CARD: Final = re.compile(f"([{RANKS}{RANKS.lower()}]|10)[{SUITS}{SUITS.lower()}♣♦♥♠♧♢♡♤]")
"""A card as people write it (rules 1.2)."""


def is_number(x: Any) -> bool:
    """Say whether it is a whole number within the bounds."""
    return (type(x) is int or (type(x) is float and x.is_integer())) and abs(x) < BOUND


def needs_arguments(cls: type) -> bool:
    """Say whether a move cannot be made by its name alone."""
    return any(f.default is MISSING for f in fields(cls))


def is_of_a_card(cls: type) -> bool:
    """Say whether the first argument of a move is a card."""
    return bool(fields(cls)) and get_type_hints(cls)[fields(cls)[0].name] == Card
