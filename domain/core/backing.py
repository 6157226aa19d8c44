"""Defines the sources of entries that a player must already have before the match."""

from collections.abc import Mapping
from typing import Any

from domain.core.cards import Seat
from domain.core.values import value


@value
class OfCollection:
    """The entry comes from the player's collection: the game gets the number of copies of each card, as `Counts`."""


@value
class OfMatch:
    """The entry was gained in a finished match, by `lifecycle.gains`; the game gets the gains of the seat.

    Bots use the gains of that match's bots, in the order of its seats: from `bots_from` on, then from seat 0.
    """

    match_id: str
    bots_from: Seat = 0


@value
class OfTournament:
    """The entry was gained when entrants prepared for a tournament; the game gets the player's gains."""


@value
class FromMatch:
    """A match with these options uses gains from the match whose id is in the option `named_by`."""

    options: Mapping[str, Any]
    named_by: str


Backing = OfCollection | OfMatch | OfTournament | None
"""The source of an entry; None if the match can judge it without one."""


def needs_no_backing(options: Any) -> Backing:
    """Require no source for the entry."""
    return None


def kept_as_brought(options: Any, brought: Any, there: Any) -> Any:
    """Return the entry unchanged."""
    return brought
