"""Tests that the runner advances tournaments: nothing is lost or done twice, whichever runners are killed or run."""

import json
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from random import Random

import pytest
from sqlalchemy import select

from api.resources.event_routes import all_events
from api.resources.record_routes import recorded_match
from domain import match as life
from domain.core.clock import Clock
from domain.core.values import with_fields
from domain.match.resignations import Resign, TakeSeatBack
from domain.tournament.entrants import Enter, Withdraw
from domain.tournament.organiser import Pause, Resume, TournamentCancelled
from domain.tournament.round_tables import RuleTable, TableAdjudicated, TableFinished, TableForfeited
from domain.tournament.rounds import points_by_entrant
from domain.tournament.table_deals import DealsDisclosed
from domain.tournament.tournament_judge import find_tournament_fault
from domain.tournament.tournament_plan import TournamentPlan
from events.log.commits import read_events
from events.operations.audit_streams import audit_stream
from events.operations.erasure import erase_player
from events.proof import record
from events.proof.documents import verify_document
from events.service import table_endings, tournaments, views
from events.service.stream_kinds import TOURNAMENT
from events.service.table_endings import ending_command
from events.service.tournament_rounds import ranked_entrants
from events.service.tournaments import export_lines
from events.store.schema.log_schema import stream
from events.store.tables import inbox_rows, outage_rows, tournament_rows
from events.store.tournament_records import TableRow
from tests.bound import Matches
from tests.proof.test_second_verifier import node
from tests.proof.test_tournament_records import both, cut, linked, seq_of, tables_of
from tests.tampered import changed_to
from tests.tournament.evenings import ORGANISER
from tests.tournament.lives import DAY, GAME, HOUR, Hands, Life, terms
from tests.worked import worked
from workers.tasks import bot_turn_tasks
from workers.tournament_runner import IDLE_PAUSE, TournamentRunner

__all__ = ["node"]

SWISS = TournamentPlan("swiss", 2, 2)


@pytest.fixture
def now():
    return Hands()


@pytest.fixture
def begun(store, now):
    def begun(count, plan=None, **more):
        return Life(store, now, count, plan, **more)

    return begun


def events(one):
    return list(read_events(tournaments.load_tournament(one.matches, one.id).rows, TOURNAMENT.shapes, 0))


def holds(one):
    """Assert that a tournament's log is valid, agrees with its matches, and is a record that anyone can verify."""
    assert find_tournament_fault(one.id, events(one)) is None
    record = b"\n".join(export_lines(tournaments.load_tournament(one.matches, one.id)))
    _, verified = verify_document(BytesIO(record))
    assert [check for check in verified.checks if not check.ok] == []
    assert {check.name for check in verified.checks if check.skipped} <= {"tables", "signatures"}
    report = audit_stream(one.store, one.id)
    assert [check for check in report.checks if not check.ok] == []


def matches_of(store):
    return len(store.read(select(stream.c.match_id).where(stream.c.kind == "match")))


# --- From round to round ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "count", "played"),
    [
        (SWISS, 5, 6),
        (TournamentPlan("swiss", 2, 2, fill="bots", rounds=2), 3, 4),
        (TournamentPlan("round_robin", 2, 2, most=8), 4, 6),
        (TournamentPlan("single_elimination", 2, 2), 4, 3),
        (TournamentPlan("double_elimination", 2, 2), 3, 4),
        (TournamentPlan("swiss", 3, 2, fill="short", rounds=2), 5, 4),
    ],
    ids=lambda of: of if isinstance(of, int) else f"{of.format} of {of.seats}",
)
def test_every_format_finishes(begun, plan, count, played):
    one = begun(count, plan).to_the_end()
    assert one.state.status == "over"
    if plan.fill == "bye":  # all tables are alike, and the best number wins at each
        first = one.state.ranked[0]
        points = points_by_entrant(one.state.played, plan.seats)
        # In a Swiss tournament, a player who never met the best number may have won as often.
        assert first == 0 or (plan.format == "swiss" and points[first] == points[0])
    assert matches_of(one.store) == played
    assert one.runner.look() == IDLE_PAUSE
    holds(one)


@pytest.mark.both_databases
def test_entries_close_on_time_and_matches_wait_for_players(begun, now):
    one = begun(4, closed=False, closes=now.at + HOUR)
    one.looks()
    assert (one.state.status, matches_of(one.store)) == ("announced", 0)
    now.passes(HOUR)
    one.looks()
    assert (one.state.status, matches_of(one.store)) == ("playing", 2)
    t = one.state
    for table, seats in enumerate(t.tables):
        m = one.matches.loaded(one.match(table)).state
        assert (m.game.name, m.status, m.created.creator) == (GAME, "lobby", None)
        assert [plan.player for plan in m.created.seats] == [t.players[one_] for one_ in seats]
    found = inbox_rows.invitations(one.store, t.players[t.tables[0][0]])
    assert [kept.match_id for kept in found] == [one.match(0)]
    one.sit(0)
    assert one.matches.loaded(one.match(0)).state.status == "playing"
    one.resigns(0)
    one.looks()
    (finished,) = [event for event in events(one) if isinstance(event, TableFinished)]
    head = one.matches.loaded(one.match(0)).head
    assert (finished.match, finished.head) == (head.match_id, head.head.hex())
    assert sorted(finished.result.places) == [1, 2]
    holds(one)


def test_too_few_entrants_at_closing_time_cancel_the_tournament(begun, now):
    one = begun(1, closed=False, closes=now.at)
    one.looks()
    assert one.state.status == "cancelled"


def test_entries_stay_open_for_a_year(begun, now):
    one, other = begun(4, closed=False), begun(4, closed=False, closes=now.at + 400 * DAY)
    now.passes(365 * DAY - 1)
    one.looks()
    assert one.state.status == other.state.status == "announced"
    now.passes(1)
    one.looks()
    assert (one.state.status, other.state.status) == ("cancelled", "announced")
    assert events(one)[-2] == TournamentCancelled(None, "Nobody has closed entries for a year.")
    assert isinstance(events(one)[-1], DealsDisclosed)
    assert one.runner.look() > 0
    holds(one)


def test_games_of_a_series_are_counted(begun):
    one = begun(2, terms=terms(best_of=3))
    one.looks()
    one.sit(0)
    match, loser = one.match(0), one.caller(1)
    while not one.matches.loaded(match).state.over:
        one.matches.move(match, loser, None, Resign(whole_match=False))
    one.looks()
    (finished,) = [event for event in events(one) if isinstance(event, TableFinished)]
    assert (finished.result.games, sorted(finished.result.wins), finished.result.drawn) == (2, [0, 2], 0)


def test_drawn_elimination_table_is_replayed_in_a_new_match(begun):
    one = begun(2, TournamentPlan("single_elimination", 2, 2))
    one.looks()
    one.sit(0)
    one.draws(0)
    one.looks()
    assert (one.state.attempts, matches_of(one.store)) == ((1,), 2)
    assert one.match(0, 0) != one.match(0)
    assert one.to_the_end().state.ranked == (0, 1)
    holds(one)


def test_bot_fills_a_seat_and_gets_no_points(begun):
    one = begun(3, TournamentPlan("swiss", 2, 2, fill="bots", rounds=1))
    one.looks()
    table = next(table for table, seats in enumerate(one.state.tables) if None in seats)
    m = one.matches.loaded(one.match(table)).state
    assert m.by_bot.count(True) == 1


def test_matches_continue_during_a_pause_but_no_round_is_paired(begun):
    one = begun(2, TournamentPlan("swiss", 2, 2, rounds=2))
    one.tell(Pause(ORGANISER, "Supper."))
    one.plays()
    assert (one.state.round, one.open()) == (1, [])
    one.tell(Resume(ORGANISER))
    assert one.state.round == 2


# --- Who does not come --------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_no_show_loses_and_a_second_no_show_is_eliminated(begun, now):
    one = begun(4, with_fields(SWISS, rounds=3))
    one.looks()
    never = one.state.tables[0][0]
    one.sit(0, never)
    one.sit(1)
    now.passes(1000 * SWISS.show_up_seconds - 1)
    one.looks()
    assert one.open() == [0, 1]
    now.passes(1)
    one.looks()
    assert one.matches.loaded(one.match(0)).state.status == "expired"
    assert one.open() == [1]
    assert one.state.results[0].places == (2, 1)
    one.resigns(1)
    one.looks()
    at = next(at for at, table in enumerate(one.state.tables) if never in table)
    one.sit(at, never)
    now.passes(1000 * SWISS.show_up_seconds)
    one.sit(1 - at)
    one.looks()
    assert never in one.state.left
    one.resigns(1 - at)
    one.to_the_end()
    assert one.state.missed == (never, never)
    holds(one)


@pytest.mark.both_databases
@pytest.mark.parametrize("role", ["scheduler", "api"])
def test_downtime_extends_the_time_to_show_up(role, begun, store, now):
    plan = with_fields(SWISS, rounds=3)
    has = 1000 * plan.show_up_seconds
    one = begun(4, plan)
    one.looks()
    one.sit(1)
    worked(store, now.at, now.at + has - 1_000, "before", role)
    now.passes(has + 30 * HOUR)
    one.looks()
    assert one.open() == [0, 1]  # while nobody is back
    outage_rows.beat(store, now.at, "after", role)
    one.looks()
    worked(store, now.at, now.at + 999, "after", role)
    now.passes(999)
    one.looks()
    assert one.open() == [0, 1]
    outage_rows.beat(store, now.at + 1, "after", role)
    now.passes(1)
    one.looks()
    assert one.open() == [1]


TIMED = terms(4, clock=Clock(per_decision_seconds=60, on_expiry="bot"))


def test_match_starts_without_a_no_show_whose_clock_runs(begun, now):
    plan = TournamentPlan("swiss", 4, 4, rounds=3)
    one = begun(8, plan, terms=TIMED)
    never = one.state.tables[0][1]
    for number in (1, 2):
        one.looks()
        at = next(at for at, table in enumerate(one.state.tables) if never in table)
        for table in (0, 1):
            one.sit(table, never)
        now.passes(1000 * plan.show_up_seconds)
        one.looks()
        m = one.matches.loaded(one.match(at)).state
        assert (m.status, m.players[one.state.tables[at].index(never)]) == ("playing", f"player {never}")
        for table in (0, 1):
            one.resigns(table)
        one.looks()
        assert one.state.missed == (never,) * number
    assert one.state.left == {never: 2}
    assert [event.absent for event in events(one) if isinstance(event, TableFinished)].count((never,)) == 2
    assert not any(isinstance(event, TableForfeited) for event in events(one))
    holds(one)


def handed_over(begun, now, seconds, *, moves=0, **more):
    """Let a bot take over the seat of an entrant who is late at a table of two; return the tournament and both
    entrants.

    Each decision has `seconds`. The late entrant may have made `moves` before.
    """
    plan, clock = TournamentPlan("swiss", 2, 2, rounds=1, **more), Clock(per_decision_seconds=seconds, on_expiry="bot")
    one = begun(2, plan, terms=terms(clock=clock))
    one.looks()
    never, other = one.state.tables[0]
    one.sit(0, never)
    now.passes(1000 * plan.show_up_seconds)
    one.looks()
    match, rng = one.match(0), Random(1)
    while not (m := one.matches.loaded(match).state).by_bot[0]:
        (seat,) = life.to_act(m)
        if seat == 0 and not moves:
            now.passes(1000 * seconds)
            one.matches.settle(match)
        else:
            moves -= seat == 0
            one.matches.move(match, one.caller((never, other)[seat]), None, m.game.legal(m.table, seat)[0].sample(rng))
    return one, never, other


def stood_in_for(begun, now, *, moves=0, returns=False):
    """Let the bot of a late entrant win a table of two by resignation; return the tournament and the late entrant.

    The late entrant may have moved before, or returns.
    """
    one, never, other = handed_over(begun, now, 60, moves=moves)
    if returns:
        one.matches.move(one.match(0), one.caller(never), None, TakeSeatBack())
    one.resigns(0, other)
    one.looks()
    return one, never


def test_bot_wins_no_table_for_a_no_show(begun, now, node):
    one, never = stood_in_for(begun, now)
    (result,) = one.state.played[0].tables
    assert one.matches.loaded(next(iter(one.state.matches.values()))).state.result.places == (1, 2)
    assert (result.seats[0], result.places, result.wins) == (never, (2, 1), (0, 0))
    holds(one)
    record = read_lines(one)
    won = changed_to(record, ("events", seq_of(record, "TableFinished") - 1, "data", "result", "wins"), [1, 0])
    assert [tables_of(report)[0] for report in both(node, [record, linked(won)])] == [True, False]


@pytest.mark.long
@pytest.mark.parametrize("more", [{"returns": True}, {"moves": 1}])
def test_win_by_a_bot_counts_for_a_player_who_moved_or_returned(begun, now, node, more):
    one, never = stood_in_for(begun, now, **more)
    (result,) = one.state.played[0].tables
    assert (result.seats[0], result.places, result.wins) == (never, (1, 2), (1, 0))
    assert one.state.missed == (never,)
    holds(one)
    record = read_lines(one)
    lost = changed_to(record, ("events", seq_of(record, "TableFinished") - 1, "data", "result", "wins"), [0, 0])
    assert [tables_of(report)[0] for report in both(node, [record, linked(lost)])] == [True, False]


def read_lines(one):
    """Return the record of a tournament with its only match, parsed."""
    first, *of_it = [json.loads(line) for line in export_lines(tournaments.load_tournament(one.matches, one.id))]
    seen = views.see_match(one.matches, next(iter(one.state.matches.values()), None) or one.match(0), one.caller(0))
    match = b"".join(record.write_record(recorded_match(one.matches, seen), all_events(one.matches, seen, 0)))
    return {"about": first, "events": of_it, "tables": [json.loads(match)]}


def test_no_show_also_loses_at_the_deadline(begun, now, node):
    one, never, other = handed_over(begun, now, 20 * 3600, round_days=1)
    match = one.match(0)
    while life.to_act(one.matches.loaded(match).state) == (0,):
        bot_turn_tasks.play_bot_turns(one.matches, match)
    now.passes(4 * HOUR)
    one.looks()
    (late,) = [event.late for event in events(one) if isinstance(event, TableAdjudicated)]
    assert (late, one.state.played[0].tables[0].places) == ((other, never), (2, 2))
    holds(one)
    its = read_lines(one)
    at = seq_of(its, "TableAdjudicated")
    spared = changed_to(its, ("events", at - 1, "data", "late"), [other])
    spared = changed_to(spared, ("events", at - 1, "data", "result", "places"), [1, 2])
    assert [tables_of(report)[0] for report in both(node, [its])] == [True]
    assert both(node, [cut(spared, at)])[0][0] == "failed"


class Stopped(BaseException):
    """Stands for the death of the process."""


@pytest.mark.both_databases
@pytest.mark.parametrize("steps", [1, 2])
def test_leaving_during_seating_makes_both_sides_absent(begun, store, now, monkeypatch, steps):
    plan = TournamentPlan("swiss", 4, 4, rounds=2)
    one = begun(4, plan, terms=TIMED)
    one.looks()
    there = one.state.tables[0][0]
    one.matches.sit(one.match(0), one.caller(there), 0)
    now.passes(1000 * plan.show_up_seconds)
    kept = carried(monkeypatch, steps)
    with pytest.raises(Stopped):
        one.looks()
    m = one.matches.loaded(one.match(0)).state
    assert (m.status, sum(player is not None for player in m.players)) == ("lobby", 1 + steps)
    monkeypatch.setattr(table_endings, "carry_out_intent", kept)
    one.matches.leave(one.match(0), one.caller(there), 0)
    # It is stopped again before everything is undone.
    carried(monkeypatch, 1)
    with pytest.raises(Stopped):
        one.looks()
    monkeypatch.setattr(table_endings, "carry_out_intent", kept)
    first = one.match(0)
    one.looks()
    assert one.matches.loaded(first).state.status == "expired"
    (forfeited,) = [event for event in events(one) if isinstance(event, TableForfeited)]
    assert sorted(forfeited.absent) == [0, 1, 2, 3]
    assert audit_stream(store, first).ok
    holds(one)


def test_partly_filled_seats_are_completed_and_the_match_begins(begun, now, monkeypatch):
    plan = TournamentPlan("swiss", 4, 4, rounds=2)
    one = begun(4, plan, terms=TIMED)
    one.looks()
    there = one.state.tables[0][0]
    one.matches.sit(one.match(0), one.caller(there), 0)
    now.passes(1000 * plan.show_up_seconds)
    kept = carried(monkeypatch, 1)
    with pytest.raises(Stopped):
        one.looks()
    monkeypatch.setattr(table_endings, "carry_out_intent", kept)
    one.looks()
    assert one.matches.loaded(one.match(0)).state.status == "playing"
    one.resigns(0)
    one.looks()
    (finished,) = [event for event in events(one) if isinstance(event, TableFinished)]
    assert sorted(finished.absent) == [one_ for one_ in range(4) if one_ != there]
    holds(one)


def carried(monkeypatch, steps):
    """Let the process end after this many steps at tables; return the function that carries them out."""
    kept, left = table_endings.carry_out_intent, [steps]

    def then(*args):
        if not left[0]:
            raise Stopped
        left[0] -= 1
        return kept(*args)

    monkeypatch.setattr(table_endings, "carry_out_intent", then)
    return kept


def test_match_without_clocks_waits_for_all_players(begun, now):
    one = begun(4, TournamentPlan("swiss", 4, 4, rounds=1))
    one.looks()
    one.sit(0, 3)
    now.passes(DAY)
    one.looks()
    assert one.state.played[0].tables[0].places[one.state.tables[0].index(3)] == 4


def test_all_lose_if_no_one_shows_up(begun, now):
    one = begun(2, TournamentPlan("swiss", 2, 2, rounds=1))
    one.looks()
    now.passes(DAY)
    one.looks()
    assert one.state.status == "over"
    assert one.state.played[0].tables[0].places == (2, 2)
    holds(one)


def test_player_who_never_moves_counts_as_no_show(begun, now):
    one = begun(2, TournamentPlan("swiss", 2, 2, rounds=1), terms=terms(clock=Clock(per_decision_seconds=60)))
    one.looks()
    one.sit(0)
    for _ in range(100):
        now.passes(61_000)
        one.matches.settle(one.match(0))
        bot_turn_tasks.play_bot_turns(one.matches, one.match(0))
    assert one.matches.loaded(one.match(0)).state.status == "abandoned"
    one.looks()
    assert sorted(one.state.missed) == [0, 1]
    holds(one)


def test_bot_takes_the_seat_of_an_eliminated_player_at_a_replayed_table(begun, now):
    plan = TournamentPlan("single_elimination", 4, 2, advance=2, fill="bots")
    one = begun(8, plan)
    never = one.state.tables[0][0]
    for _ in range(2):
        one.looks()
        one.sit(0, never)
        now.passes(1000 * plan.show_up_seconds)
        one.looks()
    assert one.state.left == {never: 1}
    plans = one.matches.loaded(one.match(0)).state.created.seats
    assert [plan.kind for plan in plans].count("bot") == 1


# --- Who is late --------------------------------------------------------------------------------------------


def test_player_to_move_at_the_rounds_deadline_loses(begun, now):
    plan = TournamentPlan("swiss", 2, 2, rounds=1, round_days=7, show_up_seconds=14 * 24 * 3600)
    one = begun(2, plan)
    one.looks()
    one.sit(0)
    (seat,) = life.to_act(one.matches.loaded(one.match(0)).state)
    now.passes(7 * DAY - 1)
    one.looks()
    assert one.open() == [0]
    now.passes(1)
    one.looks()
    assert one.state.played[0].tables[0].places[seat] == 2
    one.resigns(0, one.state.tables[0][1 - seat])
    one.looks()
    assert one.state.played[0].tables[0].places[seat] == 2  # it counts once
    holds(one)


def test_downtime_moves_the_deadline_of_a_round(begun, store, now):
    plan = TournamentPlan("swiss", 2, 2, rounds=1, round_days=7, show_up_seconds=14 * 24 * 3600)
    one = begun(2, plan)
    one.looks()
    one.sit(0)
    worked(store, now.at, now.at + 7 * DAY - HOUR)
    now.passes(8 * DAY)
    for late in (0, HOUR - 1, HOUR):
        worked(store, now.at, now.at + late, "after")
        now.passes(late)
        one.looks()
        assert one.open() == ([0] if late < HOUR else [])
        now.passes(-late)


# --- Who leaves, and who is erased --------------------------------------------------------------------------


def test_leaving_and_erased_players_keep_their_results(begun, now):
    one = begun(5)
    one.plays()
    one.tell(Withdraw("player 0"))
    erase_player(one.store, "player 1", now.at)
    one.to_the_end()
    assert sorted(one.state.ranked) == [0, 1, 2, 3, 4]
    holds(one)


# --- Killed, and more than one ------------------------------------------------------------------------------


class Killed(BaseException):
    """Stands for the death of the process."""


class Dying:
    """A store whose process dies after this many writes."""

    def __init__(self, store, left):
        self._store, self._left = store, left

    def __getattr__(self, name):
        found = getattr(self._store, name)
        if name not in ("create", "create_all", "write", "append"):
            return found

        def then_dies(*args, **named):
            done = found(*args, **named)
            if not self._left:
                raise Killed
            self._left -= 1
            return done

        return then_dies


def looks_dying(one, store, now):
    """Run runners, each of which dies after its first write; return how many have died."""
    for killed in range(20):
        try:
            one.looks(TournamentRunner(Matches(Dying(store, 0), now=now)))
        except Killed:
            continue
        return killed
    raise AssertionError("there is no end of it")


def test_runner_killed_between_writes_does_everything_exactly_once(begun, store, now):
    """Each write is the last one of some runner."""
    whole = begun(3, TournamentPlan("swiss", 2, 2)).to_the_end()
    one, killed = begun(3, TournamentPlan("swiss", 2, 2)), 0
    while one.state.status == "playing":
        killed += looks_dying(one, store, now)
        for table in one.open():
            one.sit(table)
            one.resigns(table)
    shape = [type(event).__name__ for event in events(whole)]
    assert [type(event).__name__ for event in events(one)] == shape
    assert killed >= 4
    assert matches_of(store) == 4
    holds(one)


@pytest.mark.both_databases
def test_two_concurrent_runners_do_everything_exactly_once(begun, store, now):
    one = begun(8)
    runners = [TournamentRunner(Matches(store, now=now)) for _ in range(2)]
    with ThreadPoolExecutor(2) as both:
        for _ in range(3):
            list(both.map(one.looks, runners))
            for table in one.open():
                one.sit(table)
                one.resigns(table)
        list(both.map(one.looks, runners))
    assert one.state.status == "over"
    assert matches_of(store) == 12
    finished = [event.match for event in events(one) if isinstance(event, TableFinished)]
    assert len(finished) == len(set(finished)) == 12
    holds(one)


def test_failing_tournament_does_not_delay_others(begun, caplog):
    broken = begun(2, terms=with_fields(terms(), game="no_such_game"))
    one = begun(2)
    one.to_the_end()
    assert broken.open() == [0]
    assert broken.id in caplog.text
    assert caplog.text.count("cannot advance") == 1


def test_impossible_result_does_not_prevent_counting_others(begun, monkeypatch):
    one = begun(4, TournamentPlan("swiss", 2, 2, rounds=1))
    one.looks()
    for table in one.open():
        one.sit(table)
        one.resigns(table)
    right = table_endings.ending_command

    def wrong(context, t, row):
        found = right(context, t, row)
        return with_fields(found, places=(3, 3)) if row.place == 0 else found

    monkeypatch.setattr(table_endings, "ending_command", wrong)
    one.looks()
    assert one.open() == [0]


def test_ruled_table_no_longer_needs_its_match(begun, store):
    one = begun(2, TournamentPlan("swiss", 2, 2, rounds=2))
    one.looks()
    one.tell(RuleTable(ORGANISER, 0, (1, 2), "Both agreed."))
    assert [row.round for row in tournament_rows.find_tables_to_create(store, 9)] == [2]
    one.to_the_end()
    holds(one)


def test_late_entrant_is_paired_in_the_next_round(begun):
    one = begun(3, TournamentPlan("swiss", 2, 2, late=1, rounds=3))
    one.looks()
    one.tell(Enter("late"))
    one.plays()
    assert one.state.byes == ()
    one.to_the_end()
    holds(one)


# --- What an audit compares ---------------------------------------------------------------------------------


def test_table_ruled_after_its_match_keeps_the_ruling(begun):
    one = begun(4, TournamentPlan("swiss", 2, 2, rounds=2))
    one.looks()
    one.sit(0)
    one.resigns(0)
    one.looks()
    places = one.state.results[0].places
    one.tell(RuleTable(ORGANISER, 0, places[::-1], "It was agreed before."))
    holds(one)
    one.to_the_end()
    holds(one)


@pytest.mark.parametrize("what", ["places", "wins", "games", "match"])
def test_audit_finds_a_table_result_that_differs_from_its_match(begun, what):
    one = begun(4, TournamentPlan("swiss", 2, 2, rounds=2))
    one.looks()
    for table in (0, 1):
        one.sit(table)
        one.resigns(table)
    told = ending_command(one.matches, one.state, open_row(one, 0))
    other = {"places": told.places[::-1], "wins": (0, 0), "games": told.games + 1, "match": one.match(1)}
    one.tell(with_fields(told, **{what: other[what]}))
    report = audit_stream(one.store, one.id)
    assert [check.name for check in report.checks if not check.ok] == ["agreement"]


def open_row(one, table):
    """Return the row of an open table."""
    return TableRow(one.id, 1, table, 0, one.match(table))


# --- A season -----------------------------------------------------------------------------------------------


@pytest.mark.long
def test_eight_week_league_runs_with_killed_runners_and_no_shows(begun, store, now):
    plan = TournamentPlan("league", 2, 2, most=8, show_up_seconds=3 * DAY // 1000, round_days=8)
    one = begun(8, plan, terms=terms(clock=Clock(per_decision_seconds=30 * DAY // 1000)))
    began, killed = now.at, looks_dying(one, store, now)
    for week in range(1, 8):
        seats = {who: table for table, pair in enumerate(one.state.tables) for who in pair}
        absent = {7} & {*seats} if week in (1, 4, 5) else set()
        for table in one.open():
            one.sit(table, *absent)
        if week == 3:
            one.tell(Withdraw("player 6"))
        now.passes(3 * DAY)
        killed += looks_dying(one, store, now)
        assert len(one.open()) == len(one.state.tables)  # the clocks of those who have not come run
        now.passes(5 * DAY - week * HOUR)
        for table in one.open():
            if (week, table) != (2, seats.get(0)):
                one.resigns(table)
        killed += looks_dying(one, store, now)
        assert one.state.round == (week if week in (2, 7) else week + 1)
        now.passes(week * HOUR)
        killed += looks_dying(one, store, now)
    t = one.state
    assert (t.status, now.at - began) == ("over", 56 * DAY)
    assert t.left in ({6: 3, 7: 4}, {6: 3, 7: 5})  # seven may have met six, who has left, in the fourth
    assert [type(event).__name__ for event in events(one)].count("TableAdjudicated") == 1
    assert next(table.games for table in t.played[1].tables if 0 in table.seats) == 0
    # Six and seven have missed more than half: nobody has points from them, nor byes instead.
    rows = {row.entrant: (row.points, row.rounds, row.byes) for _, row in ranked_entrants(t)}
    assert rows[6] == rows[7] == (0, 0, 0)
    assert {(rounds, byes) for who, (_, rounds, byes) in rows.items() if who < 6} == {(5, 0)}
    assert sum(points for points, _, _ in rows.values()) == 15 * 3
    assert sorted(t.ranked[-2:]) == [6, 7]
    assert killed > 30
    holds(one)
