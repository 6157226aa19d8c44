"""This module erases a player: each package deletes what it keeps, and the id stays in the log."""

from sqlalchemy import Connection

from events.notify import erased_players
from events.store.protocol import Store
from events.store.tables import deck_rows, order_rows, player_rows, token_rows, vacation_rows
from events.talk import messages as talk


def erase_player(store: Store, player_id: str, at_ms: int) -> None:
    """Erase a player's name, handle and tokens, and all other data about the player outside the log."""

    def work(connection: Connection) -> None:
        player_rows.erase_identity(connection, player_id, at_ms)
        token_rows.delete_all_tokens(connection, player_id)
        talk.erase(connection, player_id, at_ms)
        erased_players.erase(connection, player_id)
        order_rows.delete_all_orders(connection, player_id)
        deck_rows.delete_all_decks(connection, player_id)
        vacation_rows.delete_all_vacations(connection, player_id)

    store.write(work)
