"""Describes a match to be created."""

from collections.abc import Mapping
from typing import Any

from domain.core.clock import Clock
from domain.core.strengths import Level
from domain.core.values import value
from domain.match.creation import DealGroup, DealKnown, Series


@value
class SeatRequest:
    """A seat of a match to be created; `kind` is me, open, invite or bot."""

    kind: str
    level: Level | None = None
    entry: Any = None
    """The caller's entry for the game, if it uses one."""
    player: str | None = None
    """The player for whom the seat is reserved, even if they leave it."""
    nonce: str | None = None
    """The caller's nonce for the shuffles; `nonce_hash` is its promise."""
    nonce_hash: str | None = None
    player_key: str | None = None
    """The key with which a caller who sits down signs the moves of the seat."""
    key_proof: str | None = None
    """A signature by that key, which shows that the caller holds it."""


@value
class NewMatch:
    """A match to be created, checked and completed."""

    game: str
    options: Mapping[str, Any]
    preset: str | None
    places: tuple[SeatRequest, ...]
    visibility: str
    clock: Clock
    series: Series
    deal_group: DealGroup | None = None
    deal_known: DealKnown | None = None
