"""Players: their names, and the hashes of their tokens."""

from sqlalchemy import Connection, update

from events.store.schema import players


def erase(connection: Connection, player_id: str, at_ms: int) -> None:
    """Forget a player's name and token. The id stays in the log."""
    here = (players.c.player_id == player_id) & players.c.erased_ms.is_(None)
    connection.execute(update(players).where(here).values(name=None, token_hash=None, erased_ms=at_ms))
