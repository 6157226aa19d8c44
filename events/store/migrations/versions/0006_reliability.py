"""This migration counts the promises of nonces that were not kept, and takes those before it from the logs."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

from events.store.sql_files import execute

revision = "2026_11_6"
down_revision = "2026_11_5"

LOGS = sa.text("""
    SELECT c.match_no, c.events FROM commits c
      JOIN matches m ON m.match_no = c.match_no JOIN stream s ON s.match_no = c.match_no
     WHERE s.imported IS NULL AND m.options LIKE :promising ORDER BY c.match_no, c.first
""")


def upgrade() -> None:
    """Make the table and fill it; the functions that write its rows are made anew."""
    op.create_table(
        "reliability",
        sa.Column("match_no", sa.BigInteger, primary_key=True),
        sa.Column("player_id", sa.Text, primary_key=True),
        sa.Column("aborted", sa.Integer, nullable=False),
        sa.Column("unopened", sa.Integer, nullable=False),
    )
    op.create_index("reliability_by_player", "reliability", ["player_id"])
    op.drop_index("matches_cancelled", "matches")
    connection = op.get_bind()
    for match_no, log in groupby(
        connection.execute(LOGS, {"promising": '%"nonce_commit":true%'}).all(), lambda row: row[0]
    ):
        for player, aborted, unopened in _broken(event for row in log for event in json.loads(row[1])):
            into = "INSERT INTO reliability VALUES (:match_no, :player, :aborted, :unopened)"
            values = {"match_no": match_no, "player": player, "aborted": aborted, "unopened": unopened}
            connection.execute(sa.text(into), values)
    if connection.dialect.name == "postgresql":
        execute(connection, "0001_functions")


def _broken(events: Iterable[dict[str, Any]]) -> Iterator[tuple[str, int, int]]:
    """Give the players who did not keep promises in a match: how often they aborted it, and did not open a hash."""
    creator: str | None = None
    players: dict[int, str] = {}
    open_: set[int] = set()
    aborted: Counter[str] = Counter()
    unopened: Counter[str] = Counter()
    for event in events:
        kind, data = event["type"], event["data"]
        if kind == "MatchCreated":
            creator = data.get("creator")
        elif kind == "FairnessCommitted":
            open_ = set()
        elif kind == "SeatTaken":
            players[data["seat"]] = data["player"]
        elif kind == "NonceCommitted":
            open_.add(data["seat"])
        elif kind in ("NonceSubmitted", "SeatLeft"):
            open_.discard(data["seat"])
        elif kind == "NoncesClosed" and data["stage"] == "nonces":
            unopened.update(players[seat] for seat in open_ if seat in players)
        elif kind == "CommitmentsAborted" and creator is not None:
            aborted[creator] = 1
    for player in sorted(aborted.keys() | unopened.keys()):
        yield player, aborted[player], unopened[player]
