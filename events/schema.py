"""The tables, as queries see them. The migrations make them; a test holds the two equal.

Nothing refers to another table by a foreign key: rows are written by match in one transaction, and a check on every
insert would be paid on every move.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
)

REVISION: Final = "0001"
"""The migration that this code was written for."""

metadata = MetaData()

stream = Table(
    "stream",
    metadata,
    Column("match_no", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("match_id", Text, nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("turns", Text, nullable=False, server_default="[]"),
)
"""One row for each match: where its log ends, and whom it waits for: a projection, as JSON, that lies here because
every move writes this row anyway."""

commits = Table(
    "commits",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("first", Integer, primary_key=True),
    Column("n", SmallInteger, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("events", Text, nullable=False),
    Column("secrets", Text),
    Column("position", BigInteger, nullable=False),
)
"""The log, append-only. On PostgreSQL there is also `xid`, the transaction that wrote the row."""

secrets = Table(
    "secrets",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seal_secret", LargeBinary, nullable=False),
    Column("roots", Text, nullable=False),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("key_hash", LargeBinary, primary_key=True),
    Column("body_hash", LargeBinary, nullable=False),
    Column("match_no", BigInteger),
    Column("first", Integer),
    Column("n", Integer),
    Column("at_ms", BigInteger, nullable=False),
)
Index("idempotency_at", idempotency.c.at_ms)

players = Table(
    "players",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("name", Text),
    Column("token_hash", LargeBinary, unique=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("erased_ms", BigInteger),
)

invites = Table(
    "invites",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("code_hash", LargeBinary, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
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
Index("matches_newest", matches.c.created_ms, matches.c.match_no)
Index("matches_by_game", matches.c.game, matches.c.status, matches.c.created_ms, matches.c.match_no)
Index("matches_by_creator", matches.c.creator, matches.c.created_ms, matches.c.match_no)

seats = Table(
    "seats",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("player_id", Text),
    Column("level", Text),
    Column("live", Boolean, nullable=False),
)
"""Who sits where; `live` until the match is over."""
Index("seats_by_player", seats.c.player_id, seats.c.match_no)
Index("seats_live", seats.c.player_id, postgresql_where=seats.c.live, sqlite_where=seats.c.live)

results = Table(
    "results",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("player_id", Text),
    Column("game", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("score", Integer),
    Column("ended_ms", BigInteger, nullable=False),
)
Index("results_by_player", results.c.player_id, results.c.ended_ms)

due = Table(
    "due",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("claimable_ms", BigInteger),
    Column("due_ms", BigInteger, nullable=False),
    Column("lease_ms", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""Pending work. `claimable_ms` is the later of due and lease; a row without it is an idle place that
PostgreSQL keeps for the next work of its kind."""
Index("due_next", due.c.claimable_ms)

checkpoint = Table(
    "checkpoint",
    metadata,
    Column("name", Text, primary_key=True),
    Column("xid", BigInteger, nullable=False),
    Column("position", BigInteger, nullable=False),
)
