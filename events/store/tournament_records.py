"""This module has the records of tournaments and of their tables."""

from typing import NamedTuple


class TournamentRow(NamedTuple):
    """This is a tournament as lists show it; times are in milliseconds, those of its tables in days and seconds."""

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
    """This is a table that waits for the end of a match."""

    tournament_id: str
    round: int
    place: int
    attempt: int
    match_id: str


class TournamentListing(NamedTuple):
    """This says which tournaments are listed: those of a status, of a game, or of the viewer alone."""

    status: str | None = None
    game: str | None = None
    mine: bool = False
