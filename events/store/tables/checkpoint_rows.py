"""This module stores the checkpoints of followers."""

from typing import Final

from sqlalchemy import Connection, delete, insert, select, text, update

from events.store.follow_records import START, Position
from events.store.protocol import Store
from events.store.schema import checkpoint

FIRST: Final = text(
    "INSERT INTO checkpoint (name, xid, position) VALUES (:name, :xid, :position) ON CONFLICT (name) DO NOTHING"
)
"""The first move of a follower, which another of its name may make at the same moment."""


def of(store: Store, name: str) -> Position:
    """Give where the follower of this name has come to; START at first."""
    query = select(checkpoint.c.xid, checkpoint.c.position).where(checkpoint.c.name == name)
    found = store.read(query)
    return Position._make(found[0]) if found else START


def save(store: Store, name: str, at: Position) -> None:
    """Note where the follower has come to."""

    def work(connection: Connection) -> None:
        connection.execute(delete(checkpoint).where(checkpoint.c.name == name))
        connection.execute(insert(checkpoint).values(name=name, **at._asdict()))

    store.write(work)


def move(connection: Connection, name: str, before: Position, at: Position) -> bool:
    """Move a follower's checkpoint; False if it is not at `before` any longer."""
    here = (checkpoint.c.name == name) & (checkpoint.c.xid == before.xid) & (checkpoint.c.position == before.position)
    if connection.execute(update(checkpoint).where(here).values(**at._asdict())).rowcount:
        return True
    if before != START:
        return False
    return connection.execute(FIRST, {"name": name, **at._asdict()}).rowcount > 0
