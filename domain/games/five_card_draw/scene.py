"""Describes the table of five-card draw as data: poker without a board."""

from domain.core.cards import Seat
from domain.core.scene import Scene
from domain.poker import betting_scene as common
from domain.poker.betting_table import State


def scene(s: State, seat: Seat | None) -> Scene:
    """Return the table as this seat knows it, as data."""
    return common.scene(s, seat)
