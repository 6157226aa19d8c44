"""Reads the gains of seats in a match, for use in other matches."""

from typing import Any

from domain.core.game import AnyGame
from domain.core.types import fields_of
from domain.match import Match


def gains_of(m: Match) -> tuple[Any, ...]:
    """Return the gains of each seat in a match whose game is over; None for no gains."""
    gains = m.game.lifecycle.gains
    return gains(m.table) if gains is not None and m.table is not None else ()


def is_entry(game: AnyGame, gained: Any) -> bool:
    """Return whether a gain has the type that the game takes as an entry."""
    assert game.entry is not None
    return type(gained) is fields_of(game.entry.event)[game.entry.field].of
