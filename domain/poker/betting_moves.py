"""Defines the moves of both games of poker (poker 2, 3, 5), and explains their refusals."""

from collections.abc import Mapping
from typing import Annotated, Final

from domain.core.cards import Cards, Seat
from domain.core.refusals import Refusal
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
    """The seat's chips in this round after this."""


@value
class Raise:
    """Raise a bet."""

    to: Annotated[int, Title("Chips in this round")]
    """The seat's chips in this round after this."""


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
    """Leave the table permanently; the result so far is final."""


# --- Chance ---------------------------------------------------------------------------------------------


@value
class PickButton:
    """Place the button at one of the seats in the game, counted from 0."""

    number: Seat


@value
class Deal:
    pack: Cards


@value
class Redeal:
    cards: Cards


OFF_TURN: Final[frozenset[type]] = frozenset([ShowCards, LeaveTable])
"""The moves that answer no decision."""

BettingMove = Fold | Check | Call | Bet | Raise | AllIn
Move = BettingMove | SwapCards | ShowCards | LeaveTable | PickButton | Deal | Redeal


# --- Refusals -------------------------------------------------------------------------------------


REFUSALS: Mapping[str, Refusal] = {
    "illegal_action": Refusal("Action not possible", "Call, raise or fold if you owe chips; otherwise check or bet."),
    "raise_not_open": Refusal("You may not raise", "Call or fold."),
    "not_enough_chips": Refusal("Not enough chips", "Bet at most your stack, or go all-in."),
    "below_minimum": Refusal("Below the minimum", "Bet at least the minimum, or go all-in."),
    "wrong_bet_size": Refusal("Wrong bet size", "A fixed limit allows one size. Use it, or go all-in."),
    "too_many_cards": Refusal("Too many cards", "Exchange at most the allowed number of cards."),
}
