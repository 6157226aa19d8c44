"""Describes the tables of the log, its secrets and projections, and the pending work of the server."""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.schema import SchemaItem

from events.store.records import ArchivedLog, Remembered, Snapshot
from events.store.schema.metadata import columns_of, metadata

ROOM: Final = {"fillfactor": 50, "autovacuum_vacuum_scale_factor": 0.05}
"""Options that leave room in each page, so that the update on every move stays in its page and touches no index."""

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
    info={"postgresql_with": ROOM},
)
"""One row for each stream of any `kind`, such as a match: where its log ends.

`turns` are the open turns of the stream, a JSON array of {seat, player_id, version, since_ms, deadline_ms}. This
projection is here because every move writes this row anyway; a separate table would make a move a quarter slower.
`imported` says how an imported match is shown.
"""


def _commits(of: MetaData, position: "Column[int]", *rules: SchemaItem, **how: Any) -> Table:
    return Table(
        "commits",
        of,
        position,
        Column("match_no", BigInteger, nullable=False),
        Column("at_ms", BigInteger, nullable=False),
        Column("first", Integer, nullable=False),
        Column("n", SmallInteger, nullable=False),
        Column("events", Text, nullable=False),
        Column("secrets", Text),
        Column("mac", LargeBinary),
        *rules,
        **how,
    )


commits = _commits(
    metadata,
    Column("position", BigInteger, Identity(always=True), nullable=False),
    PrimaryKeyConstraint("match_no", "first"),
)
"""The log, append-only. `mac` is None in imported matches, whose secrets stayed on the original server.

The order of columns leaves no gaps in a row. The triggers that refuse changes are in ``0001_log``.
"""
Index("commits_follow", commits.c.position)

COMMITS_IN_SQLITE: Final = _commits(
    MetaData(),
    Column("position", Integer, primary_key=True),
    UniqueConstraint("match_no", "first"),
    CheckConstraint('"first" > 0'),
    CheckConstraint("n > 0"),
    sqlite_autoincrement=True,
)
"""The log in SQLite, which numbers rows only by their key."""

archived = Table("archived", metadata, *columns_of(ArchivedLog, "match_no"))
"""The matches whose commits are in a file instead of `commits`.

The triggers in ``0001_log`` let commits go only if their match is listed here with its current version and head, and
refuse changes of these rows.
"""

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
    *columns_of(Remembered),
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
    info={"postgresql_with": ROOM},
)
"""Pending work.

It can be claimed from `claimable_ms` on: when it is due, its lease or its rest is over. A row without that time is
idle, and is reused for the next work of its kind. `attempts` counts failed tries.
"""
Index("due_next", due.c.claimable_ms)

processes = Table(
    "processes",
    metadata,
    Column("process_id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Column("trouble", Text),
    Column("revision", Text),
)
"""The processes that hold claims: `kind` is scheduler, worker or serve. A process is dead after its `until_ms`.

`trouble` names an unreachable service, such as `broker`. The times are those of the database's clock. `revision` is the
last migration that the process knows.
"""

work_spans = Table(
    "work_spans",
    metadata,
    Column("process", Text, primary_key=True),
    Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("to_ms", BigInteger, nullable=False),
    Column("role", Text, nullable=False),
    Column("revision", Text),
)
"""The times in which processes were running: `role` is scheduler, api, or serve, which is both. Time in which no
scheduler or no API was running is an outage. `revision` is the last migration that the process knows.
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
    *columns_of(Snapshot, "version"),
)
"""A cache of matches as a reader knew them at a version: see `events.log.snapshots`.

Its rows may be deleted at any time.
"""
