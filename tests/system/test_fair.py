"""Tests that a person's bots answer soon, however many bots others use."""

import random
import time
from contextlib import contextmanager
from statistics import median
from threading import Event, Thread

import pytest
import requests

from tests.services import free_port
from tests.system.processes import Person, Process, answers, answers_ms, running, until

TIMES: float = 3
"""The maximum factor by which answers may slow down while others play with bots."""
UNNOTICED_MS: float = 120
"""Answers within this time are never slow, however fast they are on an idle server."""
LONG = {"options": {"target_score": 100}}
BOT_TABLES, PEOPLE, TURNS = 12, 4, 12
"""The tables of bots, people at other tables, and turns that are measured."""
CROWD = f"{BOT_TABLES} tables of bots and {PEOPLE} people"


class Table:
    """A person who plays on a server, and the times that three bots took to answer, in milliseconds."""

    def __init__(self, base, database):
        self.ann, self.database = Person(base), database

    def warms_up(self):
        self.ann.turns(self.ann.create(**LONG), 4)

    def answered(self, turns):
        match = self.ann.create(**LONG)
        self.ann.turns(match, turns)
        return median(answers_ms(self.database, match))


@pytest.fixture
def embedded(tmp_path):
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    with running(Process("serve", "--port", str(port), "--data", str(tmp_path))):
        until(lambda: answers(base), 60)
        yield base, f"sqlite:///{tmp_path / 'dealt.sqlite3'}"


@contextmanager
def busy(base):
    """Let a player's bots play at many tables, while people play who think for some seconds."""
    stop = Event()
    eve = Person(base, 2)
    for _ in range(BOT_TABLES):
        eve.create(**LONG, seats=[{"kind": "bot"}] * 4)

    def live(seed):
        person, think = Person(base, seed), random.Random(seed)
        match = person.create(**LONG)
        wait = think.uniform(0, 10)
        while not stop.wait(wait):
            wait = think.uniform(5, 15)
            try:
                if person.await_turn(match):
                    person.move(match)
            except requests.RequestException:
                return

    threads = [Thread(target=live, args=(seed,), daemon=True) for seed in range(10, 10 + PEOPLE)]
    for thread in threads:
        thread.start()
    time.sleep(3)
    yield
    stop.set()
    for thread in threads:
        thread.join(20)


@pytest.mark.long
def test_person_is_answered_while_many_bot_matches_run(embedded):
    base, database = embedded
    table = Table(base, database)
    table.warms_up()
    quiet = table.answered(TURNS)
    with busy(base):
        found = table.answered(TURNS)
    print(f"\nthree bots answer in {quiet} ms, beside {CROWD} in {found} ms (median)")  # noqa: T201
    assert found <= max(TIMES * quiet, UNNOTICED_MS)


@pytest.mark.long
@pytest.mark.parametrize("broker", ["redis"], indirect=True)
def test_fleet_answers_a_person_while_many_bot_matches_run(fleet):
    fleet.start("scheduler")
    fleet.start("worker")
    fleet.start_api()
    table = Table(fleet.base, fleet.url)
    table.warms_up()
    quiet = table.answered(TURNS)
    with busy(fleet.base):
        found = table.answered(TURNS)
    print(f"\nthree bots answer in {quiet} ms, beside {CROWD} in {found} ms (median)")  # noqa: T201
    assert found <= max(TIMES * quiet, UNNOTICED_MS)
    table.ann.session.close()
