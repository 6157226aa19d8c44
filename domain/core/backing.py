"""Defines where that lies which a seat brings to the lobby, where a game asks that its player has it already."""

from collections.abc import Mapping
from typing import Any

from domain.core.cards import Seat
from domain.core.values import value


@value
class OfCollection:
    """It is of the player's collection: the game is told how many copies of each card that has, as `Counts`."""


@value
class OfMatch:
    """It was gained in a finished match, as its game says in `lifecycle.gains`; the game is told what the seat has.

    Bots bring what bots have gained there, in the order of the seats there, from the seat `bots_from` on and around.
    """

    match_id: str
    bots_from: Seat = 0


@value
class OfTournament:
    """It was gained as entrants of the tournament prepared for its tables; the game is told what the player has."""


@value
class FromMatch:
    """A match has these options, and the id of another as its option `named_by`: what was gained there is brought."""

    options: Mapping[str, Any]
    named_by: str


Backing = OfCollection | OfMatch | OfTournament | None
"""What lies behind something that is brought; None where the match alone can judge it."""


def needs_no_backing(options: Any) -> Backing:
    """Require no backing of what is brought."""
    return None


def kept_as_brought(options: Any, brought: Any, there: Any) -> Any:
    """Return what is brought as it is."""
    return brought
