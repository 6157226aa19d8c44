"""Stores which players a player has blocked."""

from collections.abc import Collection

from sqlalchemy import Connection, and_, delete, func, or_, select

from events.errors import TooManyBlocks
from events.store.protocol import Store
from events.store.records import PlayerBlock
from events.store.schema.player_schema import blocks, players
from events.store.upserts import upsert

MOST_BLOCKS = 500
"""The maximum number of players that one player can block."""


def add_block(store: Store, player_id: str, blocked_id: str, at_ms: int) -> None:
    """Block a player, if not blocked yet. Raise `TooManyBlocks`."""

    def work(connection: Connection) -> None:
        # Concurrent requests of the same player wait here, so that together they do not exceed the maximum.
        connection.execute(select(players.c.player_id).where(players.c.player_id == player_id).with_for_update())
        others = (blocks.c.player_id == player_id) & (blocks.c.blocked_id != blocked_id)
        if (connection.scalar(select(func.count()).where(others)) or 0) >= MOST_BLOCKS:
            raise TooManyBlocks
        row = {"player_id": player_id, "blocked_id": blocked_id, "at_ms": at_ms}
        connection.execute(upsert(connection, blocks).values(**row).on_conflict_do_nothing())

    store.write(work)


def remove_block(store: Store, player_id: str, blocked_id: str) -> None:
    """Unblock a player, if the player is blocked."""
    store.change(delete(blocks).where(blocks.c.player_id == player_id, blocks.c.blocked_id == blocked_id))


def read_blocks(store: Store, player_id: str) -> list[PlayerBlock]:
    """Return the players that a player has blocked, the latest first."""
    query = select(blocks.c.blocked_id, blocks.c.at_ms).where(blocks.c.player_id == player_id)
    return [PlayerBlock(*row) for row in store.read(query.order_by(blocks.c.at_ms.desc(), blocks.c.blocked_id))]


def is_blocked_between(store: Store, player_id: str, others: Collection[str]) -> bool:
    """Return whether a player has blocked one of the others, or one of them has blocked the player."""
    one = and_(blocks.c.player_id == player_id, blocks.c.blocked_id.in_(others))
    other = and_(blocks.c.blocked_id == player_id, blocks.c.player_id.in_(others))
    return bool(others) and bool(store.read(select(blocks.c.at_ms).where(or_(one, other)).limit(1)))


def delete_all_blocks(connection: Connection, player_id: str) -> None:
    """Delete the blocks of a player, and those against the player."""
    connection.execute(delete(blocks).where(or_(blocks.c.player_id == player_id, blocks.c.blocked_id == player_id)))
