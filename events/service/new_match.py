"""What a match is to be that somebody wants to create."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.core.clock import Clock
from domain.match.events import DealGroup, DealKnown, Level, Series


@dataclass(slots=True, frozen=True)
class SeatRequest:
    """A seat of a match to be created: `kind` me, open, invite or bot."""

    kind: str
    level: Level | None = None
    entry: Any = None  # what a caller who sits down brings, where the game asks for it
    player: str | None = None  # for whom the seat is kept, also should he leave it


@dataclass(slots=True, frozen=True)
class NewMatch:
    """What a match is to be, checked and completed: see `api.http.schemas`."""

    game: str
    options: Mapping[str, Any]
    preset: str | None
    places: tuple[SeatRequest, ...]
    visibility: str
    clock: Clock
    series: Series
    deal_group: DealGroup | None = None
    deal_known: DealKnown | None = None
