"""This module describes a match that is to be created."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.core.clock import Clock
from domain.match.creation import DealGroup, DealKnown, Level, Series


@dataclass(slots=True, frozen=True)
class SeatRequest:
    """This is a seat of a match to be created; `kind` is me, open, invite or bot."""

    kind: str
    level: Level | None = None
    entry: Any = None
    """What a caller who sits down brings, where the game asks for it."""
    player: str | None = None
    """The player for whom the seat is kept, also if they leave it."""
    nonce: str | None = None
    """What a caller who sits down gives to the shuffles; `nonce_hash` is its promise."""
    nonce_hash: str | None = None
    player_key: str | None = None
    """The key with which a caller who sits down signs the moves of the seat."""
    key_proof: str | None = None
    """A signature by that key, which shows that the caller holds it."""


@dataclass(slots=True, frozen=True)
class NewMatch:
    """This is a match to be created, checked and completed."""

    game: str
    options: Mapping[str, Any]
    preset: str | None
    places: tuple[SeatRequest, ...]
    visibility: str
    clock: Clock
    series: Series
    deal_group: DealGroup | None = None
    deal_known: DealKnown | None = None
