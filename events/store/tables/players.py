"""This module stores players: their names, and the hashes of their tokens."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, LargeBinary, bindparam, insert, select, update

from events.store.protocol import Store
from events.store.records import Idempotency, Player
from events.store.schema import idempotency, players

BY_TOKEN: Final = select(players.c.player_id, players.c.name).where(
    players.c.token_hash == bindparam("token_hash", type_=LargeBinary)
)


def add(store: Store, player_id: str, name: str, token_hash: bytes, at_ms: int) -> None:
    """Note a new player."""
    row = {"player_id": player_id, "name": name, "token_hash": token_hash, "created_ms": at_ms}
    store.change(insert(players).values(row))


def by_token(store: Store, token_hash: bytes) -> Player | None:
    """Give whose token this is."""
    found = store.read_hot(BY_TOKEN, token_hash=token_hash)
    return Player._make(found[0]) if found else None


def names(store: Store, player_ids: Collection[str]) -> dict[str, str | None]:
    """Give the names of players, None for one who was erased; who is not known is absent."""
    if not player_ids:
        return {}
    query = select(players.c.player_id, players.c.name).where(players.c.player_id.in_(player_ids))
    return {row.player_id: row.name for row in store.read(query)}


def new_token(
    store: Store,
    player_id: str,
    old_hash: bytes,
    token_hash: bytes,
    at_ms: int = 0,
    remembered: Collection[Idempotency] = (),
) -> bool:
    """Put a new token in the old one's place, and note the keys of the request.

    False if the old one is no longer the player's, or a key was used before.
    """
    return store.write(lambda connection: _replace(connection, player_id, old_hash, token_hash, at_ms, remembered))


def _replace(
    connection: Connection,
    player_id: str,
    old_hash: bytes,
    token_hash: bytes,
    at_ms: int,
    remembered: Collection[Idempotency],
) -> bool:
    # The new hash counts as the old one too, so that a try after a lost connection finds its own work done.
    mine = (players.c.player_id == player_id) & players.c.token_hash.in_([old_hash, token_hash])
    keys = [{**asdict(idem), "at_ms": at_ms} for idem in remembered]
    used = select(idempotency.c.key_hash).where(idempotency.c.key_hash.in_([k["key_hash"] for k in keys]))
    # A request that sends the same at the same time waits here, and then sees that the keys are used.
    if not connection.execute(update(players).where(mine).values(token_hash=token_hash)).rowcount:
        return False
    if keys and connection.execute(used).first():
        return False
    if keys:
        connection.execute(insert(idempotency), keys)
    return True


def erase(connection: Connection, player_id: str, at_ms: int) -> None:
    """Forget a player's name and token. The id stays in the log."""
    here = (players.c.player_id == player_id) & players.c.erased_ms.is_(None)
    connection.execute(update(players).where(here).values(name=None, token_hash=None, erased_ms=at_ms))
