"""Tests absence in stored matches: outages, vacations, deadlines settled once, and what the log records."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta, timezone
from math import log10
from time import process_time

import pytest
from sqlalchemy import select

from domain import match as life
from domain.core import clock
from domain.core.clock import DAY, HOUR, Clock, Time
from domain.core.game import Refused
from domain.games.catalogue import GAMES
from domain.match import RecordedEvent
from domain.match.clocks import ClockCredited, DecisionRequested, DecisionTimedOut
from domain.match.creation import Series
from domain.match.judge import judge_creation
from domain.match.match_shuffles import NoncesAwaited, NoncesClosed
from domain.match.vacation_days import DAY_MS, Vacation, give_back_vacation, take_vacation
from events.errors import Unavailable
from events.log import commits as log
from events.log import deadlines
from events.operations.audit import audit
from events.operations.erasure import erase_player
from events.proof.checks import rules
from events.service import absence_credit, inbox
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.service.uptime_beats import UptimeBeats
from events.store.schema.log_schema import work_spans
from events.store.tables import outage_rows, pending_rows, player_rows, stream_rows, vacation_rows
from events.store.tables.outage_rows import STILL_MS
from tests.bound import Matches
from tests.draws import draws, seeded
from tests.match.table import options
from tests.worked import worked
from workers.tasks import bot_turn_tasks

NAMES = ("ann", "bob", "eve", "joe")
ANN = Caller("ann", "token of ann")
START = 1_750_000_000_000
MAIL = Clock(per_decision_seconds=HOUR, bank_seconds=HOUR, vacation=True)
HOUR_MS = 1000 * HOUR


class Machine:
    """A clock controlled by the test."""

    at = START

    def __call__(self):
        return Time(self.at)

    def passes(self, hours):
        self.at += round(hours * HOUR_MS)


@pytest.fixture
def now():
    return Machine()


@pytest.fixture
def matches(store, now):
    for name in NAMES:
        player_rows.add_player(store, name, name.title(), name.encode() * 8, START)
    return Matches(store, now=now)


@pytest.fixture
def begin(matches):
    """Create a match between people, or between Ann and bots; return its id."""

    def begin(clock=MAIL, people=1, **chosen):
        places = (
            SeatRequest("me"),
            *[SeatRequest("open")] * (people - 1),
            *[SeatRequest("bot", "random")] * (4 - people),
        )
        given = options("hearts", target_score=20) | chosen
        seen = matches.create(ANN, NewMatch("hearts", given, None, places, "public", clock, Series()))
        for seat, name in enumerate(NAMES[1:people], 1):
            matches.sit(seen.match_id, Caller(name, f"token of {name}"), seat)
        return seen.match_id

    return begin


def happened(matches, match_id, *kinds):
    """Return the events of these types, as the server knows them."""
    _, rows = stream_rows.load(matches.store, match_id)
    assert [check for check in audit(matches.store, match_id).checks if not check.ok and not check.skipped] == []
    return [event for event in log.read_match_events(rows, "hearts", 4) if type(event) in kinds]


def passes(matches, match_id, caller=ANN, if_match=None):
    seen = matches.see(match_id, caller)
    move = seen.match.game.timing.default(seen.match.table, seen.seat)
    return matches.move(match_id, caller, seen.seat, move, if_match)


def deadline(matches, match_id, seat=0):
    return (matches.see(match_id, ANN).match.clocks.asked[seat] - START) / HOUR_MS


def works(store, now, until, process="only", role="scheduler"):
    """Let time pass as it does while a process is running."""
    worked(store, now.at, until, process, role)
    now.at = until


# --- Outages ----------------------------------------------------------------------------------------------


def test_decision_does_not_time_out_without_a_running_scheduler(store, matches, begin, now):
    outage_rows.beat(store, START)
    match_id = begin(Clock(per_decision_seconds=2 * HOUR))
    now.passes(5)
    outage_rows.beat(store, now())
    assert outage_rows.outages_since(store, START, now()) == [(START, now())]
    assert matches.settle(match_id) == 1
    assert happened(matches, match_id, ClockCredited, DecisionTimedOut) == [
        ClockCredited(0, 5 * HOUR, "outage", Time(START + 7 * HOUR_MS))
    ]
    assert matches.settle(match_id) == 0
    works(store, now, now() + 2 * HOUR_MS)
    assert matches.settle(match_id) == 1
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1


@pytest.mark.both_databases
def test_decision_due_before_the_outage_is_settled_after_it(store, matches, begin, now):
    outage_rows.beat(store, START)
    match_id = begin(Clock(per_decision_seconds=30))
    works(store, now, START + 90_000)
    now.passes(5)
    outage_rows.beat(store, now())
    assert len(outage_rows.outages_since(store, START, now())) == 1
    matches.settle(match_id)
    assert happened(matches, match_id, ClockCredited) == []
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1


def test_time_between_two_heartbeats_is_not_an_outage(store, matches, now):
    outage_rows.beat(store, START)
    now.at += STILL_MS
    outage_rows.beat(store, now())
    assert outage_rows.outages_since(store, 0, now()) == []
    assert outage_rows.proven_until(store, now()) == now()


@pytest.mark.both_databases
@pytest.mark.parametrize("seconds", [1, 5, 40, 59, 60, 75, 600, 3 * DAY])
def test_downtime_of_any_length_counts_for_no_seat(seconds, store, matches, begin, now):
    outage_rows.beat(store, START, "before")
    match_id = begin(Clock(per_decision_seconds=30), people=2)
    works(store, now, START + 29_500, "before")
    now.at += 1000 * seconds
    outage_rows.beat(store, now(), "after")
    matches.settle(match_id)
    credited = happened(matches, match_id, ClockCredited)
    assert {(event.seconds, event.why) for event in credited} == {(seconds, "outage")}
    assert happened(matches, match_id, DecisionTimedOut) == []
    now.at += 501
    outage_rows.beat(store, now(), "after")
    matches.settle(match_id)
    assert [event.seat for event in happened(matches, match_id, DecisionTimedOut)] == [0, 1]


@pytest.mark.parametrize("kind", ["simple", "fischer", "byo_yomi", "canadian"])
def test_short_downtime_does_not_use_a_bank(kind, store, matches, begin, now):
    periods = {"period_seconds": 10, "periods": 2} if kind == "byo_yomi" else {}
    canadian = {"period_seconds": 10, "period_moves": 2} if kind == "canadian" else {}
    outage_rows.beat(store, START, "before")
    match_id = begin(Clock(kind=kind, bank_seconds=60, **periods, **canadian))
    before = matches.see(match_id, ANN).match.clocks.banks[0]
    now.at += 40_000
    outage_rows.beat(store, now(), "after")
    passes(matches, match_id)
    assert matches.see(match_id, ANN).match.clocks.banks[0] == before


def test_widely_spaced_heartbeats_mean_a_stopped_process(store, now):
    outage_rows.beat(store, START)
    now.at += STILL_MS + 1
    outage_rows.beat(store, now())
    assert outage_rows.outages_since(store, 0, now()) == [(START, now())]


def test_second_scheduler_does_not_end_an_outage(store, now):
    outage_rows.beat(store, START, "one")
    outage_rows.beat(store, START + 800, "two")
    assert outage_rows.outages_since(store, 0, START + 900) == [(START, START + 800)]
    outage_rows.beat(store, START + 1_000, "one")
    assert outage_rows.outages_since(store, 0, START + 1_000) == []


def test_one_running_scheduler_of_two_means_no_outage(store, now):
    worked(store, START, START + 100_000, "one")
    worked(store, START + 1, START + 50_000, "two")
    assert outage_rows.outages_since(store, 0, START + 100_000) == []
    outage_rows.beat(store, START + 106_000, "three")  # both have died
    assert outage_rows.outages_since(store, 0, START + 106_000) == [(START + 100_000, START + 106_000)]


def test_server_is_down_while_no_api_or_no_scheduler_runs(store):
    worked(store, START, START + 300_000, "a scheduler")
    worked(store, START + 20_000, START + 50_000, "an api", "api")
    worked(store, START + 40_000, START + 60_000, "another api", "api")
    worked(store, START + 90_000, START + 300_000, "a third", "api")
    assert outage_rows.outages_since(store, 0, START + 301_000) == [(START + 60_000, START + 90_000)]
    assert outage_rows.outages_since(store, 0, START + 310_000) == [
        (START + 60_000, START + 90_000),
        (START + 300_000, START + 310_000),
    ]


def test_combined_server_has_one_outage(store, matches, begin, now):
    worked(store, START - 1_000, START + 20_000, "both", "serve")
    worked(store, START - 500, START + 19_500, "an api", "api")
    match_id = begin(Clock(per_decision_seconds=60))
    now.at = START + 50_000
    outage_rows.beat(store, now(), "both again", "serve")
    assert outage_rows.outages_since(store, 0, now()) == [(START + 20_000, START + 50_000)]
    works(store, now, START + 62_000, "both again", "serve")
    assert matches.settle(match_id) == 1
    assert [credit.seconds for credit in happened(matches, match_id, ClockCredited)] == [30]
    assert happened(matches, match_id, DecisionTimedOut) == []


@pytest.mark.both_databases
def test_old_spans_are_merged_and_outages_are_kept(store):
    for n in range(50):
        worked(store, START + 1_000 * n, START + 1_000 * n + 1_500, str(n), "serve")
    worked(store, START + 90_000, START + HOUR_MS, "later", "serve")
    now = START + 3 * HOUR_MS
    before = outage_rows.outages_since(store, 0, now)
    assert before == [(START + 50_500, START + 90_000), (START + HOUR_MS, now)]
    outage_rows.merge_old(store, now)
    outage_rows.merge_old(store, now)
    assert outage_rows.outages_since(store, 0, now) == before
    assert len(store.read(select(work_spans.c.to_ms))) == 2


def test_deadline_moves_during_an_outage_and_is_settled_after_it(store, matches, begin, now):
    outage_rows.beat(store, START)
    match_id = begin(Clock(per_decision_seconds=30))
    for hours in (1, 3):
        now.at = START + hours * HOUR_MS
        assert matches.settle(match_id) == 0  # the scheduler is not back
        m = matches.see(match_id, ANN).match
        assert deadlines.deadline_of_seat(store, m, 0, now()) == now() + 30_000
    outage_rows.beat(store, now())
    assert matches.settle(match_id) == 1
    assert happened(matches, match_id, DecisionTimedOut) == []
    assert deadline(matches, match_id) == pytest.approx(3 + 30 / 3600)


@pytest.mark.parametrize("after", [1.5, 5])
def test_first_request_after_an_outage_finds_its_time_unspent(after, store, matches, begin, now):
    outage_rows.beat(store, START)
    match_id = begin()
    version = matches.see(match_id, ANN).version
    now.passes(after)
    if after > 2:
        outage_rows.beat(store, now())
    passes(matches, match_id, if_match=version if after < 2 else None)
    assert [credit.why for credit in happened(matches, match_id, ClockCredited)] == ["outage"]
    assert matches.see(match_id, ANN).match.clocks.banks[0].left == HOUR_MS


def test_deadline_opened_right_after_a_freeze_is_not_moved(store, matches, begin, now):
    """The thread that moves may run before the heartbeat thread."""
    process = UptimeBeats(store, "serve", now)
    process.beat()
    matches.note_work = process.beat_after_freeze
    match_id = begin(Clock(per_decision_seconds=30), people=4)
    for name in NAMES[:3]:
        passes(matches, match_id, Caller(name, f"token of {name}"))
    now.at += 16_300
    passes(matches, match_id, Caller("joe", "token of joe"))
    shown = absence_credit.first_deadline(matches, matches.see(match_id, ANN).match)
    now.at += 250
    process.beat()
    assert absence_credit.first_deadline(matches, matches.see(match_id, ANN).match) == shown
    works(store, now, shown, "later", "serve")
    assert matches.settle(match_id) == 1
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1


def test_used_time_is_charged(store, matches, begin, now):
    match_id = begin()
    works(store, now, START + HOUR_MS * 3 // 2)
    passes(matches, match_id)
    assert happened(matches, match_id, ClockCredited) == []
    assert matches.see(match_id, ANN).match.clocks.banks[0].left == HOUR_MS / 2


# --- Once and only once -----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_two_workers_settle_a_deadline_once(store, matches, begin, now):
    match_id = begin(people=4, clock=Clock(per_decision_seconds=HOUR))
    now.passes(10)
    workers = [Matches(store, now=now) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda worker: worker.settle(match_id), workers)) == 4
    timed_out = happened(matches, match_id, DecisionTimedOut)
    assert sorted(event.seat for event in timed_out) == [0, 1, 2, 3]


def test_simultaneous_decisions_expire_seat_by_seat(matches, begin, now):
    match_id = begin(people=4, clock=Clock(per_decision_seconds=HOUR))
    passes(matches, match_id, Caller("bob", ""))
    now.passes(1)
    assert matches.settle(match_id) == 3
    assert [event.seat for event in happened(matches, match_id, DecisionTimedOut)] == [0, 2, 3]
    assert matches.see(match_id, ANN).match.clocks.defaults == (1, 0, 1, 1)


@pytest.mark.both_databases
def test_the_deadlines_of_a_match_are_settled_in_their_order(store, matches, begin, now):
    match_id = begin(people=4)
    for name in NAMES:
        vacation_rows.set_auto(store, name, False)
    vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), Time(now() + DAY_MS)))
    vacation_rows.change_vacations(store, "bob", lambda a: take_vacation(a, now(), Time(now() + 3 * HOUR_MS)))
    now.passes(2)
    assert matches.settle(match_id) == 4
    now.passes(30)
    matches.settle(match_id)
    assert [event.seat for event in happened(matches, match_id, DecisionTimedOut)] == [2, 3, 1, 0]


# --- Vacations --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "left"), [(3, 30), (1, 100), (2, 1)])
def test_a_vacation_moves_a_deadline_by_all_of_its_time(days, left, store, matches, begin, now):
    match_id = begin(Clock(per_decision_seconds=left * HOUR, vacation=True))
    vacation_rows.set_auto(store, "ann", False)
    vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), Time(now() + days * DAY_MS)))
    while not happened(matches, match_id, DecisionTimedOut):
        assert now() - START < 300 * HOUR_MS
        now.at = int(matches.see(match_id, ANN).match.clocks.asked[0])
        matches.settle(match_id)
    assert (now() - START) / HOUR_MS == 24 * days + left


def test_deadline_during_an_automatic_vacation_moves_day_by_day(store, matches, begin, now):
    match_id = begin()
    vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), Time(now() + 2 * DAY_MS)))
    now.passes(2)
    assert matches.settle(match_id) == 1
    assert deadline(matches, match_id) == 26
    now.passes(1)
    with pytest.raises(Refused):
        vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), Time(now() + DAY_MS)))
    now.passes(23)
    assert matches.settle(match_id) == 1
    assert deadline(matches, match_id) == 50
    now.passes(24)
    vacation_rows.set_auto(store, "ann", False)
    assert matches.settle(match_id) == 1
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1


def test_early_return_from_vacation_gains_nothing(store, matches, begin, now):
    match_id = begin()
    vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), Time(now() + 5 * DAY_MS)))
    now.passes(3)
    matches.settle(match_id)
    back = vacation_rows.change_vacations(store, "ann", lambda a: give_back_vacation(a, now()))
    assert back.taken == (Vacation(Time(START), Time(START + DAY_MS), Time(START + DAY_MS)),)
    assert deadline(matches, match_id) == 26


def test_a_player_on_vacation_may_move_and_is_not_charged(store, matches, begin, now):
    match_id = begin()
    now.passes(0.5)
    vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), Time(now() + DAY_MS)))
    now.passes(1)
    passes(matches, match_id)
    assert [credit.seconds for credit in happened(matches, match_id, ClockCredited)] == [HOUR]
    assert matches.see(match_id, ANN).match.clocks.banks[0].left == HOUR_MS


def test_automatic_day_is_taken_at_expiry(store, matches, begin, now):
    match_id = begin()
    now.passes(2)
    assert matches.settle(match_id) == 1
    assert happened(matches, match_id, ClockCredited) == [
        ClockCredited(0, DAY, "vacation", Time(START + 2 * HOUR_MS + DAY_MS))
    ]
    assert vacation_rows.find_away(store, ["ann", "bob"], now()) == {"ann": now() + DAY_MS}


@pytest.mark.parametrize("why", ["opted out", "not allowed", "none left", "erased"])
def test_automatic_vacation_day_is_not_taken(why, store, matches, begin, now):
    match_id = begin(Clock(per_decision_seconds=2 * HOUR) if why == "not allowed" else MAIL)
    if why == "opted out":
        vacation_rows.set_auto(store, "ann", False)
    if why == "none left":
        vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, Time(START - 7 * DAY_MS), Time(START)))
    if why == "erased":
        erase_player(store, "ann", now())
    now.passes(2)
    assert matches.settle(match_id) == 1
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1
    assert vacation_rows.find_away(store, ["ann"], now()) == {}


def test_crash_after_taking_a_vacation_day_takes_no_second_day(store, matches, begin, now, monkeypatch):
    vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, Time(START - 6 * DAY_MS), Time(START)))
    match_id = begin()
    now.passes(2)
    with monkeypatch.context() as broken:
        broken.setattr(store, "append", _dies)
        with pytest.raises(Unavailable):
            matches.settle(match_id)
    assert matches.settle(match_id) == 1
    assert deadline(matches, match_id) == 26
    assert len(vacation_rows.allowance(store, "ann").taken) == 2


def _dies(*args):
    raise Unavailable


@pytest.mark.both_databases
def test_one_vacation_day_covers_all_matches(store, matches, begin, now):
    ids = [begin() for _ in range(5)]
    now.passes(2)
    workers = [Matches(store, now=now) for _ in ids]
    with ThreadPoolExecutor(5) as pool:
        assert list(pool.map(lambda w, match_id: w.settle(match_id), workers, ids)) == [1] * 5
    assert len(vacation_rows.allowance(store, "ann").taken) == 1
    assert {deadline(matches, match_id) for match_id in ids} == {26}


@pytest.mark.both_databases
def test_concurrent_requests_cannot_overdraw_the_pool(store, matches, now):
    def ask(i):
        start = Time(now() + i * 4 * DAY_MS)
        try:
            vacation_rows.change_vacations(store, "bob", lambda a: take_vacation(a, start, Time(start + 4 * DAY_MS)))
        except Refused as refused:
            return refused.code
        return "taken"

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, [0] * 8))
    assert sorted(answers) == ["on_vacation"] * 7 + ["taken"]
    assert len(vacation_rows.allowance(store, "bob").taken) == 1


# --- Nobody comes -----------------------------------------------------------------------------------------


def test_unplayed_match_is_abandoned_and_disclosed(matches, begin, now):
    match_id = begin(people=4, clock=Clock(per_decision_seconds=HOUR, max_defaults=2))
    while not matches.see(match_id, ANN).match.over:
        now.passes(1)
        matches.settle(match_id)
    seen = matches.see(match_id, ANN)
    assert (seen.match.status, seen.match.result) == ("abandoned", None)
    assert life.disclosed_hands(seen.match) >= {0, 1}
    assert audit(matches.store, match_id).ok
    assert pending_rows.read_pending(matches.store, seen.match_no) == []
    assert matches.replay(matches.past(match_id, ANN), seen.version, "all").match.table is not None


# --- What is shown --------------------------------------------------------------------------------------------


def lives(store, rng, now, longest):
    """Run and kill processes until a time; return the outages, of which the last may still continue.

    A scheduler and two APIs, or one process that is both, die, hang or are down together, for any time.
    """
    roles = rng.choice([["serve"], ["scheduler", "api", "api"]])
    begun, names, outages = dict.fromkeys(range(len(roles)), now.at), iter(range(1000)), []
    called = {n: str(next(names)) for n in begun}
    for _ in range(rng.randrange(1, 6)):
        now.at += round(10 ** rng.uniform(1, log10(longest)))
        needed = rng.choice(sorted({*roles}))
        stops = [n for n, role in enumerate(roles) if role == needed or rng.random() < 0.2]
        for n in stops:
            worked(store, begun[n], now.at, called[n], roles[n])
        down = round(10 ** rng.uniform(1, log10(longest)))
        is_frozen, on = rng.random() < 0.3, rng.random() < 0.1
        down += STILL_MS if is_frozen or on else 0
        outages.append((now.at, now.at + down))
        now.at += down
        if on:
            break
        for n in stops:
            begun[n], called[n] = now.at, called[n] if is_frozen else str(next(names))
            outage_rows.beat(store, now(), called[n], roles[n])
    else:
        stops, down = [], rng.randrange(1, longest)
        now.at += down
    for n, role in enumerate(roles):
        if n not in stops:
            worked(store, begun[n], now.at, called[n], role)
    return outages


def goes_on(store, now, until):
    """Let all roles run until then; a current outage ends now."""
    outage_rows.beat(store, now(), "at last", "serve")
    worked(store, now(), until, "at last", "serve")
    now.at = until


def any_clock(rng, **chosen):
    """Draw a clock of any kind, in which a decision has seconds to days."""
    first, second = (round(10 ** rng.uniform(0.7, 5)) for _ in range(2))
    return rng.choice([
        Clock(per_decision_seconds=first, bank_seconds=rng.choice([0, second]), **chosen),
        Clock(kind="fischer", bank_seconds=first, increment_seconds=second, **chosen),
        Clock(kind="byo_yomi", bank_seconds=first, period_seconds=second, periods=3, **chosen),
        Clock(kind="canadian", bank_seconds=first, period_seconds=second, period_moves=3, **chosen),
    ])  # fmt: skip


@pytest.mark.parametrize("_", range(draws(40)))
def test_displayed_deadline_is_enforced(_, store, matches, begin, now):
    """This holds for any limit, days off and grace period, with vacations and outages before the deadline."""
    rng = seeded()
    vacation = rng.random() < 0.7
    days_off = rng.choice([(), (6, 7), (rng.randrange(1, 8),)])
    given = any_clock(rng, days_off=days_off, grace_seconds=rng.choice([0, 0, 600]))
    if vacation and clock.first_budget(given) >= HOUR_MS:
        given = replace(given, vacation=True)
    vacation_rows.set_auto(store, "ann", False)
    match_id, opened = begin(given), now()
    budget = clock.first_budget(given)
    out = lives(store, rng, now, longest=max(100, budget // 5))
    days = rng.randrange(1, 30)
    if given.vacation:
        taken = Time(now() + days * DAY_MS // 8 + HOUR_MS)
        vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), taken))
    m = matches.see(match_id, ANN).match
    shown = deadlines.deadline_of_seat(store, m, 0, now())
    (row,) = inbox.waiting_turns(matches, "ann")
    assert (shown, shown) == (row.deadline_ms, absence_credit.first_deadline(matches, m))
    if shown <= now():
        return
    without = sum(clock.ms_between(given, max(a, opened), b) for a, b in out)
    counted = clock.ms_between(given, opened, now()) - without
    if not given.vacation:
        assert 0 <= clock.ms_between(given, now(), shown) - (budget - counted) < 1_000
    matches.settle(match_id)
    assert happened(matches, match_id, DecisionTimedOut) == []
    first = now()
    while not happened(matches, match_id, DecisionTimedOut):
        seen = matches.see(match_id, ANN).match
        late = life.settling_time(seen, seen.clocks.asked[0])
        goes_on(store, now, max(late, now()))
        matches.settle(match_id)
    assert now() == max(first, life.settling_time(m, shown))


@pytest.mark.parametrize("_", range(draws(40)))
def test_downtime_is_not_charged_to_a_bank(_, store, matches, begin, now):
    """Any process may be down, for any time, and the last may not have returned."""
    rng = seeded()
    given = any_clock(rng)
    match_id, opened = begin(given), now()
    before = matches.see(match_id, ANN).match.clocks.banks[0]
    budget = clock.first_budget(given)
    out = lives(store, rng, now, longest=max(100, budget // 7))
    used = now() - opened
    if used >= absence_credit.AT_ONCE_MS:  # below it the server does not look for outages
        used -= sum(b - a for a, b in out)
    if used < budget:
        passes(matches, match_id)
        m = matches.see(match_id, ANN).match
        assert m.clocks.defaults[0] == 0
        left = [clock.bank_after(given, before, Time(budget), Time(max(0, used - more))) for more in range(1001)]
        assert m.clocks.banks[0] in left, f"{m.clocks.banks[0]} is not between {left[0]} and {left[-1]}"


def test_vacation_and_its_end_move_displayed_deadlines_immediately(store, matches, begin, now):
    begin(Clock(per_decision_seconds=2 * HOUR, vacation=True))
    shown = lambda: inbox.waiting_turns(matches, "ann")[0].deadline_ms - START  # noqa: E731
    assert shown() == 2 * HOUR_MS
    vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), Time(now() + 3 * DAY_MS)))
    assert shown() == 3 * DAY_MS + 2 * HOUR_MS
    now.passes(5)
    vacation_rows.change_vacations(store, "ann", lambda a: give_back_vacation(a, now()))
    assert shown() == 7 * HOUR_MS


# --- When exactly ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("opens", "back"), [(10, 65), (59, 61 + 29), (0, 61)])
def test_outage_begins_with_the_last_heartbeat_and_not_with_the_decision(opens, back, store, matches, begin, now):
    outage_rows.beat(store, START)
    now.at = START + 1000 * opens
    match_id = begin(Clock(per_decision_seconds=30))
    now.at = START + 1000 * back
    outage_rows.beat(store, now())
    matches.settle(match_id)
    assert [credit.seconds for credit in happened(matches, match_id, ClockCredited)] == [back - opens]
    assert happened(matches, match_id, DecisionTimedOut) == []


def test_decision_opened_late_in_an_outage_does_not_expire_in_it(store, matches, begin, now):
    outage_rows.beat(store, START)
    now.at = START + HOUR_MS - 40_000
    match_id = begin(Clock(per_decision_seconds=30))
    now.at = START + HOUR_MS
    outage_rows.beat(store, now())
    matches.settle(match_id)
    assert happened(matches, match_id, DecisionTimedOut) == []


def test_outage_before_a_decision_is_not_charged(store, matches, begin, now):
    outage_rows.beat(store, START)
    now.at = START + 10_000
    match_id = begin(Clock(kind="fischer", bank_seconds=60, increment_seconds=1))
    now.at = START + 65_000
    outage_rows.beat(store, now())
    passes(matches, match_id)
    assert matches.see(match_id, ANN).match.clocks.banks[0].left == 61_000


def test_no_decision_times_out_until_outages_are_known(store, matches, begin, now):
    outage_rows.beat(store, START)
    ids = [begin(Clock(per_decision_seconds=30)) for _ in range(2)]
    now.at = START + 50_000  # the API is back before the scheduler is
    assert matches.settle(ids[0]) == 0
    passes(matches, ids[1])
    now.at = START + 65_000
    outage_rows.beat(store, now())
    for match_id in ids:
        matches.settle(match_id)
        assert happened(matches, match_id, DecisionTimedOut) == []


@pytest.mark.parametrize("role", ["scheduler", "api"])
def test_deadline_after_the_last_heartbeat_waits_until_an_outage_is_ruled_out(role, store, matches, begin, now):
    other = {"scheduler": "api", "api": "scheduler"}[role]
    worked(store, START, START + 29_500, "before", role)
    match_id = begin(Clock(per_decision_seconds=30))
    works(store, now, START + 30_500, "the other", other)
    assert matches.settle(match_id) == 0
    works(store, now, START + 31_200, "the other", other)
    outage_rows.beat(store, now(), "after", role)
    assert matches.settle(match_id) == 1
    assert [credit.seconds for credit in happened(matches, match_id, ClockCredited)] == [2]


def test_decision_due_with_a_running_scheduler_is_settled_immediately(store, matches, begin, now):
    match_id = begin(Clock(per_decision_seconds=30))
    worked(store, START, START + 31_000)
    now.at = START + 75_000
    assert matches.settle(match_id) == 1
    assert len(happened(matches, match_id, DecisionTimedOut)) == 1


def test_nonce_deadline_does_not_expire_during_an_outage(store, matches, begin, now):
    outage_rows.beat(store, START)
    match_id = begin(MAIL, people=2, nonce_seconds=600)
    now.passes(3)
    outage_rows.beat(store, now())
    assert matches.settle(match_id) == 1
    m = matches.see(match_id, ANN).match
    assert (m.shuffles.stage, m.shuffles.stage_until) == ("nonces", START + 600_000 + 3 * HOUR_MS)
    assert [e.until for e in happened(matches, match_id, NoncesAwaited)] == [START + 600_000, m.shuffles.stage_until]
    (due,) = [d for d in pending_rows.read_pending(store, matches.see(match_id, ANN).match_no) if d.kind == "start"]
    assert due.due_ms == m.shuffles.stage_until
    assert matches.settle(match_id) == 0
    works(store, now, m.shuffles.stage_until)
    assert matches.settle(match_id) == 1
    assert matches.see(match_id, ANN).match.status == "playing"
    assert len(happened(matches, match_id, NoncesClosed)) == 1


# --- A clock that is wrong --------------------------------------------------------------------------------------


@pytest.mark.parametrize("reads", [1, 5])
def test_fast_machine_clock_neither_hides_nor_creates_an_outage(reads, store, matches, begin, now):
    outage_rows.beat(store, START)
    for i in range(reads):
        outage_rows.beat(store, START + 30 * DAY_MS + 15_000 * i)
    works(store, now, START + 120_000)
    assert outage_rows.outages_since(store, 0, now()) == []
    fine, out = (begin(Clock(per_decision_seconds=HOUR * n)) for n in (1, 2))
    works(store, now, now() + HOUR_MS)
    matches.settle(fine)
    assert len(happened(matches, fine, DecisionTimedOut)) == 1
    began = now()
    now.passes(5)
    outage_rows.beat(store, now())
    matches.settle(out)
    assert outage_rows.outages_since(store, 0, now()) == [(began, now())]
    assert [credit.seconds for credit in happened(matches, out, ClockCredited)] == [5 * HOUR]


def test_outage_ended_by_a_fast_clock_ends_once_that_is_known(store, now):
    outage_rows.beat(store, START)
    outage_rows.beat(store, START + 30 * DAY_MS)
    assert outage_rows.outages_since(store, 0, START + 5 * HOUR_MS) == [(START, START + 5 * HOUR_MS)]
    outage_rows.beat(store, START + 5 * HOUR_MS)
    outage_rows.beat(store, START + 5 * HOUR_MS + 1_000)
    assert outage_rows.outages_since(store, 0, START + DAY_MS // 2) == [
        (START, START + 5 * HOUR_MS),
        (START + 5 * HOUR_MS + 1_000, START + DAY_MS // 2),
    ]


@pytest.mark.both_databases
def test_slow_clock_changes_nothing(store):
    worked(store, START - 1_000, START)
    outage_rows.beat(store, START + HOUR_MS)
    outage_rows.beat(store, START + HOUR_MS + 1_000)
    for at in (START - 30 * DAY_MS, START + HOUR_MS + 2_000):
        outage_rows.beat(store, at)
    assert outage_rows.outages_since(store, START, START + HOUR_MS + 2_000) == [(START, START + HOUR_MS)]


@pytest.mark.both_databases
def test_first_heartbeats_of_many_schedulers_all_succeed(store):
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(outage_rows.beat, [store] * 8, [START] * 8)) == [None] * 8
    outage_rows.beat(store, START + HOUR_MS)
    assert outage_rows.outages_since(store, 0, START + HOUR_MS) == [(START, START + HOUR_MS)]


# --- No day is spent for nothing --------------------------------------------------------------------------------


def test_vacation_day_is_not_used_if_the_move_is_in_time(store, matches, begin, now, monkeypatch):
    match_id = begin()
    now.passes(2)
    behind, append = Matches(store, now=lambda: Time(START + 2 * HOUR_MS - 5)), store.append

    def second(match_no, commit):
        monkeypatch.setattr(store, "append", append)
        passes(behind, match_id)
        return append(match_no, commit)

    monkeypatch.setattr(store, "append", second)
    assert matches.settle(match_id) == 0
    assert happened(matches, match_id, ClockCredited) == []
    assert vacation_rows.allowance(store, "ann").taken == ()


def test_vacation_begun_concurrently_is_respected(store, matches, begin, now, monkeypatch):
    match_id = begin()
    now.passes(2)
    append = store.append

    def second(match_no, commit):
        monkeypatch.setattr(store, "append", append)
        vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), Time(now() + 3 * DAY_MS)))
        return append(match_no, commit)

    monkeypatch.setattr(store, "append", second)
    assert matches.settle(match_id) == 1
    assert [v.end - v.start for v in vacation_rows.allowance(store, "ann").taken] == [3 * DAY_MS]
    assert deadline(matches, match_id) == 26


def test_vacation_day_is_not_used_on_a_day_off_in_the_grace_period(store, matches, begin, now):
    now.at = FRIDAY + 22 * HOUR_MS
    match_id = begin(Clock(per_decision_seconds=2 * HOUR - 1, days_off=(6, 7), vacation=True, grace_seconds=7200))
    until = matches.see(match_id, ANN).match.clocks.asked[0]
    works(store, now, until + 2 * HOUR_MS)
    assert matches.settle(match_id) == 0
    assert vacation_rows.allowance(store, "ann").taken == ()
    now.at = until + 2 * DAY_MS + 2 * HOUR_MS
    outage_rows.beat(store, now())
    assert matches.settle(match_id) >= 1
    assert happened(matches, match_id, DecisionTimedOut) == []


@pytest.mark.both_databases
def test_thousands_of_vacations_take_little_time(store, matches, begin, now):
    now.at = START + 3000 * 12 * HOUR_MS
    many = tuple(
        Vacation(Time(START + i * 12 * HOUR_MS), Time(START + i * 12 * HOUR_MS + HOUR_MS // 2), Time(0))
        for i in range(3000)
    )
    vacation_rows.change_vacations(store, "ann", lambda a: replace(a, taken=many))
    begun_at = process_time()
    vacation_rows.change_vacations(store, "ann", lambda a: take_vacation(a, now(), Time(now() + DAY_MS)))
    vacation_rows.change_vacations(store, "ann", lambda a: give_back_vacation(a, now()))
    assert process_time() - begun_at < 1
    assert vacation_rows.allowance(store, "ann", now() - 1).taken == (Vacation(now(), now() + HOUR_MS, now()),)


# --- The rules of a time zone change ----------------------------------------------------------------------------

FRIDAY = 1_795_132_800_000  # 2026-11-20


@pytest.fixture
def in_cairo(matches, begin, now):
    """Return a match with weekends off and two completed decisions: one answered, one by default."""
    now.at = FRIDAY + 21 * HOUR_MS + HOUR_MS // 2  # half past eleven there
    clock = Clock(per_decision_seconds=2 * DAY, bank_seconds=DAY, days_off=(6, 7), time_zone="Africa/Cairo")
    match_id = begin(clock, people=2)
    for _ in range(6):
        bot_turn_tasks.play_bot_turns(matches, match_id)
        m = matches.see(match_id, ANN).match
        seat = life.to_act(m)[0]
        now.at = life.first_settling_time(m) if seat else now() + 60_000
        matches.settle(match_id) if seat else passes(matches, match_id)
    return match_id


def rules_of(matches, match_id):
    report = audit(matches.store, match_id)
    return next(check for check in report.checks if check.name == "rules"), report.ok


def test_match_verifies_after_its_time_zone_rules_change(matches, in_cairo, monkeypatch):
    assert rules_of(matches, in_cairo)[0].ok
    assert not rules_of(matches, in_cairo)[0].skipped
    for hours in (3, 9):
        monkeypatch.setattr(clock, "_zone", lambda name, h=hours: timezone(timedelta(hours=h)))
        rules, ok = rules_of(matches, in_cairo)
        assert (rules.ok, rules.skipped, ok) == (True, True, False)
        assert "Africa/Cairo" in rules.detail


@pytest.mark.parametrize("what", ["move", "weeks", "utc"])
def test_time_zone_excuses_only_its_own_times(what, matches, in_cairo, monkeypatch):
    monkeypatch.setattr(clock, "_zone", lambda name: timezone(timedelta(hours=3)))
    judge = rules.judge

    def tampered(m, deeds, at, chance):
        deeds = list(deeds)
        for i, deed in enumerate(deeds):
            if what == "move" and type(deed.event) is DecisionRequested and at > FRIDAY + 4 * DAY_MS:
                deeds[i] = RecordedEvent(replace(deed.event, seat=3), deed.cause)
            if what == "weeks" and type(deed.event) is DecisionRequested and deed.event.seat == 0:
                later = Time(deed.event.deadline + 14 * DAY_MS)
                deeds[i] = RecordedEvent(replace(deed.event, deadline=later), deed.cause)
        return judge(m, deeds, at, chance)

    if what == "utc":
        monkeypatch.setattr("domain.match.judge._in_a_zone", lambda m: False)
    monkeypatch.setattr(rules, "judge", tampered)
    found, ok = rules_of(matches, in_cairo)
    assert (found.ok, ok) == (False, False)


@pytest.mark.parametrize(
    "wrong",
    [
        {"days_off": (1, 2, 3, 4, 5, 6, 7)},
        {"days_off": (1,), "time_zone": "Atlantis"},
        {"kind": "byo_yomi", "periods": 100, "period_seconds": 366 * DAY, "days_off": (1, 2, 3, 4, 5, 6)},
    ],
)
def test_impossible_clock_is_found_immediately(wrong, matches, begin):
    _, rows = stream_rows.load(matches.store, begin(Clock(per_decision_seconds=HOUR)))
    created = next(iter(log.read_match_events(rows, "hearts", 4)))
    given = replace(created, clock=replace(created.clock, **wrong))
    begun_at = process_time()
    _, fault = judge_creation(GAMES[given.game], "m", [RecordedEvent(given, "move")], Time(START), None)
    assert process_time() - begun_at < 0.5
    assert "clock." in fault.why
