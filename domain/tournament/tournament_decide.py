"""Decides the commands of a tournament: returns their events and all that follow, or raises `Refused`."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from domain.core.game import Refused
from domain.tournament.format import Decisions, Draws
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.pods import FinishPod, RepeatPod
from domain.tournament.round_tables import AdjudicateTable, FinishTable, ForfeitTable
from domain.tournament.table_deals import DiscloseDeals
from domain.tournament.tournament_events import evolve, gather_parts
from domain.tournament.tournament_state import PLAYING, Tournament


def decide(t: Tournament, command: Any, chance: Draws) -> tuple[Any, ...]:
    """Return the events that a command leads to; none for a table that is over already. Raises `Refused`."""
    if t.ended and not isinstance(command, DiscloseDeals):
        if isinstance(command, FinishTable | ForfeitTable | AdjudicateTable | FinishPod | RepeatPod):
            return ()
        raise Refused("match_over", "The tournament has ended.")
    first = _DECIDE[type(command)](t, command, format_of(t), chance)
    return all_events(t, first, chance) if first else ()


_DECIDE: Final[Decisions] = gather_parts(lambda part: part.decisions)


def follow_up(t: Tournament, chance: Draws) -> Iterator[Any]:
    """Yield the events that follow automatically, until the tournament waits for a table or a person."""
    by = format_of(t)
    while t.status == PLAYING and not t.paused and (events := tuple(by.step(t, by, chance))):
        for event in events:
            yield event
            t = evolve(t, event)


def all_events(t: Tournament, first: tuple[Any, ...], chance: Draws) -> tuple[Any, ...]:
    """Return the decided events, and all that follow from them automatically."""
    after = t
    for event in first:
        after = evolve(after, event)
    return tuple(chain(first, follow_up(after, chance)))
