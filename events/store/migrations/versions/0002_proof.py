"""What an audit needs: a code on every commit, and the mark of matches that were imported."""

import hmac
from pathlib import Path
from typing import Any

import msgspec
from alembic import op
from sqlalchemy import Column, Connection, LargeBinary, Text, text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns, and codes to the commits that are there already."""
    connection = op.get_bind()
    sqlite = connection.dialect.name == "sqlite"
    op.add_column("commits", Column("mac", LargeBinary))
    op.add_column("stream", Column("imported", Text))
    found = (
        connection.execute(text("SELECT sql FROM sqlite_master WHERE name = 'commits_no_update'"))
        if sqlite
        else None
    )
    refusal = found.scalar_one() if found else "ALTER TABLE commits ENABLE ALWAYS TRIGGER append_only"
    op.execute(
        "DROP TRIGGER commits_no_update" if sqlite else "ALTER TABLE commits DISABLE TRIGGER append_only"
    )
    _sign(connection)
    op.execute(refusal)
    if not sqlite:
        driver: Any = connection.connection.driver_connection  # SQLAlchemy would take % for its own
        driver.execute(Path(__file__).with_name("0002_functions_postgresql.sql").read_text("utf-8"))


def _sign(connection: Connection) -> None:
    """Write the code of each commit, as `events.log.seals.mac` makes it today."""
    secrets = connection.execute(text("SELECT match_no, seal_secret FROM secrets")).all()
    for match_no, seal_secret in secrets:
        key = hmac.digest(seal_secret, b"log", "sha256")
        here = connection.execute(
            text("SELECT first, n, events FROM commits WHERE match_no = :m"), {"m": match_no}
        )
        for first, n, events in here.all():
            head = msgspec.json.decode(events)[-1]["digest"]
            mac = hmac.digest(key, f"{first + n - 1}|{head}".encode("ascii"), "sha256")
            connection.execute(
                text("UPDATE commits SET mac = :mac WHERE match_no = :m AND first = :f"),
                {"mac": mac, "m": match_no, "f": first},
            )
