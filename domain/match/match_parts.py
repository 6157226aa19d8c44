"""Lists the parts of a match, and gathers their declarations."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from domain.match.clocks import CLOCKS
from domain.match.draws import DRAWS
from domain.match.group import GROUP
from domain.match.match_part import MatchPart, Rule, Source
from domain.match.match_results import RESULTS
from domain.match.match_shuffles import SHUFFLES
from domain.match.move_signatures import MOVE_SIGNATURES
from domain.match.resignations import RESIGNATIONS
from domain.match.seating import SEATING
from domain.match.stakes import STAKES
from domain.match.take_backs import TAKE_BACKS

K = TypeVar("K")
V = TypeVar("V")

PARTS: Final[tuple[MatchPart, ...]] = (
    SEATING,
    SHUFFLES,
    GROUP,
    STAKES,
    RESIGNATIONS,
    DRAWS,
    CLOCKS,
    TAKE_BACKS,
    MOVE_SIGNATURES,
    RESULTS,
)


def gather(declaration: Callable[[MatchPart], Mapping[K, V]]) -> dict[K, V]:
    """Return the declarations of all parts, in order."""
    return {key: row for part in PARTS for key, row in declaration(part).items()}


def rules_for(source: Source) -> Mapping[type, Rule]:
    """Return the commands from a source, each with its condition."""
    return gather(lambda part: part.admits.get(source, {}))


SEAT_COMMANDS: Final = gather(lambda part: part.seat_commands)
"""A seat sends these commands of the match like a move, by their names in the API."""

EVENTS: Final = tuple(gather(lambda part: part.texts))
"""The events of a match's life, subject by subject (contract 3; rules 1.5)."""

LIFE: Final = frozenset(EVENTS)


def gather_events(declaration: Callable[[MatchPart], frozenset[type]]) -> frozenset[type]:
    """Return the union of a declaration of event types over all parts."""
    return frozenset(kind for part in PARTS for kind in declaration(part))


OPENED_WITH_HAND: Final = gather_events(lambda part: part.opened_with_hand)

OF_NO_HAND: Final = LIFE - OPENED_WITH_HAND

OUTSIDE_PLAY: Final = gather_events(lambda part: part.outside_play)

ENDS_UNDO: Final = gather_events(lambda part: part.ends_undo)
