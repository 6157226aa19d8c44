"""This module gives the rounds of a tournament as they were played, and says why they were paired so.

All of it follows from the events, which name what the state no longer holds: the matches, and who has ruled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from domain.tournament.played_rounds import BOT, PlayedRound, Seating, TableResult, met_of, points_by_entrant
from domain.tournament.tournament_course import ground_of
from domain.tournament.tournament_events import (
    ByeGiven,
    RoundClosed,
    RoundPaired,
    TableAdjudicated,
    TableDrawn,
    TableFinished,
    TableForfeited,
    TableRuled,
)
from domain.tournament.tournament_formats import FORMATS
from domain.tournament.tournament_standings import Standing, standings
from domain.tournament.tournament_state import Tournament
from events.log.commits import read_shaped
from events.service.kinds import TOURNAMENT
from events.service.tournament_lines import match_of
from events.service.tournaments import HeldTournament


@dataclass(slots=True)
class TableOfRound:
    """This is a table of a round: its seats, its matches in order, and how it ended, by what and why.

    `how` is `open`, `finished`, `forfeited`, `adjudicated` or `ruled`; `by` is who has ruled it; `absent` are those who
    did not come, or were late.
    """

    seats: Seating
    matches: list[str]
    how: str = "open"
    result: TableResult | None = None
    reason: str | None = None
    by: str | None = None
    absent: tuple[int, ...] = ()


@dataclass(slots=True)
class RoundSeen:
    """This is a round: its stage, what it was drawn from, its tables, and who had a bye."""

    number: int
    stage: str
    link: int
    seed: str
    tables: list[TableOfRound]
    byes: list[int] = field(default_factory=list)
    closed: bool = False


class Pairing(NamedTuple):
    """This says from what a table was paired: the points of each seat before the round, and which pairs had met."""

    points: tuple[int | None, ...]
    met: tuple[tuple[int, int, int], ...]
    """Two entrants who had met before, and how often."""


def rounds_of(found: HeldTournament) -> list[RoundSeen]:
    """Give the rounds of a tournament, from the first."""
    seen: list[RoundSeen] = []
    for event in read_shaped(found.rows, TOURNAMENT.shapes, 0):
        _tell(found.head.match_id, seen, event)
    return seen


def _tell(tournament_id: str, seen: list[RoundSeen], event: Any) -> None:
    match event:
        case RoundPaired():
            tables = [
                TableOfRound(seats, [match_of(tournament_id, event.round, table, 0)])
                for table, seats in enumerate(event.tables)
            ]
            seen.append(RoundSeen(event.round, event.stage, event.link, event.seed, tables))
        case ByeGiven():
            seen[-1].byes.append(event.entrant)
        case RoundClosed():
            seen[-1].closed = True
        case TableFinished():
            _ended(seen, event, "finished")
        case TableDrawn():
            _again(tournament_id, seen, event)
        case TableForfeited():
            _ended(seen, event, "open" if event.result is None else "forfeited").absent = event.absent
            if event.result is None:
                _again(tournament_id, seen, event)
        case TableAdjudicated():
            _ended(seen, event, "adjudicated").absent = event.late
        case TableRuled():
            table = _ended(seen, event, "ruled")
            table.reason, table.by = event.reason, event.by


def _ended(seen: list[RoundSeen], event: Any, how: str) -> TableOfRound:
    table: TableOfRound = seen[-1].tables[event.table]
    table.how, table.result = how, event.result
    return table


def _again(tournament_id: str, seen: list[RoundSeen], event: TableDrawn | TableForfeited) -> None:
    """Note the next match of a table that is played once more."""
    table = seen[-1].tables[event.table]
    table.matches.append(match_of(tournament_id, event.round, event.table, event.attempt))


def pairings(t: Tournament, one: RoundSeen) -> list[Pairing]:
    """Give for each table of a round from what it was paired."""
    before: Sequence[PlayedRound] = t.played[: one.number - 1]
    points, met = points_by_entrant(before, t.plan.seats), met_of(before)
    return [_pairing(table.seats, points, met) for table in one.tables]


def _pairing(seats: Seating, points: Mapping[int, int], met: Mapping[tuple[int, int], int]) -> Pairing:
    there = sorted(one for one in seats if one is not BOT)
    again = ((a, b, met.get((a, b), 0)) for a in there for b in there if a < b)
    return Pairing(
        tuple(None if one is BOT else points.get(one, 0) for one in seats), tuple(each for each in again if each[2])
    )


# --- Standings --------------------------------------------------------------------------------------------


def ranking(t: Tournament) -> list[tuple[int, Standing]]:
    """Give the place of each entrant by the format, with points and what breaks ties, the first place first.

    Nobody is ranked before entries are closed.
    """
    if not t.order:
        return []
    rows = {row.entrant: row for row in standings(t.order, t.played, t.plan.seats)}
    places = FORMATS[t.plan.format].places(ground_of(t))
    return sorted(((places[one], row) for one, row in rows.items()), key=lambda each: (each[0], each[1].place))
