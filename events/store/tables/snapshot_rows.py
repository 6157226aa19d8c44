"""Stores snapshots, a cache of matches as a reader knew them at a version."""

from collections.abc import Collection
from contextlib import suppress
from typing import Final

from sqlalchemy import BigInteger, Connection, Integer, Text, bindparam, delete, insert, select, text
from sqlalchemy.exc import IntegrityError

from events.store.protocol import Store
from events.store.records import Snapshot
from events.store.schema.log_schema import snapshots

SNAPSHOT: Final = (
    select(*(snapshots.c[name] for name in Snapshot._fields))
    .where(
        snapshots.c.match_no == bindparam("match_no", type_=BigInteger),
        snapshots.c.reader == bindparam("reader", type_=Text),
        snapshots.c.version <= bindparam("upto", type_=Integer),
    )
    .order_by(snapshots.c.version.desc())
    .limit(1)
)


def latest(store: Store, match_no: int, reader: str, upto: int) -> Snapshot | None:
    """Return the latest snapshot for a reader at or before a version."""
    found = store.read_hot(SNAPSHOT, match_no=match_no, reader=reader, upto=upto)
    return Snapshot._make(found[0]) if found else None


def keep(store: Store, match_no: int, reader: str, kept: Collection[Snapshot]) -> None:
    """Replace a reader's snapshots of the same versions, unless another process is doing so."""
    s = snapshots.c
    here = (s.match_no == match_no) & (s.reader == reader) & s.version.in_([k.version for k in kept])
    rows = [{"match_no": match_no, "reader": reader, **k._asdict()} for k in kept]

    def work(connection: Connection) -> None:
        # A cache can be lost, so no request waits for the disk.
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL synchronous_commit TO off"))
        connection.execute(delete(snapshots).where(here))
        connection.execute(insert(snapshots), rows)

    with suppress(IntegrityError):
        store.write(work)
