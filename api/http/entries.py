"""Reads what seats bring to a lobby: the fields that games ask for, and the value that was sent."""

from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

from marshmallow import fields

from api.http.fields import Moment, Strict
from domain.core.clock import Time
from domain.core.game import AnyGame, Entry
from domain.games.catalogue import GAMES


def entry_fields() -> dict[str, fields.Field[Any]]:
    """Give a field for what each game asks of a seat, by its name."""
    return {entry.field: _field(entry) for game in GAMES.values() if (entry := game.entry)}


def _field(entry: Entry[Any, Any]) -> fields.Field[Any]:
    hint = get_args(get_type_hints(entry.event)[entry.field])[0]
    return Moment(allow_none=True) if hint is Time else fields.Dict(allow_none=True)


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
