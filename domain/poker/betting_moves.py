"""Defines the moves of both games of poker (poker 2, 3, 5)."""

from typing import Annotated, Final

from domain.core.cards import Cards, Seat
from domain.core.types import Title
from domain.core.values import value


@value
class Fold:
    """Fold the hand."""


@value
class Check:
    """Check, if nothing is owed."""


@value
class Call:
    """Call the amount owed, or all-in for less."""


@value
class Bet:
    """Bet first in a round."""

    to: Annotated[int, Title("Chips in this round")]
    """The chips that the seat has then put in during this round."""


@value
class Raise:
    """Raise a bet."""

    to: Annotated[int, Title("Chips in this round")]
    """The chips that the seat has then put in during this round."""


@value
class AllIn:
    """Go all-in: a bet, a raise or a call."""


@value
class SwapCards:
    """Exchange these cards, or none."""

    cards: Cards
    """The cards to exchange; none to keep all."""


@value
class ShowCards:
    """Show some of your own cards after the betting."""

    cards: Cards
    """The cards to show."""


@value
class LeaveTable:
    """Leave the table for good; the result so far is final."""


# --- Chance ---------------------------------------------------------------------------------------------


@value
class PickButton:
    """Give the button to one of the seats in the game, counted from 0."""

    number: Seat


@value
class Deal:
    pack: Cards


@value
class Redeal:
    cards: Cards


OFF_TURN: Final[frozenset[type]] = frozenset([ShowCards, LeaveTable])
"""These moves answer nothing that a seat is asked."""

BettingMove = Fold | Check | Call | Bet | Raise | AllIn
Move = BettingMove | SwapCards | ShowCards | LeaveTable | PickButton | Deal | Redeal
