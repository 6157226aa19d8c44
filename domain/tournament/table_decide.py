"""Decides how a table of the open round ends: by its match, by the time, or by who runs the tournament."""

from collections.abc import Iterator
from typing import Any

from domain.core.game import Refused
from domain.core.staking import conserves
from domain.tournament.deciding_match import after_tie, levels_before
from domain.tournament.elimination import undecided
from domain.tournament.entry_events import PlayerDropped
from domain.tournament.format import Draws
from domain.tournament.formats.format_catalogue import format_of, ground_of
from domain.tournament.organiser_decide import check_runs
from domain.tournament.rounds import BOT, Seating, TableResult, is_last
from domain.tournament.table_events import TableAdjudicated, TableDrawn, TableFinished, TableForfeited, TableRuled
from domain.tournament.tournament_commands import AdjudicateTable, FinishTable, ForfeitTable, RuleTable
from domain.tournament.tournament_state import Tournament


def finish(t: Tournament, command: FinishTable, chance: Draws) -> tuple[Any, ...]:
    """Take in how a match has ended; nothing of one that is not awaited: it was taken in, or its table was ruled."""
    at = command.table
    if not _awaited(t, command):
        return ()
    seats = t.tables[at]
    if not (are_places(command.places, len(seats)) and _are_games(command, len(seats)) and _have_scores(t, command)):
        raise Refused("bad_arguments", "A match that ends so has no such table.")
    if not _are_stacks(t, command):
        raise Refused("bad_arguments", "These stacks are not what has become of those that were brought.")
    ended = TableResult(
        seats, command.places, command.wins, command.games, command.drawn, command.chips, command.scores
    )
    result = after_tie(levels_before(t, t.round, at, seats), ended)
    _check_absent(t, seats, command.absent)
    cited, absent = (t.round, at, command.match, command.head, result), command.absent
    if _undecided(t, result):
        return (TableDrawn(*cited, command.attempt + 1, absent), *_miss_table(t, absent))
    return (TableFinished(*cited, absent), *_miss_table(t, absent))


def _have_scores(t: Tournament, command: FinishTable) -> bool:
    """Say whether a match names the scores of its seats where they are compared, and nowhere else."""
    if not format_of(t).has_same_deals:
        return command.scores is None
    return command.scores is not None and len(command.scores) == len(t.tables[command.table])


def _miss_table(t: Tournament, absent: tuple[int, ...]) -> Iterator[Any]:
    """Give what becomes of those who have not come: the second time they are out of the tournament."""
    for one in absent:
        if one in t.left:
            continue
        if one in t.missed:
            yield PlayerDropped(one, t.round)
        else:
            yield from format_of(t).first_absence(t, one)


def _check_absent(t: Tournament, seats: Seating, absent: tuple[int, ...]) -> None:
    """Raise `Refused` unless these may not have come to a match that has begun, and are at the table.

    In duplicates, and with stacks, no match begins without all its players.
    """
    if not absent:
        return
    _check_there(seats, absent)
    if t.stakes or format_of(t).has_same_deals:
        raise Refused("bad_arguments", "The match of this table begins when all have come.")


def _are_stacks(t: Tournament, command: FinishTable) -> bool:
    """Say whether stacks leave a table as they were brought there, and none where none are."""
    if not t.stakes or command.chips is None:
        return not t.stakes and command.chips is None
    return conserves(t.stakes[command.table], command.chips)


def _check_by_points(t: Tournament) -> None:
    """Raise `Refused` where stacks go from table to table: only the match of a table says where they are."""
    if t.stakes:
        raise Refused("wrong_phase", "Tables of stacks are played to their end; take an entrant out, or cancel it all.")


def _are_games(command: FinishTable, seats: int) -> bool:
    """Say whether these can be the numbers of games that the seats have won."""
    won = command.games - command.drawn
    return len(command.wins) == seats and command.drawn >= 0 and all(0 <= wins <= won for wins in command.wins)


def _awaited(t: Tournament, command: FinishTable | ForfeitTable | AdjudicateTable) -> bool:
    """Say whether the match of a command is one that a table of the open round waits for."""
    at = command.table
    if (command.round, t.open) != (t.round, True) or not 0 <= at < len(t.tables) or t.results[at] is not None:
        return False
    return command.attempt == t.attempts[at]


def forfeit(t: Tournament, command: ForfeitTable, chance: Draws) -> tuple[Any, ...]:
    """Let those lose who have not come; the others share the first place. A second time takes an entrant out."""
    if not _awaited(t, command):
        return ()
    _check_by_points(t)
    at = command.table
    together = format_of(t).has_same_deals  # then all tables begin once more, also those to which all have come
    if command.absent or not together:
        _check_there(t.tables[at], command.absent)
    seats = t.tables[at]
    result = after_tie(levels_before(t, t.round, at, seats), _placed_last(seats, command.absent))
    again = together or _undecided(t, result)
    found = TableForfeited(
        t.round,
        at,
        command.match,
        command.head,
        command.absent,
        None if again else result,
        t.attempts[at] + again,
    )
    return (found, *_miss_table(t, command.absent))


def adjudicate(t: Tournament, command: AdjudicateTable, chance: Draws) -> tuple[Any, ...]:
    """Let those lose who are to move, or all be level."""
    if not _awaited(t, command):
        return ()
    seats = t.tables[command.table]
    _check_there(seats, command.late)
    result = _placed_last(seats, command.late if t.plan.overdue == "lost" else ())
    if _undecided(t, result):
        result = _placed_last(seats, seats)
    absent = command.absent
    _check_absent(t, seats, absent)
    ended = TableAdjudicated(t.round, command.table, command.match, command.head, command.late, result, absent)
    return (ended, *_miss_table(t, absent))


def _check_there(seats: Seating, named: tuple[int, ...]) -> None:
    """Raise `Refused` unless these are entrants of a table, each named once, and there are any."""
    if not named or len(set(named)) < len(named) or not set(named) <= {one for one in seats if one is not BOT}:
        raise Refused("bad_arguments", "They are not at this table.")


def _placed_last(seats: Seating, last: Seating) -> TableResult:
    """Give a result without games: these share the last place, all others the first; if these are all, all lose."""
    first = sum(one not in last for one in seats)
    places = tuple((first + 1 if first else len(seats)) if one in last else 1 for one in seats)
    return TableResult(seats, places, (0,) * len(seats), 0, 0)


def rule(t: Tournament, command: RuleTable, chance: Draws) -> tuple[Any, ...]:
    """Let who runs the tournament say how a table has ended."""
    check_runs(t, command.by)
    if not t.open or not 0 <= command.table < len(t.tables):
        raise Refused("no_such_object", "The open round has no such table.")
    _check_by_points(t)
    seats = t.tables[command.table]
    if not are_places(command.places, len(seats)):
        raise Refused("bad_arguments", "Give the place of each seat, from 1; the same to all but the first: all lose.")
    result = TableResult(seats, command.places, (0,) * len(seats), 0, 0)
    if _undecided(t, result):
        raise Refused("bad_arguments", "These places do not say who goes on; give others, or let all lose.")
    return (TableRuled(t.round, command.table, result, command.reason, command.by),)


def _undecided(t: Tournament, result: TableResult) -> bool:
    return t.stage == "elimination" and undecided(ground_of(t), result, last=is_last(t.tables, t.byes))


def are_places(places: tuple[int, ...], seats: int) -> bool:
    """Say whether these are places of all seats: shared ones as in (1, 1, 3); or all the last, if all lose."""
    ranked = all(place == 1 + sum(other < place for other in places) for place in places)
    return len(places) == seats and (ranked or places == (seats,) * seats)
