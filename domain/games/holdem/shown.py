"""Shows the table of Texas hold'em: poker around a board."""

from typing import Final

from domain.core.cards import NAMES, Seat
from domain.core.scene import BOARD, Scene, Spot, Zone
from domain.poker import betting_shown
from domain.poker.betting_table import State

BOARD_CARDS: Final = 5
"""The number of cards of a complete board."""


def scene(s: State, seat: Seat | None) -> Scene:
    """Return the table as this seat knows it, as data."""
    return betting_shown.scene(s, seat, (board(s),))


def board(s: State) -> Zone:
    """Return the board, with places for the cards to come."""
    up = tuple(Spot(NAMES[c]) for c in s.board)
    return Zone("board", BOARD, "row", None, up + (Spot(empty=True),) * (BOARD_CARDS - len(up)), len(up))
