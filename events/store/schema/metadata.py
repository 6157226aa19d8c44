"""Holds the collection of all tables, and describes the columns of those whose rows have a class."""

from types import NoneType
from typing import Any, Final, get_args, get_type_hints

from sqlalchemy import BigInteger, Boolean, Column, Double, Integer, LargeBinary, MetaData, SmallInteger, Text

REVISIONS: Final = ("0001",)
"""The migrations, in their order; this code was written for the last one."""

metadata = MetaData()

_TYPES: Final[dict[type, Any]] = {str: Text, int: Integer, bool: Boolean, float: Double, bytes: LargeBinary}


def columns_of(row: type, *keys: str) -> "list[Column[Any]]":
    """Return a column for each field of a row class, the keys of its table first; a field that may be None may be NULL.

    The name of a number says its size: times (``_ms``) and ``match_no`` have eight bytes, a ``seat`` has two.
    """
    hints = get_type_hints(row)
    return [_column(name, hints[name], key=name in keys) for name in sorted(hints, key=lambda name: name not in keys)]


def _column(name: str, hint: Any, *, key: bool) -> "Column[Any]":
    kinds = get_args(hint) or (hint,)
    number = BigInteger if name.endswith("_ms") or name == "match_no" else SmallInteger if name == "seat" else Integer
    of = number if kinds[0] is int else _TYPES[kinds[0]]
    return Column(name, of, primary_key=key, nullable=NoneType in kinds, autoincrement=False)
