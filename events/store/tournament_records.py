"""Defines the records of tournaments and of their tables."""

from typing import NamedTuple


class TournamentRow(NamedTuple):
    """A tournament as lists show it; times are in milliseconds, those of its tables in days and seconds."""

    tournament_id: str
    name: str
    organiser: str
    status: str
    visibility: str
    game: str
    format: str
    entrants: int
    most: int
    round: int
    rounds: int | None
    round_days: int | None
    show_up_seconds: int
    closes_ms: int | None
    created_ms: int


class TableRow(NamedTuple):
    """A table that waits for the end of a match."""

    tournament_id: str
    round: int
    place: int
    attempt: int
    match_id: str


class TournamentListing(NamedTuple):
    """The filter for listed tournaments: by status, by game, or only the viewer's own."""

    status: str | None = None
    game: str | None = None
    mine: bool = False
