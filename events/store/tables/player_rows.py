"""Stores players: their names and handles, and the hashes of their tokens."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Final, NamedTuple

from sqlalchemy import Connection, insert, select, update

from events.errors import Gone
from events.store.player_records import Identity, Player
from events.store.protocol import Store
from events.store.records import Idempotency
from events.store.schema.log_schema import idempotency
from events.store.schema.player_schema import players
from events.store.tables import handle_rows, idempotency_rows, token_rows

PLAYER: Final = (players.c.player_id, players.c.name, players.c.handle)
BY_TOKEN: Final = select(token_rows.HOLDER)


class PlayerRow(NamedTuple):
    """The data of a new player; without a handle, one is derived from the name."""

    player_id: str
    name: str
    token_hash: bytes
    created_ms: int
    handle: str | None = None


def add_player(
    store: Store, player_id: str, name: str, token_hash: bytes, at_ms: int, handle: str | None = None
) -> str:
    """Create a player; return the handle, which is derived from the name by default. Raises `HandleTaken`."""
    return add_once(store, PlayerRow(player_id, name, token_hash, at_ms, handle), None)


def add_once(store: Store, new: PlayerRow, asked: Idempotency | None) -> str:
    """Create a player, and record the key of the request; return the handle.

    Raises `HandleTaken`, and `Repeated` if the key was used before.
    """

    def work(connection: Connection) -> str:
        if asked is not None:
            idempotency_rows.note_key(connection, asked, new.created_ms)
        taken = handle_rows.draw_handle(connection, new.player_id, new.name) if new.handle is None else new.handle
        if new.handle is not None:
            handle_rows.take_handle(connection, new.player_id, new.handle)
        connection.execute(insert(players).values(new._asdict() | {"handle": taken}))
        return taken

    return store.write(work)


def change_player(
    store: Store, player_id: str, name: str | None = None, handle: str | None = None, *, listed: bool | None = None
) -> Player:
    """Change a player's name, handle or listing; None keeps a value. Earlier handles stay the player's.

    Raises `Gone`, `HandleTaken`, `TooManyHandles`.
    """
    return store.write(lambda connection: change_row(connection, player_id, name, handle, listed=listed))


def change_row(
    connection: Connection, player_id: str, name: str | None, handle: str | None, *, listed: bool | None = None
) -> Player:
    """Change a player as `change_player` does, as part of a transaction."""
    here = (players.c.player_id == player_id) & players.c.erased_ms.is_(None)
    # Concurrent changes of the same player wait here, so that together they keep to the limit of handles.
    before = connection.execute(select(*PLAYER).where(here).with_for_update()).first()
    if before is None:
        raise Gone
    after = Player(player_id, name or before.name, handle or before.handle)
    if after.handle != before.handle:
        handle_rows.take_handle(connection, player_id, after.handle)
    values = {"name": after.name, "handle": after.handle} | ({} if listed is None else {"listed": listed})
    connection.execute(update(players).where(here).values(values))
    return after


def by_token(store: Store, token_hash: bytes) -> Player | None:
    """Return the player of a token, main or scoped, valid or not."""
    found = store.read_hot(BY_TOKEN, token_hash=token_hash)
    return token_rows.holder(found[0]) if found else None


def by_handle(store: Store, handle: str) -> Player | None:
    """Return the player who has this handle now."""
    found = store.read(select(*PLAYER).where(players.c.handle == handle))
    return Player(*found[0]) if found else None


def is_listed(store: Store, player_id: str) -> bool:
    """Return whether others see the ratings of a player."""
    found = store.read(select(players.c.listed).where(players.c.player_id == player_id))
    return bool(found) and bool(found[0].listed)


def read_identities(store: Store, player_ids: Collection[str]) -> dict[str, Identity]:
    """Return the public data of players; unknown ones are absent. Uses one query for all."""
    if not player_ids:
        return {}
    query = select(players.c.player_id, players.c.name, players.c.handle).where(players.c.player_id.in_(player_ids))
    return {player: Identity(name, handle) for player, name, handle in store.read(query)}


def new_token(
    store: Store,
    player_id: str,
    old_hash: bytes,
    token_hash: bytes,
    at_ms: int = 0,
    remembered: Collection[Idempotency] = (),
) -> bool:
    """Replace a token, and record the keys of the request.

    Returns False if the old token is no longer the player's, or a key was used before.
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
    # The new hash also counts as the old one, so that a retry after a lost connection finds its work already done.
    mine = (players.c.player_id == player_id) & players.c.token_hash.in_([old_hash, token_hash])
    keys = [{**asdict(idem), "at_ms": at_ms} for idem in remembered]
    used = select(idempotency.c.key_hash).where(idempotency.c.key_hash.in_([k["key_hash"] for k in keys]))
    # An identical concurrent request waits here, and then sees that the keys are used.
    if not connection.execute(update(players).where(mine).values(token_hash=token_hash)).rowcount:
        return False
    if keys and connection.execute(used).first():
        return False
    if keys:
        connection.execute(insert(idempotency), keys)
    return True


def replace_all_tokens(connection: Connection, player_id: str, token_hash: bytes) -> None:
    """Replace a player's main token and all scoped ones by a new main token."""
    connection.execute(update(players).where(players.c.player_id == player_id).values(token_hash=token_hash))
    token_rows.delete_all_tokens(connection, player_id)


def erase_identity(connection: Connection, player_id: str, at_ms: int) -> None:
    """Delete a player's name, handle and token. The id stays in the log."""
    here = (players.c.player_id == player_id) & players.c.erased_ms.is_(None)
    gone = {"name": None, "handle": None, "token_hash": None, "erased_ms": at_ms}
    connection.execute(update(players).where(here).values(gone))
    handle_rows.disown_handles(connection, player_id)
