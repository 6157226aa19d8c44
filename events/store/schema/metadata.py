"""Holds the metadata of all tables, and derives columns from row classes."""

from typing import Any, Final, get_type_hints

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Text,
)

from domain.core.types import parse_hint
from events.store.records import LONG

metadata = MetaData()
"""All tables.

Options of one database, such as `postgresql_with`, are in the `info` of a table or an index. As arguments, they would
import PostgreSQL's dialect even on SQLite.
"""

_TYPES: Final[dict[type, Any]] = {str: Text, int: Integer, bool: Boolean, float: Double, bytes: LargeBinary}


def columns_of(row: type, *keys: str) -> "list[Column[Any]]":
    """Return a column for each field of a row class, the keys of its table first; a field that may be None may be NULL.

    The name of a number says its size: times (``_ms``) and ``match_no`` have eight bytes, a ``seat`` has two. Other
    numbers have four, unless they are marked as `Long`.
    """
    hints = get_type_hints(row, include_extras=True)
    return [_column(name, hints[name], key=name in keys) for name in sorted(hints, key=lambda name: name not in keys)]


def _column(name: str, hint: Any, *, key: bool) -> "Column[Any]":
    t = parse_hint(hint)
    is_long = LONG in t.marks or name.endswith("_ms") or name == "match_no"
    number = BigInteger if is_long else SmallInteger if name == "seat" else Integer
    of = number if t.of is int else _TYPES[t.of]
    return Column(name, of, primary_key=key, nullable=t.optional, autoincrement=False)


def index_condition(condition: ColumnElement[bool] | None) -> dict[str, Any]:
    """Return the `info` of an index of only the rows with a condition; None: of all rows."""
    return {} if condition is None else {"postgresql_where": condition, "sqlite_where": condition}
