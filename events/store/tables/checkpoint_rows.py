"""Stores the checkpoints of followers."""

from typing import Final

from sqlalchemy import Connection, delete, insert, select, text, update

from events.store.follow_records import START
from events.store.protocol import Store
from events.store.schema.log_schema import checkpoint, commits, stream

FIRST: Final = text("INSERT INTO checkpoint (name, position) VALUES (:name, :position) ON CONFLICT (name) DO NOTHING")
"""The first move of a follower, which another process with the same name may make at the same time."""


def read_position(store: Store, name: str) -> int:
    """Return the position of the follower of this name; START at first."""
    found = store.read(select(checkpoint.c.position).where(checkpoint.c.name == name))
    position: int = found[0].position if found else START
    return position


def waiting_since(store: Store, name: str) -> int | None:
    """Return when the first commit was written that the follower has not handled; None if it has handled all.

    Imported matches do not count, because they have old times.
    """
    query = (
        select(commits.c.at_ms)
        .join(stream, stream.c.match_no == commits.c.match_no)
        .where(commits.c.position > read_position(store, name), stream.c.imported.is_(None))
        .order_by(commits.c.position)
        .limit(1)
    )
    found = store.read(query)
    return found[0].at_ms if found else None


def save_position(store: Store, name: str, at: int) -> None:
    """Record the position of the follower."""

    def work(connection: Connection) -> None:
        connection.execute(delete(checkpoint).where(checkpoint.c.name == name))
        connection.execute(insert(checkpoint).values(name=name, position=at))

    store.write(work)


def lock_follower(connection: Connection, name: str) -> None:
    """Keep the follower from moving on until the transaction ends, even if it has never moved."""
    connection.execute(FIRST, {"name": name, "position": START})
    connection.execute(select(checkpoint.c.name).where(checkpoint.c.name == name).with_for_update())


def move_position(connection: Connection, name: str, before: int, at: int) -> bool:
    """Move a follower's checkpoint; False if it is not at `before` any longer."""
    here = (checkpoint.c.name == name) & (checkpoint.c.position == before)
    if connection.execute(update(checkpoint).where(here).values(position=at)).rowcount:
        return True
    if before != START:
        return False
    return connection.execute(FIRST, {"name": name, "position": at}).rowcount > 0
