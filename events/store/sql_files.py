"""This module executes the files of SQL that lie beside the migrations."""

import sqlite3
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection

from events.store.tables.projection_rows import FOLLOWING

FOLDER: Final = Path(__file__).parent / "migrations" / "versions"
FOLLOWING_HERE: Final = "-- FOLLOWING of events/store/tables/projection_rows.py"
"""The line of a function that stands for the statements which SQLite is given one by one."""


def execute(connection: Connection, name: str) -> None:
    """Execute the file of this name for this database; PostgreSQL takes a file at once, SQLite one by one."""
    dialect = connection.dialect.name
    driver: Any = connection.connection.driver_connection  # SQLAlchemy would take % for its own
    content = (FOLDER / f"{name}_{dialect}.sql").read_text("utf-8").replace(FOLLOWING_HERE, FOLLOWING)
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
