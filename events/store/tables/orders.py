"""The standing orders of seats, as they lie in the database."""

from sqlalchemy import Connection, delete

from events.store.schema import orders


def erase(connection: Connection, player_id: str) -> None:
    """Delete the orders of a player."""
    connection.execute(delete(orders).where(orders.c.player_id == player_id))
