"""Returns the rounds of a tournament with the reasons for their pairings.

They follow from the events, which name data that the state drops: matches and rulings.
"""

from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import combinations
from threading import Lock
from typing import Any, Final, NamedTuple

from domain.core.values import mutable, with_fields
from domain.tournament import round_tables
from domain.tournament.elimination import advancing_from
from domain.tournament.formats.arena import TablesPaired
from domain.tournament.formats.format_catalogue import format_of, ground_of
from domain.tournament.formats.many_tables import stacks_of
from domain.tournament.rounds import (
    BOT,
    PlayedRound,
    Seating,
    TableResult,
    is_last_table,
    met_of,
    points_by_entrant,
    points_of,
)
from domain.tournament.tournament_standings import Standing, standings
from domain.tournament.tournament_state import Tournament
from events.ids import match_of
from events.log.commits import read_events
from events.service.stream_kinds import TOURNAMENT
from events.service.tournaments import HeldTournament


class Pairing(NamedTuple):
    """The data from which a table was paired: the points of each seat before it, and the pairs that had met."""

    points: tuple[int | None, ...]
    met: tuple[tuple[int, int, int], ...]
    """Two entrants who had met before, and how often."""


def pairing_of(seats: Seating, points: Mapping[int, int], met: Mapping[tuple[int, int], int]) -> Pairing:
    """Return the data from which a table was paired, as known at that time."""
    again = ((*pair, met.get(pair, 0)) for pair in _pairs(seats))
    return Pairing(
        tuple(None if one is BOT else points.get(one, 0) for one in seats), tuple(each for each in again if each[2])
    )


def _pairs(seats: Seating) -> list[tuple[int, int]]:
    return list(combinations(sorted(one for one in seats if one is not BOT), 2))


class ArenaTally:
    """The state of a running arena, in which tables count when they end: points, and the pairs that met."""

    def __init__(self) -> None:
        self._points: Counter[int] = Counter()
        self._met: Counter[tuple[int, int]] = Counter()

    def paired(self, tables: Sequence[Seating]) -> list[Pairing]:
        """Return the data from which these tables are paired, and record that their entrants have met."""
        found = [pairing_of(seats, self._points, self._met) for seats in tables]
        for seats in tables:
            self._met.update(_pairs(seats))
        return found

    def ended(self, before: TableResult | None, after: TableResult | None) -> None:
        """Count the result of a table, instead of its result before a ruling."""
        for sign, result in ((-1, before), (1, after)):
            for seat, one in enumerate(result.seats if result else ()):
                if one is not BOT and result is not None:
                    self._points[one] += sign * points_of(result, seat)


@mutable
class TableOfRound:
    """A table of a round: its seats, its matches in order, and how it ended and why.

    `how` is `open`, `finished`, `forfeited`, `adjudicated` or `ruled`. `by` is the organiser who ruled it. `absent` are
    no-shows, or the players to move at the deadline. `sits` says for each seat of an open table whether it is taken,
    once known.
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
    """A draw that paired tables of a round: the first table, the position of the seed, and the seed."""

    first_table: int
    link: int
    seed: str


@mutable
class RoundSeen:
    """A round: its stage, its seed, its tables, and its byes.

    An arena pairs its round repeatedly; `pairings_of_round` has the data of each table's pairing, and `tally`
    continues.
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
    """Return the rounds of a tournament, from the first."""
    seen: list[RoundSeen] = []
    for event in read_events(found.rows, TOURNAMENT.shapes, 0):
        _tell(found.head.match_id, seen, event)
    return seen


def _tell(tournament_id: str, seen: list[RoundSeen], event: Any) -> None:
    match event:
        case round_tables.RoundPaired():
            seen.append(RoundSeen(event.round, event.stage, [], []))
            _paired(tournament_id, seen[-1], event)
        case TablesPaired():
            _paired(tournament_id, seen[-1], event)
        case round_tables.ByeGiven():
            seen[-1].byes.append(event.entrant)
        case round_tables.RoundClosed():
            seen[-1].closed = True
        case round_tables.TableFinished():
            _ended(seen, event, "finished").absent = event.absent
        case round_tables.TableDrawn():
            _record_replay(tournament_id, seen, event)
        case round_tables.TableForfeited():
            _ended(seen, event, "open" if event.result is None else "forfeited").absent = event.absent
            if event.result is None:
                _record_replay(tournament_id, seen, event)
        case round_tables.TableAdjudicated():
            _ended(seen, event, "adjudicated").absent = event.late
        case round_tables.TableRuled():
            table = _ended(seen, event, "ruled")
            table.reason, table.by = event.reason, event.by


def _paired(tournament_id: str, one: RoundSeen, event: round_tables.RoundPaired | TablesPaired) -> None:
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


def _record_replay(
    tournament_id: str, seen: list[RoundSeen], event: round_tables.TableDrawn | round_tables.TableForfeited
) -> None:
    """Record the next match of a table that is replayed."""
    table = seen[-1].tables[event.table]
    table.matches.append(match_of(tournament_id, event.round, event.table, event.attempt))


def pairings_of_round(t: Tournament, one: RoundSeen) -> list[Pairing]:
    """Return the data from which each table of a round was paired."""
    if format_of(t).is_continuous:
        return one.pairings
    before: Sequence[PlayedRound] = t.played[: one.number - 1]
    points, met = points_by_entrant(before, t.plan.seats), met_of(before)
    return [pairing_of(table.seats, points, met) for table in one.tables]


def advancing_entrants(t: Tournament, one: RoundSeen) -> list[tuple[int, ...] | None]:
    """Return the entrants who advance from each table of a round; None for open tables, and outside eliminations."""
    ground = with_fields(ground_of(t), rounds=t.played[: one.number - 1])
    last = is_last_table(one.tables, one.byes)
    results = [table.result if one.stage == "elimination" else None for table in one.tables]
    return [None if result is None else advancing_from(ground, result, last=last) for result in results]


# --- Standings --------------------------------------------------------------------------------------------


def ranked_entrants(t: Tournament) -> list[tuple[int, Standing]]:
    """Return the standings with points and tie-breaks, the first place first; empty before entries close."""
    if not t.order:
        return []
    ground = ground_of(t)
    played = format_of(t)
    rows = {row.entrant: row for row in standings(t.order, played.counted(ground), t.plan.seats)}
    places = played.places(ground)
    return sorted(((places[one], row) for one, row in rows.items()), key=lambda each: (each[0], each[1].place))


def current_stacks(t: Tournament) -> dict[int, int]:
    """Return the stacks of all entrants after the last closed round, 0 for those out; empty without stacks."""
    if not format_of(t).has_stacks or not t.order:
        return {}
    there = stacks_of(ground_of(t))
    return {one: 0 if one in t.left else there.get(one, 0) for one in t.order}


MOST: Final = 16
"""Maximum number of cached rankings."""

_kept: OrderedDict[bytes, list[tuple[int, Standing]]] = OrderedDict()
_lock = Lock()


def ranking_of(found: HeldTournament) -> list[tuple[int, Standing]]:
    """Return the ranking of a tournament. It follows from the log, which the digest of the head identifies."""
    digest = found.head.head
    with _lock:
        if digest in _kept:
            _kept.move_to_end(digest)
            return _kept[digest]
    made = ranked_entrants(found.state)
    with _lock:
        _kept[digest] = made
        if len(_kept) > MOST:
            _kept.popitem(last=False)
    return made
