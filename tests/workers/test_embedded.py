"""Tests a worker and a dispatcher in one process with the server."""

import json
import logging
import time

import pytest

from domain import match as life
from domain.core.clock import Clock
from events import times
from events.service.uptime_beats import UptimeBeats
from events.settings import Settings
from tests.bound import Matches
from tests.driven import ANN
from tests.system.processes import until
from workers.celery_app import config, transport_options
from workers.embedded import Embedded
from workers.tasks import bot_turn_tasks
from workers.tasks.bot_turn_tasks import TURNS

ME_AND_BOTS = ("me", "bot", "bot", "bot")


@pytest.fixture
def now():
    """This is the real time, which the threads use too."""
    return times.now


@pytest.fixture
def embedded(store):
    at_work = UptimeBeats(store, "serve")
    threads = Embedded(Settings(), store, at_work)
    at_work.start()
    threads.start()
    yield threads
    threads.stop()
    at_work.stop()
    assert not any(thread.is_alive() for thread in threads._threads)


def test_embedded_worker_plays_bots_turns(begin, matches, embedded):
    seen = begin(*ME_AND_BOTS)
    embedded.wake()
    until(lambda: life.to_act(matches.see(seen.match_id, ANN).match) == (0,), 60)


def test_deadline_is_settled_on_time_and_bots_answer(begin, matches, store, embedded, now):
    time.sleep(0.3)  # by now the dispatcher sleeps, as there is nothing to do
    woken = Matches(store, woken=embedded.wake)
    seen = begin(*ME_AND_BOTS, clock=Clock(per_decision_seconds=1), by=woken)

    def events():
        return [json.loads(event) for event in matches.feed(matches.see(seen.match_id, ANN), 0)]

    until(lambda: any(event["cause"] == "timeout" for event in events()), 60)
    asked = matches.see(seen.match_id, ANN).created + 1_000
    assert now() - asked < 3_000  # it checks every five seconds by itself
    until(lambda: [event["cause"] for event in events()].count("bot") > 3, 60)


def test_match_of_only_bots_continues(begin, matches, embedded):
    seen = begin(*["bot"] * 4)
    embedded.wake()
    until(lambda: matches.see(seen.match_id, ANN).match.over, 60)
    assert matches.see(seen.match_id, ANN).version > TURNS


@pytest.mark.long
def test_crashed_worker_is_restarted(begin, matches, embedded, monkeypatch, caplog):
    crashes = []
    play = bot_turn_tasks.play_bot_turns

    def crash_once(*args):
        if not crashes:
            crashes.append(1)
            raise SystemExit(3)
        return play(*args)

    monkeypatch.setattr(bot_turn_tasks, "play_bot_turns", crash_once)
    seen = begin(*ME_AND_BOTS)
    with caplog.at_level(logging.WARNING):
        embedded.wake()
        until(lambda: life.to_act(matches.see(seen.match_id, ANN).match) == (0,), 60)
    assert crashes
    assert "restarting worker after it failed" in caplog.text


def test_each_broker_has_its_settings():
    assert transport_options("amqp://x")["confirm_publish"]
    assert transport_options("redis://x")["ack_emulation"] is False
    for broker, puts_back in (("amqp://x", True), ("redis://x", False)):
        chosen = config(Settings(dealt_queue="ours"), broker)
        assert chosen["task_default_queue"] == "ours"
        assert chosen["task_acks_late"]
        assert chosen["task_reject_on_worker_lost"] is puts_back
        assert not chosen["task_publish_retry"]
