"""This module erases a player: each package deletes what it keeps, and the id stays in the log."""

from sqlalchemy import Connection

from events.notify import erased_players
from events.store.protocol import Store
from events.store.tables import orders, players, tokens, vacations
from events.talk import messages as talk


def erase(store: Store, player_id: str, at_ms: int) -> None:
    """Forget a player's name, handle and tokens, and all that is kept for the player beside the log."""

    def work(connection: Connection) -> None:
        players.erase(connection, player_id, at_ms)
        tokens.erase(connection, player_id)
        talk.erase(connection, player_id, at_ms)
        erased_players.erase(connection, player_id)
        orders.erase(connection, player_id)
        vacations.erase(connection, player_id)

    store.write(work)
