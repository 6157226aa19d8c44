"""Stores whose chat messages a player does not want to see."""

from sqlalchemy import Connection, delete, func, or_, select

from events.errors import TooManyMutes
from events.store.protocol import Store
from events.store.records import PlayerMute
from events.store.schema.player_schema import mutes, players
from events.store.upserts import upsert

MOST_MUTES = 500
"""The maximum number of players that one player can mute."""


def add_mute(store: Store, player_id: str, muted_id: str, at_ms: int) -> None:
    """Mute a player, if not muted yet. Raise `TooManyMutes`."""

    def work(connection: Connection) -> None:
        # Concurrent requests of the same player wait here, so that together they do not exceed the maximum.
        connection.execute(select(players.c.player_id).where(players.c.player_id == player_id).with_for_update())
        others = (mutes.c.player_id == player_id) & (mutes.c.muted_id != muted_id)
        if (connection.scalar(select(func.count()).where(others)) or 0) >= MOST_MUTES:
            raise TooManyMutes
        row = {"player_id": player_id, "muted_id": muted_id, "at_ms": at_ms}
        connection.execute(upsert(connection, mutes).values(**row).on_conflict_do_nothing())

    store.write(work)


def remove_mute(store: Store, player_id: str, muted_id: str) -> None:
    """Unmute a player, if the player is muted."""
    store.change(delete(mutes).where(mutes.c.player_id == player_id, mutes.c.muted_id == muted_id))


def read_mutes(store: Store, player_id: str) -> list[PlayerMute]:
    """Return the players that a player has muted, the latest first."""
    query = select(mutes.c.muted_id, mutes.c.at_ms).where(mutes.c.player_id == player_id)
    return [PlayerMute(*row) for row in store.read(query.order_by(mutes.c.at_ms.desc(), mutes.c.muted_id))]


def delete_all_mutes(connection: Connection, player_id: str) -> None:
    """Delete the mutes of a player, and those against the player."""
    connection.execute(delete(mutes).where(or_(mutes.c.player_id == player_id, mutes.c.muted_id == player_id)))
