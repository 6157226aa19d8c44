"""This module describes the tables of the log, what is kept beside it, and the pending work of the server."""

from typing import Final

from sqlalchemy import BigInteger, Column, Identity, Index, Integer, LargeBinary, SmallInteger, Table, Text

from events.store.schema.metadata import metadata

ROOM: Final = {"fillfactor": 50, "autovacuum_vacuum_scale_factor": 0.05}
"""Room is left in a page, so that the update on every move stays in it and touches no index."""

stream = Table(
    "stream",
    metadata,
    Column("match_no", BigInteger().with_variant(Integer, "sqlite"), Identity(always=True), primary_key=True),
    Column("match_id", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False, server_default="match"),
    Column("version", Integer, nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("turns", Text, nullable=False, server_default="[]"),
    Column("imported", Text),
    sqlite_autoincrement=True,
    postgresql_with=ROOM,
)
"""One row for each stream, of which `kind` says what it is, a match or another: where its log ends.

`turns` are those that the stream waits for, a JSON array of {seat, player_id, version, since_ms, deadline_ms}: a
projection that is stored here because every move writes this row anyway; its own table would cost a move another
quarter. `imported` says of a match that was played elsewhere how it is shown here.
"""

commits = Table(
    "commits",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("first", Integer, primary_key=True),
    Column("n", SmallInteger, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("events", Text, nullable=False),
    Column("secrets", Text),
    Column("mac", LargeBinary),
    Column("position", BigInteger, nullable=False),
)
"""The log, append-only. Its SQL is written by hand (``0001_log``), as SQLite has the position as its key."""

secrets = Table(
    "secrets",
    metadata,
    Column("match_no", BigInteger, primary_key=True, autoincrement=False),
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

due = Table(
    "due",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("claimable_ms", BigInteger),
    Column("due_ms", BigInteger, nullable=False),
    Column("lease_ms", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    postgresql_with=ROOM,
)
"""Pending work. It can be claimed from `claimable_ms` on: when it is due, its lease or its rest is over. A row without
that is an idle place that PostgreSQL keeps for the next work of its kind. `attempts` counts the tries that failed."""
Index("due_next", due.c.claimable_ms)

processes = Table(
    "processes",
    metadata,
    Column("process_id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Column("trouble", Text),
)
"""The processes that hold claims: `kind` is scheduler, worker or serve. A process whose `until_ms` is over is dead.

`trouble` says in a word what the process cannot reach, as `broker`. The times are those of the database's clock.
"""

work_spans = Table(
    "work_spans",
    metadata,
    Column("process", Text, primary_key=True),
    Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("to_ms", BigInteger, nullable=False),
    Column("role", Text, nullable=False),
)
"""The times in which processes were at work: `role` is scheduler, api, or serve, which is both.

A time in which no scheduler was at work, or no API, is an outage.
"""
Index("work_spans_end", work_spans.c.to_ms)

checkpoint = Table(
    "checkpoint",
    metadata,
    Column("name", Text, primary_key=True),
    Column("position", BigInteger, nullable=False),
)
"""The position of the last commit that a follower has handled."""

snapshots = Table(
    "snapshots",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("reader", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("code", LargeBinary, nullable=False),
    Column("state", Text, nullable=False),
    Column("sum", LargeBinary, nullable=False),
)
"""A cache of matches as a reader knew them at a version: see `events.log.snapshots`. Its rows may go at any time."""
