"""Tests that one thread polls for all waiting requests."""

import threading
import time
from threading import Event

import pytest

from api.http import change_poller
from api.http.change_poller import PERIOD_SECONDS, ChangePoller
from events.errors import Unavailable
from events.store.tables import inbox_rows, stream_rows
from tests.system.processes import until


class Versions:
    """A store that counts its queries."""

    def __init__(self):
        self.at, self.asked, self.fails, self.takes = {}, 0, None, 0.0

    def versions(self, match_nos):
        self.asked += 1
        time.sleep(self.takes)
        if self.fails:
            raise self.fails
        return {no: self.at.get(no, 0) for no in match_nos}


@pytest.fixture
def store(monkeypatch):
    counts = Versions()
    versions, stamp = stream_rows.versions, inbox_rows.stamp
    # The thread of another test's app may still be polling its own store.
    monkeypatch.setattr(
        stream_rows,
        "versions",
        lambda store, match_nos: counts.versions(match_nos) if store is counts else versions(store, match_nos),
    )
    monkeypatch.setattr(inbox_rows, "stamp", lambda store, players: {} if store is counts else stamp(store, players))
    return counts


@pytest.fixture
def watches(store):
    """Create change pollers, and close them at the end."""
    made = []

    def make(**how):
        made.append(ChangePoller(store, **how))
        return made[-1]

    yield make
    for each in made:
        each.close()


def waits(looking, match_no=1):
    """Wait until a match is past version 0; return an event that is set then."""
    woken = Event()
    looking.match(match_no, 0, 5).begin(woken.set)
    return woken


def threads():
    return {thread for thread in threading.enumerate() if thread.name == "change-poller"}


def test_many_waiting_requests_use_one_thread_and_one_query(store, watches):
    before, looking = threads(), watches()
    woken = [waits(looking, no) for no in range(20)]
    began = time.monotonic()
    time.sleep(0.5)
    assert len(threads() - before) == 1
    assert store.asked < 10 + 3 * (time.monotonic() - began) / PERIOD_SECONDS  # not 20 times the number of rounds
    store.at = dict.fromkeys(range(20), 1)
    assert all(each.wait(60) for each in woken)


def test_local_change_is_found_immediately(store, watches):
    looking = watches(period=90)
    woken = waits(looking)
    time.sleep(0.2)
    store.at = {1: 1}
    looking.hurry()
    assert woken.wait(60)


def test_slow_query_is_not_repeated_continuously(store, watches):
    store.takes = 0.05
    looking = watches(period=0.001)
    waits(looking)
    began = time.monotonic()
    for _ in range(100):
        looking.hurry()
        time.sleep(0.01)
    assert 2 <= store.asked <= 2 + (time.monotonic() - began) / 0.5  # each takes a tenth of half a second


@pytest.mark.parametrize("error", [Unavailable, RuntimeError("not foreseen")])
def test_polling_continues_after_a_database_failure(error, store, watches, monkeypatch):
    monkeypatch.setattr(change_poller, "_LONGEST_REST_SECONDS", 0.02)
    looking = watches(period=0.02)
    store.fails = error
    woken = waits(looking)
    time.sleep(0.2)
    store.fails, store.at = None, {1: 1}
    assert woken.wait(60)


def test_thread_ends_after_a_while_without_waiters(store, watches, monkeypatch):
    monkeypatch.setattr(change_poller, "_IDLE_SECONDS", 0.1)
    looking = watches(period=0.02)
    wait, woken = looking.match(1, 0, 5), Event()
    wait.begin(woken.set)
    assert not woken.wait(0.05)
    wait.end()
    until(lambda: not looking._running, 60)
    asked = store.asked
    store.at = {1: 1}
    assert waits(looking).wait(60)
    assert store.asked > asked


def test_stopping_process_releases_all_waiters(store, watches):
    looking = watches()
    woken = waits(looking)
    time.sleep(0.1)
    looking.close()
    assert woken.is_set()
    assert waits(looking).is_set()
