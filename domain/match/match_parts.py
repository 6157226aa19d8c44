"""Lists the parts of a match, and gathers their declarations."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from domain.match.bot_seats import BOT_SEATS
from domain.match.clocks import CLOCKS
from domain.match.draws import DRAWS
from domain.match.group import GROUP
from domain.match.match_part import MatchPart, Rule, Source
from domain.match.match_results import RESULTS
from domain.match.match_shuffles import SHUFFLES
from domain.match.move_signatures import MOVE_SIGNATURES
from domain.match.pauses import PAUSES
from domain.match.resignations import RESIGNATIONS
from domain.match.seating import SEATING
from domain.match.stakes import STAKES
from domain.match.take_backs import TAKE_BACKS
from domain.match.time_outs import TIME_OUTS

K = TypeVar("K")
V = TypeVar("V")

PARTS: Final[tuple[MatchPart, ...]] = (
    SEATING,
    SHUFFLES,
    GROUP,
    CLOCKS,
    TIME_OUTS,
    RESIGNATIONS,
    DRAWS,
    PAUSES,
    TAKE_BACKS,
    BOT_SEATS,
    MOVE_SIGNATURES,
    STAKES,
    RESULTS,
)


def gather(said: Callable[[MatchPart], Mapping[K, V]]) -> dict[K, V]:
    """Return the declarations of all parts, in order."""
    return {key: row for part in PARTS for key, row in said(part).items()}


def rules_for(source: Source) -> Mapping[type, Rule]:
    """Return the commands from a source, each with its condition."""
    return gather(lambda part: part.admits.get(source, {}))


SEAT_COMMANDS: Final = gather(lambda part: part.seat_commands)
"""A seat sends these commands of the match like a move, by their names in the API."""
