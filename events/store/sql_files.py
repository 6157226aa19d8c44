"""Executes the SQL files of the migrations."""

import sqlite3
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection

from events.store.tables.projection_rows import postgresql_body, postgresql_pending

FOLDER: Final = Path(__file__).parent / "migrations" / "versions"
WRITTEN: Final = {
    f"  -- {statements.__name__}() of events/store/tables/projection_rows.py\n": statements
    for statements in (postgresql_body, postgresql_pending)
}
"""The lines of functions that stand for the statements which SQLite is given one by one."""


def execute(connection: Connection, name: str) -> None:
    """Execute the file of this name for this database: whole on PostgreSQL, statement by statement on SQLite."""
    dialect = connection.dialect.name
    driver: Any = connection.connection.driver_connection  # SQLAlchemy would interpret % itself
    content = (FOLDER / f"{name}_{dialect}.sql").read_text("utf-8")
    for line, statements in WRITTEN.items():
        content = content.replace(line, statements())
    for statement in [content] if dialect == "postgresql" else _statements(content):
        driver.execute(statement)


def _statements(content: str) -> list[str]:
    """Split SQLite's statements; a trigger contains semicolons."""
    found = [""]
    for line in content.splitlines(keepends=True):
        found[-1] += line
        if sqlite3.complete_statement(found[-1]):
            found.append("")
    return [statement for statement in found if statement.strip()]
