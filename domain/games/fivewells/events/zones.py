"""Defines the events of hands, libraries and graveyards."""

from typing import Literal

from domain.core.cards import Seat
from domain.core.values import value
from domain.core.visibility import Private
from domain.games.fivewells.handles import Face, Faces, Handle, Handles


@value
class CardDrawn:
    """A seat draws a card, by a spell or an ability; what it draws in its turn is in `TurnStarted`."""

    seat: Seat
    card: Private[Face]
    """The card."""


@value
class DrawFailed:
    seat: Seat


@value
class CardsDiscarded:
    seat: Seat
    cards: Faces
    """The cards."""
    why: Literal["choose", "random", "cleanup", "all"]
    """Whether the seat chose, chance did, it was at cleanup, or it was all of them."""


@value
class CardsMilled:
    seat: Seat
    cards: Faces
    """The cards."""


@value
class CardReturned:
    """A card goes from a graveyard to its owner's hand."""

    object: Handle
    card: str
    """The id of the card."""
    owner: Seat
    from_: Literal["graveyard"]
    """Where the card was."""
    to: Literal["hand"]
    """Where it goes."""


@value
class Scouted:
    """A seat has looked at the top cards of its library, and put some of them under it; the first lies deepest."""

    seat: Seat
    count: int
    """How many cards the seat has looked at."""
    to_bottom: int
    """How many it puts under the library."""
    top: Private[Handles]
    """The cards on top, from the top on."""
    bottom: Private[Handles]
    """The cards under the library; the first lies deepest."""


@value
class LibrarySearched:
    """A seat takes these cards out of its library, and shows them."""

    seat: Seat
    found: Faces
    """The cards."""
    to: Literal["hand", "battlefield_tapped"]
    """Where they go."""
