"""Worker and dispatcher in one process with something else."""

import logging

import pytest

from domain import match as life
from events.matches import Matches
from events.settings import Settings
from tests.system.processes import until
from tests.workers.conftest import ANN
from workers import bot_turns
from workers.app import config, transport_options
from workers.beside import Beside

ME_AND_BOTS = ("me", "bot", "bot", "bot")


@pytest.fixture
def now():
    """The real time: so have the threads."""
    return Matches.__init__.__kwdefaults__["now"]


@pytest.fixture
def beside(store):
    threads = Beside(Settings(), store)
    threads.start()
    yield threads
    threads.stop()
    assert not any(thread.is_alive() for thread in threads._threads)


def test_bots_answer(begin, matches, beside):
    seen = begin(*ME_AND_BOTS)
    beside.wake()
    until(lambda: life.to_act(matches.see(seen.match_id, ANN).match) == (0,), 10)


def test_a_crashed_worker_is_started_again(begin, matches, beside, monkeypatch, caplog):
    crashes = []
    play = bot_turns.play

    def crash_once(*args):
        if not crashes:
            crashes.append(1)
            raise SystemExit(3)
        return play(*args)

    monkeypatch.setattr(bot_turns, "play", crash_once)
    seen = begin(*ME_AND_BOTS)
    with caplog.at_level(logging.WARNING):
        beside.wake()
        until(lambda: life.to_act(matches.see(seen.match_id, ANN).match) == (0,), 15)
    assert crashes
    assert "starting _work again" in caplog.text


def test_settings_of_each_broker():
    assert transport_options("amqp://x")["confirm_publish"]
    assert transport_options("redis://x")["visibility_timeout"] == 120
    chosen = config(Settings(dealt_queue="ours"), "redis://x")
    assert chosen["task_default_queue"] == "ours"
    assert chosen["task_acks_late"]
    assert chosen["task_reject_on_worker_lost"]
    assert not chosen["task_publish_retry"]
