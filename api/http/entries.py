"""Reads what seats bring to a lobby: the fields that games ask for, and the value that was sent."""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from api.http.fields import Moment, Strict
from api.http.game_schemas import field_of
from domain.core.clock import Time
from domain.core.field_docs import field_docs
from domain.core.game import AnyGame, Entry
from domain.core.types import fields_of
from domain.games.catalogue import GAMES


def entry_fields() -> dict[str, fields.Field[Any]]:
    """Give a field for what each game asks of a seat, by its name."""
    return {entry.field: _field(game.words.title, entry) for game in GAMES.values() if (entry := game.entry)}


def _field(title: str, entry: Entry[Any, Any]) -> fields.Field[Any]:
    t, doc = fields_of(entry.event)[entry.field], field_docs(entry.event).get(entry.field)
    said = {"metadata": {"description": f"For {title}. {doc}"}} if doc else {}
    return Moment(allow_none=True, **said) if t.of is Time else field_of(t, said)


EntryBody = Strict.from_dict(entry_fields(), name="EntryBody")
"""This schema admits what a seat brings, by the name that its game gives it."""


def unasked(game: AnyGame, sent: Mapping[str, Any]) -> list[str]:
    """Name what was sent that the game does not ask of a seat."""
    asked = game.entry.field if game.entry else None
    given = {**sent, **(sent.get("entry") or {})}
    return [name for name in entry_fields() if name in given and name != asked]


def entry_of(game: AnyGame, sent: Mapping[str, Any]) -> Any:
    """Give what was sent for the game, in `entry` or beside it; None if nothing was."""
    given = {**sent, **(sent.get("entry") or {})}
    return given.get(game.entry.field) if game.entry else None
