"""Declares what a table of Hearts shows."""

from typing import Annotated, TypedDict

from domain.core.cards import CardName, Seat
from domain.core.shown import TrickTableShown
from domain.core.types import Doc
from domain.games.hearts.options import Direction

_Passing = TypedDict("_Passing", {"pass": Annotated[Direction, Doc("Where cards are passed in this hand.")]})


class ExchangeShown(TypedDict):
    """This is the reader's own part in the exchange of cards; null before it happened, and for a spectator."""

    passed: list[CardName] | None
    """The cards that the reader passed."""
    received: list[CardName] | None
    """The cards that were passed to the reader."""
    returned: CardName | None
    """The card that the reader gave back."""
    regained: CardName | None
    """The card that the reader got back."""


class HeartsShown(TrickTableShown, _Passing, ExchangeShown):
    """This is the table of a game of Hearts."""

    hearts_open: bool
    """Whether hearts may be led."""
    two_of_clubs_shown: Seat | None
    """The seat that has shown the two of clubs."""
