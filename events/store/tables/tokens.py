"""A player's token put in the place of the one before it."""

from collections.abc import Collection
from dataclasses import asdict

from sqlalchemy import Connection, insert, select, update

from events.store.records import Idempotency
from events.store.schema import idempotency, players


def replace(
    connection: Connection,
    player_id: str,
    old_hash: bytes,
    token_hash: bytes,
    at_ms: int,
    remembered: Collection[Idempotency],
) -> bool:
    """Replace a token, and note the keys of the request; False if it is the player's no longer, or a key was used."""
    # The new hash counts as the old one too, so that a try after a lost connection finds its own work done.
    mine = (players.c.player_id == player_id) & players.c.token_hash.in_([old_hash, token_hash])
    keys = [{**asdict(idem), "at_ms": at_ms} for idem in remembered]
    used = select(idempotency.c.key_hash).where(idempotency.c.key_hash.in_([k["key_hash"] for k in keys]))
    # Whoever sends the same at the same time waits here, and then sees that the keys are used.
    if not connection.execute(update(players).where(mine).values(token_hash=token_hash)).rowcount:
        return False
    if keys and connection.execute(used).first():
        return False
    if keys:
        connection.execute(insert(idempotency), keys)
    return True
