"""This module gives the rounds of a tournament as they were played, and says why they were paired so.

All of it follows from the events, which name what the state no longer holds: the matches, and who has ruled.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from domain.core.values import with_fields
from domain.tournament.elimination import advancing_from
from domain.tournament.formats.arena import TablesPaired
from domain.tournament.formats.format_catalogue import format_of, ground_of
from domain.tournament.formats.many_tables import stacks_of
from domain.tournament.round_tables import (
    ByeGiven,
    RoundClosed,
    RoundPaired,
    TableAdjudicated,
    TableDrawn,
    TableFinished,
    TableForfeited,
    TableRuled,
)
from domain.tournament.rounds import PlayedRound, Seating, TableResult, is_last_table, met_of, points_by_entrant
from domain.tournament.tournament_standings import Standing, standings
from domain.tournament.tournament_state import Tournament
from events.ids import match_of
from events.log.commits import read_events
from events.service.stream_kinds import TOURNAMENT
from events.service.table_pairings import ArenaTally, Pairing, pairing_of
from events.service.tournaments import HeldTournament


@dataclass(slots=True)
class TableOfRound:
    """This is a table of a round: its seats, its matches in order, and how it ended, by what and why.

    `how` is `open`, `finished`, `forfeited`, `adjudicated` or `ruled`; `by` is who has ruled it; `absent` are those who
    did not come, or were late. `sits` says of each seat of an open table whether somebody sits there, once it is known.
    """

    seats: Seating
    matches: list[str]
    how: str = "open"
    result: TableResult | None = None
    reason: str | None = None
    by: str | None = None
    absent: tuple[int, ...] = ()
    sits: Sequence[bool] = ()


class PairingDraw(NamedTuple):
    """This is a draw by which tables of a round were paired: the first of them, the place of the seed, and the seed."""

    first_table: int
    link: int
    seed: str


@dataclass(slots=True)
class RoundSeen:
    """This is a round: its stage, what it was drawn from, its tables, and who had a bye.

    That of an arena is paired again and again; `pairings_of_round` says of its tables from what, and `tally` goes on.
    """

    number: int
    stage: str
    draws: list[PairingDraw]
    tables: list[TableOfRound]
    byes: list[int] = field(default_factory=list)
    closed: bool = False
    pairings: list[Pairing] = field(default_factory=list)
    tally: ArenaTally = field(default_factory=ArenaTally)


def rounds_of(found: HeldTournament) -> list[RoundSeen]:
    """Give the rounds of a tournament, from the first."""
    seen: list[RoundSeen] = []
    for event in read_events(found.rows, TOURNAMENT.shapes, 0):
        _tell(found.head.match_id, seen, event)
    return seen


def _tell(tournament_id: str, seen: list[RoundSeen], event: Any) -> None:
    match event:
        case RoundPaired():
            seen.append(RoundSeen(event.round, event.stage, [], []))
            _paired(tournament_id, seen[-1], event)
        case TablesPaired():
            _paired(tournament_id, seen[-1], event)
        case ByeGiven():
            seen[-1].byes.append(event.entrant)
        case RoundClosed():
            seen[-1].closed = True
        case TableFinished():
            _ended(seen, event, "finished").absent = event.absent
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


def _paired(tournament_id: str, one: RoundSeen, event: RoundPaired | TablesPaired) -> None:
    first = len(one.tables)
    one.draws.append(PairingDraw(first, event.link, event.seed))
    one.tables += [
        TableOfRound(seats, [match_of(tournament_id, event.round, table, 0)])
        for table, seats in enumerate(event.tables, first)
    ]
    one.pairings += one.tally.paired(event.tables)


def _ended(seen: list[RoundSeen], event: Any, how: str) -> TableOfRound:
    table: TableOfRound = seen[-1].tables[event.table]
    seen[-1].tally.ended(table.result, event.result)
    table.how, table.result = how, event.result
    return table


def _again(tournament_id: str, seen: list[RoundSeen], event: TableDrawn | TableForfeited) -> None:
    """Note the next match of a table that is played once more."""
    table = seen[-1].tables[event.table]
    table.matches.append(match_of(tournament_id, event.round, event.table, event.attempt))


def pairings_of_round(t: Tournament, one: RoundSeen) -> list[Pairing]:
    """Give for each table of a round from what it was paired."""
    if format_of(t).is_continuous:
        return one.pairings
    before: Sequence[PlayedRound] = t.played[: one.number - 1]
    points, met = points_by_entrant(before, t.plan.seats), met_of(before)
    return [pairing_of(table.seats, points, met) for table in one.tables]


def advancing_entrants(t: Tournament, one: RoundSeen) -> list[tuple[int, ...] | None]:
    """Give for each table of a round who goes on from it; None while it is open, and where it is no elimination."""
    ground = with_fields(ground_of(t), rounds=t.played[: one.number - 1])
    last = is_last_table(one.tables, one.byes)
    results = [table.result if one.stage == "elimination" else None for table in one.tables]
    return [None if result is None else advancing_from(ground, result, last=last) for result in results]


# --- Standings --------------------------------------------------------------------------------------------


def ranked_entrants(t: Tournament) -> list[tuple[int, Standing]]:
    """Give the place of each entrant by the format, with points and what breaks ties, the first place first.

    Nobody is ranked before entries are closed.
    """
    if not t.order:
        return []
    ground = ground_of(t)
    played = format_of(t)
    rows = {row.entrant: row for row in standings(t.order, played.counted(ground), t.plan.seats)}
    places = played.places(ground)
    return sorted(((places[one], row) for one, row in rows.items()), key=lambda each: (each[0], each[1].place))


def current_stacks(t: Tournament) -> dict[int, int]:
    """Give the stacks of all entrants after the last closed round, 0 of those out; none where there are no stacks."""
    if not format_of(t).has_stacks or not t.order:
        return {}
    there = stacks_of(ground_of(t))
    return {one: 0 if one in t.left else there.get(one, 0) for one in t.order}
