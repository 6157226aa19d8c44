"""Lists the parts of a tournament and their events, and folds these into its state.

All readers of a tournament see all its events: none has a secret part. Entrants and tables are numbers from 0, rounds
count from 1.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from domain.tournament.announcement import ANNOUNCEMENT
from domain.tournament.entrants import ENTRANTS
from domain.tournament.format import TournamentPart
from domain.tournament.formats.format_catalogue import FORMATS
from domain.tournament.organiser import ORGANISER
from domain.tournament.place_prizes import PRIZES
from domain.tournament.pods import PODS
from domain.tournament.round_steps import END
from domain.tournament.round_tables import TABLES
from domain.tournament.table_deals import DEALS
from domain.tournament.tournament_state import Tournament

K = TypeVar("K")
V = TypeVar("V")

PARTS: Final[tuple[TournamentPart, ...]] = (
    *(ANNOUNCEMENT, ORGANISER, ENTRANTS, PODS, TABLES, PRIZES, END, DEALS),
    *(by.part for by in FORMATS.values() if by.part is not None),
)


def gather_parts(declaration: Callable[[TournamentPart], Mapping[K, V]]) -> dict[K, V]:
    """Return the declarations of all parts, in order."""
    return {key: row for part in PARTS for key, row in declaration(part).items()}


EVENTS: Final = tuple(event for part in PARTS for event in part.events)


def evolve(tournament: Tournament, event: Any) -> Tournament:
    """Return the tournament after an event."""
    t = tournament.copy()
    for part in PARTS:
        part.evolve(t, event)
    return t
