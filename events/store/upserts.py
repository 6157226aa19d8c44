"""Begins inserts that say what becomes of a row which is there already, in the words of either database."""

from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite


def upsert(connection: Connection, table: Any) -> Any:
    """Begin an INSERT that may say what to do with rows that are there."""
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
