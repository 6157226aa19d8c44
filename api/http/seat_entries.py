"""Reads what seats bring to a lobby: the fields that games ask for, and the value that was sent."""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields, validate

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import doc
from api.http.game_request_schemas import request_field
from api.http.request_parsing import invalid_request
from api.http.strict_fields import Moment, Strict
from domain.core.clock import Time
from domain.core.collectible import Deck
from domain.core.field_docs import field_docs
from domain.core.game import AnyGame, Entry
from domain.core.types import fields_of
from domain.games.catalogue import GAMES
from events.errors import NotFound
from events.service import saved_decks


def entry_fields() -> dict[str, fields.Field[Any]]:
    """Return a field for each game's entry, by its name."""
    return {entry.field: _field(game.words.title, entry) for game in GAMES.values() if (entry := game.entry)}


def _field(title: str, entry: Entry[Any, Any]) -> fields.Field[Any]:
    t, doc = fields_of(entry.event)[entry.field], field_docs(entry.event).get(entry.field)
    told = {"metadata": {"description": f"For {title}. {doc}"}} if doc else {}
    return Moment(allow_none=True, **told) if t.of is Time else request_field(t, told)


EntryBody = Strict.from_dict(entry_fields(), name="EntryBody")
"""This schema admits what a seat brings, by the name that its game gives it."""


def unasked_fields(game: AnyGame, sent: Mapping[str, Any]) -> list[str]:
    """Return the names of entries that the game does not use."""
    asked = game.entry.field if game.entry else None
    given = {**sent, **(sent.get("entry") or {})}
    return [name for name in entry_fields() if name in given and name != asked]


def deck_id_field() -> fields.String:
    """Return the field for a saved deck of the caller."""
    return fields.String(
        validate=validate.Length(max=40),
        **doc("One of your saved decks, to be brought in a game that asks for a deck.", maxLength=40),
    )


def entry_of(game: AnyGame, sent: Mapping[str, Any]) -> Any:
    """Return the entry for the game: from `entry`, from a field next to it, or from a saved deck; None without one.

    Raise 422 for the id of a deck that cannot be used.
    """
    given = {**sent, **(sent.get("entry") or {})}
    brought = given.get(game.entry.field) if game.entry else None
    return _saved(game, sent["deck_id"], brought) if "deck_id" in sent else brought


def _saved(game: AnyGame, deck: str, brought: Any) -> Any:
    """Return a saved deck of the caller, for a game with decks."""
    if game.entry is None or fields_of(game.entry.event)[game.entry.field].of is not Deck:
        raise invalid_request({"deck_id": [f"{game.words.title} does not use decks."]})
    if brought is not None:
        raise invalid_request({"deck_id": [f"Send `deck_id` or `{game.entry.field}`, not both."]})
    try:
        return saved_decks.find_deck(app_state().context, require_player().player_id, deck).deck
    except NotFound:
        raise invalid_request({"deck_id": ["You have no such deck. `GET /v1/decks` lists yours."]}) from None
