"""Tests schedulers that stop for hours, in separate processes with a clock controlled by the test."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager

import pytest

from domain.core.clock import HOUR, Clock, Time
from domain.match.clocks import ClockCredited, DecisionTimedOut
from domain.match.creation import Series
from events.log import commits as log
from events.operations.audit import audit
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.store.opening import open_store
from events.store.tables import outage_rows, player_rows, stream_rows
from events.store.tables.outage_rows import STILL_MS
from tests import reaper
from tests.bound import Matches
from tests.match.table import options
from tests.system.processes import ROOT, until
from tests.worked import worked

pytestmark = pytest.mark.both_databases

START = 1_750_000_000_000
NAMES = ("ann", "bob", "eve", "joe")


class Machine:
    """A clock in a file, for all processes."""

    def __init__(self, path):
        self.path = path
        self.at = START
        self.set(START)

    def __call__(self):
        return Time(self.at)

    def set(self, at):
        self.at = at
        replacement = self.path.with_suffix(".new")
        replacement.write_text(str(at))
        replacement.replace(self.path)

    def passes(self, seconds):
        self.set(self.at + round(1000 * seconds))


@pytest.fixture
def now(tmp_path):
    return Machine(tmp_path / "clock")


@pytest.fixture
def store(url):
    with closing(open_store(url)) as opened:
        for name in NAMES:
            player_rows.add_player(opened, name, name, name.encode(), START)
        yield opened


@pytest.fixture
def matches(store, now):
    return Matches(store, now=now)


@pytest.fixture
def begin(matches):
    def begin(seconds):
        places = (SeatRequest("me"), *[SeatRequest("open")] * 3)
        clock = Clock(per_decision_seconds=seconds, max_defaults=1000)
        seen = matches.create(
            Caller("ann"), NewMatch("hearts", options("hearts"), None, places, "public", clock, Series())
        )
        for seat, name in enumerate(NAMES[1:], 1):
            matches.sit(seen.match_id, Caller(name), seat)
        return seen.match_id

    return begin


@pytest.fixture
def schedulers(url, now, tmp_path):
    """Run this many schedulers, each a process, until the block ends or they are killed."""

    @contextmanager
    def schedulers(n=1):
        with ExitStack() as stack, (tmp_path / "log").open("a") as said:
            command = [sys.executable, "-m", "tests.workers.clockwork", url, str(now.path)]
            running = [
                subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said, start_new_session=True) for _ in range(n)
            ]
            for process in running:
                stack.callback(reaper.note("process group", process.pid))
                stack.callback(process.wait, 60)
                stack.callback(_kill, process)
            yield running

    return schedulers


def _kill(process):
    if process.poll() is None:
        os.kill(process.pid, signal.SIGKILL)


def events_of(store, match_id, *kinds):
    _, rows = stream_rows.load(store, match_id)
    return [event for event in log.read_match_events(rows, "hearts", 4) if type(event) in kinds]


def last_beat(store, now):
    return outage_rows.proven_until(store, now())


def keeps_time(store, now, seconds):
    """Let time pass as it does for a running scheduler."""
    while seconds > 0:
        now.passes(min(STILL_MS / 1000, seconds))
        seconds -= STILL_MS / 1000
        until(lambda: last_beat(store, now) == now(), 60)


@pytest.mark.long
def test_long_absent_scheduler_settles_earlier_deadlines_only(store, begin, schedulers, now):
    soon, later = begin(20), begin(600)
    now.passes(30)  # the first has fallen due, and nobody has settled it, when the last scheduler stops
    worked(store, START, now())
    now.passes(5 * HOUR)
    with schedulers():
        until(lambda: len(events_of(store, soon, DecisionTimedOut)) == 4, 60)
        until(lambda: len(events_of(store, later, ClockCredited)) == 4, 60)
        assert outage_rows.outages_since(store, START, now()) == [(START + 30_000, now())]
        assert events_of(store, soon, ClockCredited) == []
        assert {event.seconds for event in events_of(store, later, ClockCredited)} == {5 * HOUR}
        keeps_time(store, now, 540)
        assert events_of(store, later, DecisionTimedOut) == []
        keeps_time(store, now, 30)
        until(lambda: len(events_of(store, later, DecisionTimedOut)) == 4, 60)
    for match_id in (soon, later):
        assert audit(store, match_id).ok


@pytest.mark.long
@pytest.mark.parametrize("down", [1, 40, 75])
def test_restarted_scheduler_lets_no_decision_expire(down, store, begin, schedulers, now):
    with schedulers() as (killed,):
        until(lambda: last_beat(store, now) == now(), 60)
        match_id = begin(30)
        keeps_time(store, now, 27)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
    before = last_beat(store, now)
    now.passes(down + 3)
    with schedulers():
        until(lambda: len(events_of(store, match_id, ClockCredited)) == 4, 60)
        assert outage_rows.outages_since(store, START, now())[0][0] == before
        assert events_of(store, match_id, DecisionTimedOut) == []
        keeps_time(store, now, 27)
        until(lambda: len(events_of(store, match_id, DecisionTimedOut)) == 4, 60)
    assert audit(store, match_id).ok


@pytest.mark.long
def test_two_schedulers_settle_overdue_work_once_after_a_kill(store, begin, schedulers, now):
    ids = [begin(10) for _ in range(30)]
    now.passes(20)
    outage_rows.beat(store, now())
    with schedulers(2) as (first, _):
        until(lambda: any(events_of(store, match_id, DecisionTimedOut) for match_id in ids), 60)
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        now.passes(6)  # the leases of what it had claimed run out; nothing else is due
        until(lambda: all(len(events_of(store, match_id, DecisionTimedOut)) >= 4 for match_id in ids), 60)
        time.sleep(0.3)
    for match_id in ids:
        assert sorted(event.seat for event in events_of(store, match_id, DecisionTimedOut)) == [0, 1, 2, 3]
        assert audit(store, match_id).ok
