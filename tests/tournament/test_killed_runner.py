"""Tests that a tournament is played to its end although runners in separate processes are killed at any moment."""

import subprocess
import sys
import time
from contextlib import closing, contextmanager
from random import Random

import pytest

from domain.tournament.round_tables import TableFinished
from events import times
from events.log.commits import read_events
from events.operations.audit_streams import audit_stream
from events.service import tournaments
from events.service.stream_kinds import TOURNAMENT
from events.store.opening import open_store
from tests import reaper
from tests.tournament.lives import Life


def plays(one):
    """Seat entrants and resign for them, as far as the runners have created matches."""
    for table in one.open():
        loaded = one.matches.load(one.match(table))
        if loaded is not None and loaded.state.status == "lobby":
            one.sit(table)
            one.resigns(table)


@contextmanager
def running(url):
    """A runner in its own process group."""
    command = [sys.executable, "-m", "tests.tournament.running", url]
    with subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE) as runner:
        assert runner.stdout is not None
        with reaper.noted("process group", runner.pid):
            assert runner.stdout.readline()
            yield
            runner.kill()


@pytest.mark.long
def test_every_step_of_a_tournament_happens_once_despite_killed_runners(url):
    rng, killed = Random(1), 0
    with closing(open_store(url)) as store:
        one = Life(store, times.now, 8)
        while one.state.status == "playing":
            with running(url), running(url):
                until = time.monotonic() + 0.5 * rng.random()
                while time.monotonic() < until:
                    plays(one)
                    time.sleep(0.01)
                killed += 2
        events = read_events(tournaments.load_tournament(one.matches, one.id).rows, TOURNAMENT.shapes, 0)
        finished = [event.match for event in events if isinstance(event, TableFinished)]
        assert len(finished) == len(set(finished)) == 12
        assert [check for check in audit_stream(store, one.id).checks if not check.ok] == []
    assert killed >= 4
