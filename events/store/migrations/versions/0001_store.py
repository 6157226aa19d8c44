"""The event store: the log, the tables beside it, and on PostgreSQL the functions that alone may write the log."""

import sqlite3
from pathlib import Path
from typing import Any

from alembic import op

revision = "2026_11"
down_revision = None


def upgrade() -> None:
    """Make everything; there is no way back, for the log is append-only."""
    for name in ("log", "tables", "functions"):
        _execute(name)


def _execute(name: str) -> None:
    """Execute the SQL file of this name for this database; PostgreSQL takes a file at once, SQLite one by one."""
    dialect = op.get_context().dialect.name
    driver: Any = op.get_bind().connection.driver_connection  # SQLAlchemy would take % for its own
    content = Path(__file__).with_name(f"0001_{name}_{dialect}.sql").read_text("utf-8")
    for statement in [content] if dialect == "postgresql" else _statements(content):
        driver.execute(statement)


def _statements(content: str) -> list[str]:
    """Part SQLite's statements; a trigger holds semicolons of its own."""
    found = [""]
    for line in content.splitlines(keepends=True):
        found[-1] += line
        if sqlite3.complete_statement(found[-1]):
            found.append("")
    return [statement for statement in found if statement.strip()]
