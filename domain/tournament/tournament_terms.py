"""Defines the terms of a tournament other than its plan: the game, the prizes and the conditions of entry."""

from collections.abc import Mapping
from typing import Any, Literal

from domain.core.clock import Clock
from domain.core.values import value


@value
class MatchTerms:
    """Says what is played at every table: a game with its options, a clock, and a series."""

    game: str
    """The name of the game."""
    options: Mapping[str, Any]
    """All options of the game, and those that every game has."""
    preset: str | None
    """The preset that the options began with; null if there is none."""
    clock: Clock
    """The clock of each match."""
    best_of: int | None
    """Maximum games of each match, not counting drawn games; null for the game's default."""
    deciding: Mapping[str, Any] | None = None
    """All options of a match that is played because of a tie, which is one game; null: it is as the others."""


@value
class PlacePrize:
    """Says what everybody gets who ends in a place: boosters by their set, and a promo card."""

    place: int
    """The place, from 1."""
    boosters: Mapping[str, int]
    """How many boosters of which set."""
    promo: str | None
    """The id of a promo card; null if there is none."""


@value
class EntryTerms:
    """Says who may enter a tournament, and who may see it."""

    visibility: Literal["public", "private"] = "public"
    """The visibility: public, or private to its organisers, invited players and entrants."""
    by_invite: bool = False
    """Whether only invited players may enter."""
    least_rating: int | None = None
    """The minimum rating to enter; null for no limit."""
    most_rating: int | None = None
    """The maximum rating to enter; null for no limit."""
    least_reliability: int | None = None
    """The minimum percentage of on-time decisions to enter; null for no limit."""


@value
class Preparation:
    """Says what entrants play before the first round, in pods: what they gain there they bring to all tables."""

    terms: MatchTerms
    """The game in every pod."""
    seats: int
    """Maximum entrants of a pod."""
    fewest: int
    """The fewest seats with which it is played; bots have those that are left."""
