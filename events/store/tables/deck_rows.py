"""Stores the decks that players have saved."""

from collections.abc import Callable
from dataclasses import replace as changed
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from domain.core.collectible import Deck
from events.errors import DeckChanged, Gone, TooManyDecks
from events.store.player_records import SavedDeck
from events.store.protocol import Store
from events.store.records import Idempotency
from events.store.schema.player_schema import decks, players
from events.store.tables import idempotency_rows

MOST: Final = 100
"""Maximum number of decks of one player."""

Admits = Callable[[SavedDeck], bool]
"""Decides whether a deck is the version that a request means to change."""

_ROW: Final = tuple(decks.c)
_ids = msgspec.json.Decoder(tuple[str, ...]).decode


def add_deck(store: Store, deck: SavedDeck, idem: Idempotency | None) -> None:
    """Save a new deck, and the key of the request. Raises `Gone`, `Repeated`, `TooManyDecks`."""

    def work(connection: Connection) -> None:
        # Concurrent requests of the same player wait here, so that together they keep the limit of decks.
        here = (players.c.player_id == deck.player_id) & players.c.erased_ms.is_(None)
        if connection.execute(select(players.c.player_id).where(here).with_for_update()).first() is None:
            raise Gone
        if idem is not None:
            idempotency_rows.note_key(connection, idem, deck.created_ms)
        saved = select(func.count()).where(decks.c.player_id == deck.player_id)
        if connection.execute(saved).scalar_one() >= MOST:
            raise TooManyDecks
        connection.execute(insert(decks).values(_written(deck)))

    store.write(work)


def read_decks(store: Store, player_id: str) -> list[SavedDeck]:
    """Return a player's decks, those that were changed last first."""
    query = select(*_ROW).where(decks.c.player_id == player_id)
    return [_read(row) for row in store.read(query.order_by(decks.c.changed_ms.desc(), decks.c.deck_id))]


def read_deck(store: Store, player_id: str, deck_id: str) -> SavedDeck | None:
    """Return a deck of a player; None if the player has none of this id."""
    found = store.read(_select_deck(player_id, deck_id))
    return _read(found[0]) if found else None


def replace_deck(store: Store, deck: SavedDeck, admits: Admits) -> SavedDeck | None:
    """Replace a deck, keeping its id and creation time.

    Returns None if there is none. Raises `DeckChanged` if it is not the version that the caller knows.
    """

    def work(connection: Connection) -> SavedDeck | None:
        found = _locked(connection, deck.player_id, deck.deck_id, admits)
        if found is None:
            return None
        after = _written(deck) | {"created_ms": found.created_ms}
        connection.execute(update(decks).where(decks.c.deck_id == deck.deck_id).values(after))
        return changed(deck, created_ms=found.created_ms)

    return store.write(work)


def delete_deck(store: Store, player_id: str, deck_id: str, admits: Admits) -> bool:
    """Delete a deck; return False if there is none. Raises `DeckChanged` for another version."""

    def work(connection: Connection) -> bool:
        if _locked(connection, player_id, deck_id, admits) is None:
            return False
        connection.execute(delete(decks).where(decks.c.deck_id == deck_id))
        return True

    return store.write(work)


def delete_all_decks(connection: Connection, player_id: str) -> None:
    """Delete a player's decks."""
    connection.execute(delete(decks).where(decks.c.player_id == player_id))


def _select_deck(player_id: str, deck_id: str) -> Any:
    return select(*_ROW).where(decks.c.player_id == player_id, decks.c.deck_id == deck_id)


def _locked(connection: Connection, player_id: str, deck_id: str, admits: Admits) -> SavedDeck | None:
    row = connection.execute(_select_deck(player_id, deck_id).with_for_update()).first()
    if row is None:
        return None
    found = _read(row)
    if not admits(found):
        raise DeckChanged
    return found


def _written(deck: SavedDeck) -> dict[str, Any]:
    lists = {"sets": deck.sets, "main": deck.deck.main, "sideboard": deck.deck.sideboard}
    return {
        "deck_id": deck.deck_id,
        "player_id": deck.player_id,
        "name": deck.name,
        **{name: msgspec.json.encode(row).decode() for name, row in lists.items()},
        "created_ms": deck.created_ms,
        "changed_ms": deck.changed_ms,
    }


def _read(row: Any) -> SavedDeck:
    deck = Deck(_ids(row.main), _ids(row.sideboard))
    return SavedDeck(row.deck_id, row.player_id, row.name, _ids(row.sets), deck, row.created_ms, row.changed_ms)
