"""Stores all handles ever taken, as hashes, so that no other player can take them."""

from typing import Final

from sqlalchemy import Connection, func, select, update

from events.errors import HandleTaken, TooManyHandles
from events.handles import MOST, RESERVED, hash_handle, made_from
from events.store.schema.player_schema import handles
from events.store.upserts import upsert

TRIES: Final = 50
"""Maximum tries to draw a free handle for a player."""


def take_handle(connection: Connection, player_id: str, handle: str) -> None:
    """Take a handle for a player, who may have had it before. Raises `HandleTaken`, `TooManyHandles`."""
    if handle in RESERVED:
        raise HandleTaken
    if not _take(connection, player_id, handle):
        owner = select(handles.c.player_id).where(handles.c.handle_hash == hash_handle(handle))
        if connection.execute(owner).scalar_one() != player_id:
            raise HandleTaken
        return
    mine = select(func.count()).where(handles.c.player_id == player_id)
    if connection.execute(mine).scalar_one() > MOST:
        raise TooManyHandles


def draw_handle(connection: Connection, player_id: str, name: str) -> str:
    """Take a handle derived from a name for a player; return it. Raise `HandleTaken` if none was free."""
    for _ in range(TRIES):
        if _take(connection, player_id, handle := made_from(name)):
            return handle
    raise HandleTaken


def disown_handles(connection: Connection, player_id: str) -> None:
    """Remove the player from the player's handles, which stay taken."""
    connection.execute(update(handles).where(handles.c.player_id == player_id).values(player_id=None))


def _take(connection: Connection, player_id: str, handle: str) -> bool:
    """Record a handle as taken; return False if it is. A concurrent request for it waits for this transaction."""
    adding = upsert(connection, handles)
    row = {"handle_hash": hash_handle(handle), "player_id": player_id}
    taking = adding.values(row).on_conflict_do_nothing().returning(handles.c.handle_hash)
    return connection.execute(taking).first() is not None
