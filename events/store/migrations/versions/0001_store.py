"""The event store: the log, the secrets beside it, projections, pending work."""

import sqlite3
from pathlib import Path
from typing import Any

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, SmallInteger, Text, text

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make everything; there is no way back, for the log is append-only."""
    _statements_of("log")
    _tables_beside_the_log()
    _projections()
    _indexes()
    _statements_of("functions")


def _tables_beside_the_log() -> None:
    op.create_table(
        "secrets",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("seal_secret", LargeBinary, nullable=False),
        Column("roots", Text, nullable=False),
    )
    op.create_table(
        "idempotency",
        Column("key_hash", LargeBinary, primary_key=True),
        Column("body_hash", LargeBinary, nullable=False),
        Column("match_no", BigInteger),
        Column("first", Integer),
        Column("n", Integer),
        Column("at_ms", BigInteger, nullable=False),
    )
    op.create_table(
        "players",
        Column("player_id", Text, primary_key=True),
        Column("name", Text),
        Column("token_hash", LargeBinary, unique=True),
        Column("created_ms", BigInteger, nullable=False),
        Column("erased_ms", BigInteger),
    )
    op.create_table(
        "invites",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("seat", SmallInteger, primary_key=True, autoincrement=False),
        Column("code_hash", LargeBinary, nullable=False),
    )
    op.create_table(
        "checkpoint",
        Column("name", Text, primary_key=True),
        Column("xid", BigInteger, nullable=False),
        Column("position", BigInteger, nullable=False),
    )


def _projections() -> None:
    op.create_table(
        "matches",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("match_id", Text, nullable=False),
        Column("game", Text, nullable=False),
        Column("status", Text, nullable=False),
        Column("visibility", Text, nullable=False),
        Column("creator", Text, nullable=False),
        Column("options", Text, nullable=False),
        Column("created_ms", BigInteger, nullable=False),
        Column("started_ms", BigInteger),
        Column("ended_ms", BigInteger),
        Column("result", Text),
    )
    op.create_table(
        "seats",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("seat", SmallInteger, primary_key=True, autoincrement=False),
        Column("kind", Text, nullable=False),
        Column("player_id", Text),
        Column("level", Text),
        Column("live", Boolean, nullable=False),
    )
    op.create_table(
        "results",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("seat", SmallInteger, primary_key=True, autoincrement=False),
        Column("player_id", Text),
        Column("game", Text, nullable=False),
        Column("place", Integer, nullable=False),
        Column("score", Integer),
        Column("ended_ms", BigInteger, nullable=False),
    )
    op.create_table(
        "due",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("kind", Text, primary_key=True),
        Column("claimable_ms", BigInteger),
        Column("due_ms", BigInteger, nullable=False),
        Column("lease_ms", BigInteger, nullable=False),
        Column("attempts", Integer, nullable=False),
        postgresql_with={"fillfactor": 50, "autovacuum_vacuum_scale_factor": 0.05},
    )


def _indexes() -> None:
    op.create_index("idempotency_at", "idempotency", ["at_ms"])
    op.create_index("matches_newest", "matches", ["created_ms", "match_no"])
    op.create_index("matches_by_game", "matches", ["game", "status", "created_ms", "match_no"])
    op.create_index("matches_by_creator", "matches", ["creator", "created_ms", "match_no"])
    op.create_index("seats_by_player", "seats", ["player_id", "match_no"])
    live = text("live")
    op.create_index("seats_live", "seats", ["player_id"], postgresql_where=live, sqlite_where=live)
    op.create_index("results_by_player", "results", ["player_id", "ended_ms"])
    op.create_index("due_next", "due", ["claimable_ms"])


def _statements_of(name: str) -> None:
    """Run the SQL file of this name for this database; PostgreSQL takes a file at once, SQLite one by one."""
    dialect = op.get_context().dialect.name
    path = Path(__file__).with_name(f"0001_{name}_{dialect}.sql")
    if not path.exists():
        return
    driver: Any = op.get_bind().connection.driver_connection  # SQLAlchemy would take % for its own
    content = path.read_text("utf-8")
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
