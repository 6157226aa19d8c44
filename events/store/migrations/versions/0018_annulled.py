"""This migration notes in lists which matches were annulled, and takes those before it from the logs."""

import json

import sqlalchemy as sa
from alembic import op

from events.store.sql_files import execute

revision = "2026_11_18"
down_revision = "2026_11_17"

ANNULLED = sa.text("""
    SELECT m.match_no, c.events FROM matches m
      JOIN stream s ON s.match_no = m.match_no JOIN commits c ON c.match_no = m.match_no AND c.first = s.version
     WHERE m.result IS NOT NULL AND c.events LIKE '%"type":"MatchAnnulled"%'
""")
"""Selects annulled matches. `MatchAnnulled` is always the only event of the last commit."""


def upgrade() -> None:
    """Add the column and fill it; the functions that write it are made anew."""
    op.add_column("matches", sa.Column("annulled", sa.Text))
    connection = op.get_bind()
    for match_no, events in connection.execute(ANNULLED).all():
        noting = sa.text("UPDATE matches SET annulled = :reason WHERE match_no = :match_no")
        connection.execute(noting, {"match_no": match_no, "reason": json.loads(events)[0]["data"]["reason"]})
    if connection.dialect.name == "postgresql":
        execute(connection, "0001_functions")
