"""Saves the decks of players, and returns them to their players and for matches."""

from collections.abc import Sequence
from dataclasses import replace

from domain.core.collectible import Deck
from events.errors import NotFound
from events.ids import derived_id, is_id, new_id
from events.service.context import Context
from events.store.player_records import SavedDeck
from events.store.records import Idempotency
from events.store.tables import deck_rows
from events.store.tables.deck_rows import Admits


def save_deck(
    context: Context, named: tuple[str, str], sets: tuple[str, ...], deck: Deck, idem: Idempotency | None
) -> SavedDeck:
    """Save a new deck: `named` are the player's id and the deck's name. Raises `Gone`, `Repeated`, `TooManyDecks`."""
    now, (player_id, name) = context.now(), named
    deck_id = new_id() if idem is None else _id_of(idem)
    saved = SavedDeck(deck_id, player_id, name, sets, deck, now, now)
    deck_rows.add_deck(context.store, saved, idem)
    return saved


def repeat_deck_answer(context: Context, player_id: str, idem: Idempotency) -> SavedDeck:
    """Return the current state of the deck that a request with this key saved. Raises `NotFound` if it was deleted."""
    return find_deck(context, player_id, _id_of(idem))


def decks_of_player(context: Context, player_id: str) -> Sequence[SavedDeck]:
    """Return a player's decks, the last changed first."""
    return deck_rows.read_decks(context.store, player_id)


def find_deck(context: Context, player_id: str, deck_id: str) -> SavedDeck:
    """Return a player's deck. Raises `NotFound`, even for other players' decks."""
    found = deck_rows.read_deck(context.store, player_id, deck_id) if is_id(deck_id) else None
    if found is None:
        raise NotFound
    return found


def change_deck(context: Context, after: SavedDeck, admits: Admits) -> SavedDeck:
    """Replace the deck with this id. Raises `NotFound`, and `DeckChanged` if the caller knows another version."""
    changed = deck_rows.replace_deck(context.store, replace(after, changed_ms=context.now()), admits)
    if changed is None:
        raise NotFound
    return changed


def delete_deck(context: Context, player_id: str, deck_id: str, admits: Admits) -> None:
    """Delete a deck. Raises `NotFound`, and `DeckChanged` if it is not admitted."""
    if not is_id(deck_id) or not deck_rows.delete_deck(context.store, player_id, deck_id, admits):
        raise NotFound


def _id_of(idem: Idempotency) -> str:
    """Derive the id of the deck that a request saves, for a repeat to find it."""
    return derived_id(idem.key_hash, "deck")
