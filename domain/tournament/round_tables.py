"""Tables of a round: they are paired, and end by their match, by the time, or by a ruling."""

from collections.abc import Iterator
from typing import Any, Final, Literal

from domain.core.game import Refused
from domain.core.staking import LeavingStack, conserves
from domain.core.values import put_at, value
from domain.tournament.deciding_match import levels_before, result_after_tie
from domain.tournament.elimination import needs_replay
from domain.tournament.entrants import PlayerDropped
from domain.tournament.format import Draws, TournamentFormat, TournamentPart, ground_by
from domain.tournament.organiser import check_runs
from domain.tournament.rounds import BOT, PlayedRound, Seating, TableResult, is_last_table
from domain.tournament.tournament_state import Absent, Ended, EntrantNo, Reason, RoundNo, TableNo, Tournament

# --- Events -----------------------------------------------------------------------------------------------


@value
class RoundPaired:
    """A round is paired."""

    round: RoundNo
    stage: Literal["main", "elimination"]
    """Whether tied tables are replayed until they are decided."""
    link: int
    """The place of the seed in the chain."""
    seed: str
    """The seed; hashed `link` times, it gives the commitment."""
    tables: tuple[Seating, ...]
    """The entrants of each table, seat by seat; null is a bot."""


@value
class ByeGiven:
    """An entrant has no table in a round, which counts as a win."""

    round: RoundNo
    entrant: EntrantNo


@value
class TableFinished:
    """The match of a table is over."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event, which covers all of it."""
    result: Ended
    absent: Absent = ()


@value
class TableDrawn:
    """The match of a table ended in a tie that must be broken, so the table is played again."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event, which covers all of it."""
    result: Ended
    attempt: int
    """The number of the next match at this table, from 1."""
    absent: Absent = ()


@value
class TableForfeited:
    """The match of a table did not begin because of no-shows; in a duplicate, at any table of the round."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event, which covers all of it."""
    absent: tuple[int, ...]
    """The entrants who did not show up."""
    result: TableResult | None
    """The result that counts; null if the table is replayed, either as a duplicate or because no one advances by the
    result.
    """
    attempt: int
    """The number of the match that counts at this table, from 0."""


@value
class TableAdjudicated:
    """The match of a table was not over at the deadline."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event at the deadline, which covers all of it."""
    late: tuple[int, ...]
    """The entrants who were to move, or never showed up."""
    result: Ended
    absent: Absent = ()


@value
class TableRuled:
    """The result of a table was ruled."""

    round: RoundNo
    table: TableNo
    result: Ended
    reason: Reason
    by: str
    """The id of the organiser or co-organiser who ruled it."""


@value
class RoundClosed:
    """All tables of a round are over."""

    round: RoundNo
    ranked: tuple[int, ...]
    """All entrants, the first in the standings first."""
    places: tuple[int, ...]
    """The place of each entrant, from 1; tied entrants share one."""


# --- Commands ---------------------------------------------------------------------------------------------


@value
class FinishTable:
    """Record the result of a table's match: places, games won, the number of games and of games without a winner.

    `attempt` is the number of the match at its table, from 0. `head` is the digest of its last event.
    """

    round: int
    table: int
    attempt: int
    match: str
    head: str
    places: tuple[int, ...]
    wins: tuple[int, ...]
    games: int
    drawn: int
    chips: tuple[LeavingStack, ...] | None = None
    """The stacks that leave the table, if stacks move from table to table."""
    scores: tuple[int, ...] | None = None
    """The score of each seat, in a duplicate."""
    absent: tuple[int, ...] = ()
    """The entrants who had not taken their seats in time; the match began anyway, and their clocks ran."""


@value
class ForfeitTable:
    """Record that the match of a table did not begin, because these entrants did not take their seats."""

    round: int
    table: int
    attempt: int
    match: str
    head: str
    absent: tuple[int, ...]


@value
class AdjudicateTable:
    """Record that a table is not over at its deadline, and the entrants who were to move."""

    round: int
    table: int
    attempt: int
    match: str
    head: str
    late: tuple[int, ...]
    absent: tuple[int, ...] = ()
    """The entrants who had not taken their seats in time; the match began anyway, and their clocks ran."""


@value
class RuleTable:
    """Rule the result of a table of the open round, by the place of each seat; if no seat is first, all have lost."""

    by: str
    table: int
    places: tuple[int, ...]
    reason: str


# --- Decisions --------------------------------------------------------------------------------------------


def finish_table(t: Tournament, command: FinishTable, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Record the end of a match; ignore a match that was already recorded, or whose table was ruled."""
    at = command.table
    if not _awaited(t, command):
        return ()
    seats = t.tables[at]
    if not (
        are_places(command.places, len(seats)) and _are_games(command, len(seats)) and _have_scores(t, command, by)
    ):
        raise Refused("bad_arguments", "There is no such table for this result.")
    if not _are_stacks(t, command):
        raise Refused("bad_arguments", "These stacks do not follow from the stacks that were brought.")
    ended = TableResult(
        seats, command.places, command.wins, command.games, command.drawn, command.chips, command.scores
    )
    result = result_after_tie(levels_before(t, t.round, at, seats), ended)
    _check_absent(t, seats, command.absent, by)
    cited, absent = (t.round, at, command.match, command.head, result), command.absent
    if _undecided(t, result, by):
        return (TableDrawn(*cited, command.attempt + 1, absent), *_miss_table(t, absent, by))
    return (TableFinished(*cited, absent), *_miss_table(t, absent, by))


def _have_scores(t: Tournament, command: FinishTable, by: TournamentFormat) -> bool:
    """Return whether a result has scores exactly if the format compares scores."""
    if not by.has_same_deals:
        return command.scores is None
    return command.scores is not None and len(command.scores) == len(t.tables[command.table])


def _miss_table(t: Tournament, absent: tuple[int, ...], by: TournamentFormat) -> Iterator[Any]:
    """Yield the consequences for absent entrants: after a second no-show they are out of the tournament."""
    for one in absent:
        if one in t.left:
            continue
        if one in t.missed:
            yield PlayerDropped(one, t.round)
        else:
            yield from by.first_absence(t, one)


def _check_absent(t: Tournament, seats: Seating, absent: tuple[int, ...], by: TournamentFormat) -> None:
    """Raise `Refused` unless these are at the table and may be absent from a match that has begun.

    In duplicates, and with stacks, no match begins without all its players.
    """
    if not absent:
        return
    _check_there(seats, absent)
    if t.stakes or by.has_same_deals:
        raise Refused("bad_arguments", "The match at this table starts only when all players are seated.")


def _are_stacks(t: Tournament, command: FinishTable) -> bool:
    """Return whether the stacks that leave a table conserve those that were brought, if any were."""
    if not t.stakes or command.chips is None:
        return not t.stakes and command.chips is None
    return conserves(t.stakes[command.table], command.chips)


def _check_by_points(t: Tournament) -> None:
    """Raise `Refused` if stacks move from table to table: only the match of a table determines them."""
    if t.stakes:
        raise Refused(
            "wrong_phase", "You cannot set the result of these tables. Disqualify an entrant, or cancel the tournament."
        )


def _are_games(command: FinishTable, seats: int) -> bool:
    """Return whether the numbers of games won are possible."""
    won = command.games - command.drawn
    return len(command.wins) == seats and command.drawn >= 0 and all(0 <= wins <= won for wins in command.wins)


def _awaited(t: Tournament, command: FinishTable | ForfeitTable | AdjudicateTable) -> bool:
    """Return whether a table of the open round waits for the command's match."""
    at = command.table
    if (command.round, t.open) != (t.round, True) or not 0 <= at < len(t.tables) or t.results[at] is not None:
        return False
    return command.attempt == t.attempts[at]


def forfeit_table(t: Tournament, command: ForfeitTable, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Record absent entrants as losers; the others share first place. A second no-show removes an entrant."""
    if not _awaited(t, command):
        return ()
    _check_by_points(t)
    at = command.table
    together = by.has_same_deals  # then all tables begin again, including complete ones
    if command.absent or not together:
        _check_there(t.tables[at], command.absent)
    seats = t.tables[at]
    result = result_after_tie(levels_before(t, t.round, at, seats), _placed_last(seats, command.absent))
    again = together or _undecided(t, result, by)
    found = TableForfeited(
        t.round,
        at,
        command.match,
        command.head,
        command.absent,
        None if again else result,
        t.attempts[at] + again,
    )
    return (found, *_miss_table(t, command.absent, by))


def adjudicate_table(t: Tournament, command: AdjudicateTable, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Record a late table: the entrants who were to move lose, or the table is drawn."""
    if not _awaited(t, command):
        return ()
    seats = t.tables[command.table]
    _check_there(seats, command.late)
    result = _placed_last(seats, command.late if t.plan.overdue == "lost" else ())
    if _undecided(t, result, by):
        result = _placed_last(seats, seats)
    absent = command.absent
    _check_absent(t, seats, absent, by)
    ended = TableAdjudicated(t.round, command.table, command.match, command.head, command.late, result, absent)
    return (ended, *_miss_table(t, absent, by))


def _check_there(seats: Seating, named: tuple[int, ...]) -> None:
    """Raise `Refused` unless these are one or more different entrants of a table."""
    if not named or len(set(named)) < len(named) or not set(named) <= {one for one in seats if one is not BOT}:
        raise Refused("bad_arguments", "These entrants are not at this table.")


def _placed_last(seats: Seating, last: Seating) -> TableResult:
    """Return a result without games: `last` share the last place, the others the first; if all are last, all lose."""
    first = sum(one not in last for one in seats)
    places = tuple((first + 1 if first else len(seats)) if one in last else 1 for one in seats)
    return TableResult(seats, places, (0,) * len(seats), 0, 0)


def rule_table(t: Tournament, command: RuleTable, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Record the result of a table that the organiser or a helper ruled."""
    check_runs(t, command.by)
    if not t.open or not 0 <= command.table < len(t.tables):
        raise Refused("no_such_object", "The current round has no such table.")
    _check_by_points(t)
    seats = t.tables[command.table]
    if not are_places(command.places, len(seats)):
        raise Refused("bad_arguments", "Give each seat its place, from 1. If all share a place other than 1, all lose.")
    result = TableResult(seats, command.places, (0,) * len(seats), 0, 0)
    if _undecided(t, result, by):
        raise Refused("bad_arguments", "These places do not determine who advances. Change them, or let all lose.")
    return (TableRuled(t.round, command.table, result, command.reason, command.by),)


def _undecided(t: Tournament, result: TableResult, by: TournamentFormat) -> bool:
    return t.stage == "elimination" and needs_replay(ground_by(t, by), result, last=is_last_table(t.tables, t.byes))


def are_places(places: tuple[int, ...], seats: int) -> bool:
    """Return whether these are valid places: ties as in (1, 1, 3), or all the last place if all lose."""
    ranked = all(place == 1 + sum(other < place for other in places) for place in places)
    return len(places) == seats and (ranked or places == (seats,) * seats)


def evolve_tables(t: Tournament, event: Any) -> None:
    """Assign pairings and results of tables to the tournament."""
    match event:
        case RoundPaired():
            t.link, t.round, t.open, t.stage, t.tables = event.link, event.round, True, event.stage, event.tables
            t.results, t.attempts, t.byes = (None,) * len(event.tables), (0,) * len(event.tables), ()
            t.stood_in = ()
        case ByeGiven():
            t.byes = (*t.byes, event.entrant)
        case TableFinished():
            t.results = put_at(t.results, event.table, event.result)
            t.matches = {**t.matches, (event.round, event.table): event.match}
            t.missed = (*t.missed, *event.absent)
        case TableRuled():
            t.results = put_at(t.results, event.table, event.result)
            t.matches = {**t.matches, (event.round, event.table): None}
        case TableAdjudicated():
            t.results = put_at(t.results, event.table, event.result)
            t.missed = (*t.missed, *event.absent)
        case TableForfeited():
            t.results = put_at(t.results, event.table, event.result)
            t.attempts, t.missed = put_at(t.attempts, event.table, event.attempt), (*t.missed, *event.absent)
            t.stood_in = (*t.stood_in, *event.absent)
        case TableDrawn():
            t.attempts = put_at(t.attempts, event.table, event.attempt)
            t.tied = {**t.tied, (event.round, event.table): event.result.places}
            t.missed = (*t.missed, *event.absent)
        case RoundClosed():
            # The results of all tables are in.
            t.played = (*t.played, PlayedRound(t.results, t.byes, t.stood_in))  # type: ignore[arg-type]
            t.open = False
            t.ranked, t.places = event.ranked, event.places


def _finish_by(e: TableFinished | TableDrawn, attempt: int) -> FinishTable:
    """Return the command that recorded the end of a match."""
    r = e.result
    ended = r.places, r.wins, r.games, r.drawn, r.chips, r.scores
    return FinishTable(e.round, e.table, attempt, e.match, e.head, *ended, e.absent)


TABLES: Final = TournamentPart(
    events=(
        RoundPaired,
        ByeGiven,
        TableFinished,
        TableDrawn,
        TableForfeited,
        TableAdjudicated,
        TableRuled,
        RoundClosed,
    ),
    evolve=evolve_tables,
    decisions={
        FinishTable: finish_table,
        ForfeitTable: forfeit_table,
        AdjudicateTable: adjudicate_table,
        RuleTable: rule_table,
    },
    causes={
        TableFinished: lambda t, e: _finish_by(e, t.attempts[e.table]),
        TableDrawn: lambda t, e: _finish_by(e, e.attempt - 1),
        TableForfeited: lambda t, e: ForfeitTable(e.round, e.table, t.attempts[e.table], e.match, e.head, e.absent),
        TableAdjudicated: lambda t, e: AdjudicateTable(
            e.round, e.table, t.attempts[e.table], e.match, e.head, e.late, e.absent
        ),
        TableRuled: lambda t, e: RuleTable(e.by, e.table, e.result.places, e.reason),
    },
)
