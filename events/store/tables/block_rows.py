"""Stores the lists of players that a player keeps: the blocked and the muted ones."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, Connection, Table, and_, delete, func, or_, select

from events.errors import TooManyBlocks, TooManyMutes
from events.store.protocol import Store
from events.store.records import ListedPlayer
from events.store.schema.player_schema import blocks, mutes, players
from events.store.upserts import upsert

MOST_LISTED = 500
"""The maximum number of players on one list."""


class PlayerList(NamedTuple):
    """A kind of list: its table, the column of the listed players, and the error for one player too many."""

    table: Table
    other: Column[Any]
    error: type[Exception]


BLOCKED: Final = PlayerList(blocks, blocks.c.blocked_id, TooManyBlocks)
MUTED: Final = PlayerList(mutes, mutes.c.muted_id, TooManyMutes)


def add_to_list(store: Store, kind: PlayerList, player_id: str, other_id: str, at_ms: int) -> None:
    """Add another player to a player's list, if not listed yet. Raise the list's error."""
    table, other, error = kind

    def work(connection: Connection) -> None:
        # Concurrent requests of the same player wait here, so that together they do not exceed the maximum.
        connection.execute(select(players.c.player_id).where(players.c.player_id == player_id).with_for_update())
        others = (table.c.player_id == player_id) & (other != other_id)
        if (connection.scalar(select(func.count()).where(others)) or 0) >= MOST_LISTED:
            raise error
        row = {"player_id": player_id, other.name: other_id, "at_ms": at_ms}
        connection.execute(upsert(connection, table).values(**row).on_conflict_do_nothing())

    store.write(work)


def remove_from_list(store: Store, kind: PlayerList, player_id: str, other_id: str) -> None:
    """Remove another player from a player's list, if listed."""
    store.change(delete(kind.table).where(kind.table.c.player_id == player_id, kind.other == other_id))


def read_list(store: Store, kind: PlayerList, player_id: str) -> list[ListedPlayer]:
    """Return the players on a player's list, the latest first."""
    at_ms = kind.table.c.at_ms
    query = select(kind.other, at_ms).where(kind.table.c.player_id == player_id)
    return [ListedPlayer(*row) for row in store.read(query.order_by(at_ms.desc(), kind.other))]


def is_blocked_between(store: Store, player_id: str, others: Collection[str]) -> bool:
    """Return whether a player has blocked one of the others, or one of them has blocked the player."""
    one = and_(blocks.c.player_id == player_id, blocks.c.blocked_id.in_(others))
    other = and_(blocks.c.blocked_id == player_id, blocks.c.player_id.in_(others))
    return bool(others) and bool(store.read(select(blocks.c.at_ms).where(or_(one, other)).limit(1)))


def delete_from_lists(connection: Connection, player_id: str) -> None:
    """Delete the lists of a player, and the player from all lists."""
    for table, other, _ in (BLOCKED, MUTED):
        connection.execute(delete(table).where(or_(table.c.player_id == player_id, other == player_id)))
