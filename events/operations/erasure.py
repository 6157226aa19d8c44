"""Erases a player: each package deletes what it keeps, and the id stays in the log."""

from contextlib import suppress

from sqlalchemy import Connection

from events.errors import Unavailable
from events.notify import erased_players
from events.store.protocol import Store
from events.store.tables import (
    block_rows,
    deck_rows,
    order_rows,
    player_rows,
    report_rows,
    token_rows,
    vacation_rows,
)
from events.talk import messages as talk


def erase_player(store: Store, player_id: str, at_ms: int) -> None:
    """Erase a player's name, handle and tokens, and all other data about the player outside the log."""
    store.write(lambda connection: delete_personal_rows(connection, player_id, at_ms))
    remove_from_files(store)


def delete_personal_rows(connection: Connection, player_id: str, at_ms: int) -> None:
    """Delete the rows about a player outside the log, as part of a transaction."""
    player_rows.erase_identity(connection, player_id, at_ms)
    token_rows.delete_all_tokens(connection, player_id)
    talk.erase(connection, player_id, at_ms)
    erased_players.erase(connection, player_id)
    order_rows.delete_all_orders(connection, player_id)
    deck_rows.delete_all_decks(connection, player_id)
    block_rows.delete_from_lists(connection, player_id)
    report_rows.erase_reports(connection, player_id)
    vacation_rows.delete_all_vacations(connection, player_id)


def remove_from_files(store: Store) -> None:
    """Remove deleted rows from the files of the database; if this fails, the dispatcher's next try removes them."""
    with suppress(Unavailable):
        store.overwrite_deleted()
