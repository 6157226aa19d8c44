"""Tests arenas on a store: free entrants are paired until time is over, whichever runner is killed."""

from io import BytesIO

import pytest

from domain.tournament.entrants import Enter, Withdraw
from domain.tournament.formats.arena import ComeBack
from domain.tournament.round_tables import TableFinished
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import TournamentPlan
from events.log.commits import read_events
from events.operations.audit_streams import audit_stream
from events.operations.erasure import erase_player
from events.proof.documents import verify_document
from events.service import tournaments
from events.service.stream_kinds import TOURNAMENT
from events.service.tournaments import export_lines
from events.store.tables import tournament_rows
from tests.tournament.lives import HOUR, Hands, Life
from tests.workers.test_tournament_runner import looks_dying
from workers.tournament_runner import IDLE_PAUSE


@pytest.fixture
def now():
    return Hands()


def arena(now, **more):
    return TournamentPlan("arena", 2, 2, ends=now.at + HOUR, show_up_seconds=120, **more)


def events(one):
    return list(read_events(tournaments.load_tournament(one.matches, one.id).rows, TOURNAMENT.shapes, 0))


def holds(one):
    """Check that the log is valid, agrees with its matches, and is a valid record."""
    assert find_tournament_fault(one.id, events(one)) is None
    _, verified = verify_document(BytesIO(b"\n".join(export_lines(tournaments.load_tournament(one.matches, one.id)))))
    assert [check for check in verified.checks if not check.ok] == []
    assert {check.name for check in verified.checks if check.skipped} <= {"tables", "signatures"}
    assert [check for check in audit_stream(one.store, one.id).checks if not check.ok] == []


def plays(one, runner=None):
    """Play the first open table."""
    one.looks(runner)
    table, *_ = one.open()
    one.sit(table)
    one.resigns(table)
    one.looks(runner)


@pytest.mark.both_databases
def test_arena_runs_despite_late_leaving_absent_tied_and_erased_players(store, now):
    one = Life(store, now, 5, arena(now))
    plays(one)
    one.tell(Enter("late"))
    one.looks()
    first, *others = one.open()
    absent = one.state.tables[first][0]
    one.sit(first, absent)
    for table in others:
        one.sit(table)
    now.passes(120_000)
    one.looks()
    assert absent in one.state.resting
    one.tell(ComeBack(one.state.players[absent]))
    one.looks()
    one.draws(others[0])
    one.looks()
    one.tell(Withdraw("player 1"))
    erase_player(one.store, "player 2", now.at)
    for _ in range(2):
        plays(one)
    open_still = one.open()
    assert open_still
    for table in open_still:
        one.sit(table)
    now.passes(HOUR)
    one.looks()
    assert (one.state.pairing_over, one.state.status) == (True, "playing")
    assert one.open() == open_still
    for table in open_still:
        one.resigns(table)
    one.looks()
    assert one.state.status == "over"
    assert sorted(one.state.ranked) == list(range(6))
    assert one.runner.look() == IDLE_PAUSE
    holds(one)


def test_table_that_ends_after_the_arena_pairs_no_one(store, now):
    one = Life(store, now, 2, arena(now))
    one.looks()
    one.sit(0)
    one.resigns(0)
    now.passes(HOUR)
    one.looks()
    assert one.state.status == "over"
    assert [type(event).__name__ for event in events(one)].count("TablesPaired") == 0
    holds(one)


def test_unstarted_arena_is_cancelled_at_its_end(store, now):
    one = Life(store, now, 2, arena(now), closed=False)
    now.passes(HOUR)
    one.looks()
    assert one.state.status == "cancelled"
    assert tournament_rows.find_due_to_end(store, now.at, 9) == []
    holds(one)


@pytest.mark.long
def test_arena_runner_killed_between_writes_does_everything_exactly_once(store, now):
    """Each write is the last one of some runner."""
    one, killed = Life(store, now, 4, arena(now)), 0
    for turn in range(40):
        if turn == 6:
            now.passes(HOUR)
        killed += looks_dying(one, store, now)
        if one.state.status == "over":
            break
        table, *_ = one.open()
        one.sit(table)
        one.resigns(table)
    assert one.state.status == "over"
    finished = [event.match for event in events(one) if isinstance(event, TableFinished)]
    assert len(finished) == len(set(finished)) == len(one.state.tables)
    assert killed >= 6
    holds(one)
