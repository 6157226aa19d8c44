"""One thread looks for all who wait."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from api.http import watch
from api.http.watch import Full, Watch
from events.errors import Unavailable
from events.store import tables


class Versions:
    """A store that counts how often it is asked."""

    def __init__(self):
        self.at, self.asked, self.down = {}, 0, False

    def versions(self, match_nos):
        self.asked += 1
        if self.down:
            raise Unavailable
        return {no: self.at.get(no, 0) for no in match_nos}


@pytest.fixture
def store(monkeypatch):
    monkeypatch.setattr(tables.streams, "versions", lambda store, match_nos: store.versions(match_nos))
    monkeypatch.setattr(tables.inbox, "stamp", lambda store, players: {})
    return Versions()


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "watch"]


def test_many_waiters_are_one_thread_and_one_question(store):
    looking = Watch(store, 100)
    with ThreadPoolExecutor(20) as pool:
        waiting = [pool.submit(looking.match, no, 0, 5) for no in range(20)]
        time.sleep(0.5)
        assert len(threads()) == 1
        assert store.asked < 30  # not 20 times the number of rounds
        store.at = dict.fromkeys(range(20), 1)
        assert all(found.result() for found in waiting)


def test_news_written_here_is_found_at_once(store):
    looking = Watch(store, 100, period=10)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(looking.match, 1, 0, 5)
        time.sleep(0.2)
        began = time.monotonic()
        store.at = {1: 1}
        looking.hurry()
        assert waiting.result()
        assert time.monotonic() - began < 0.5


def test_a_database_that_is_away_for_a_while_is_asked_again(store):
    looking = Watch(store, 100, period=0.02)
    store.down = True
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(looking.match, 1, 0, 5)
        time.sleep(0.2)
        store.down, store.at = False, {1: 1}
        assert waiting.result()


def test_the_thread_ends_when_nobody_has_waited_for_a_while(store, monkeypatch):
    monkeypatch.setattr(watch, "_IDLE_SECONDS", 0.1)
    looking = Watch(store, 100, period=0.02)
    assert not looking.match(1, 0, 0.05)
    time.sleep(0.4)
    asked = store.asked
    assert not looking._running
    store.at = {1: 1}
    assert looking.match(1, 0, 1)
    assert store.asked > asked


def test_nobody_waits_for_a_process_that_ends(store):
    looking = Watch(store, 100)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(looking.match, 1, 0, 20)
        time.sleep(0.2)
        began = time.monotonic()
        looking.close()
        waiting.result()
        looking.match(1, 0, 20)
        assert time.monotonic() - began < 1


def test_places_are_given_back(store):
    looking = Watch(store, 1)
    for _ in range(3):
        with looking.place(), pytest.raises(Full):
            looking.enter()
