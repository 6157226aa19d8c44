"""Tests that a process records exactly when it was running."""

from threading import Event, Thread

import pytest

from domain.core.clock import Time
from events.service import uptime_beats
from events.service.uptime_beats import UptimeBeats
from events.store.tables import outage_rows
from tests.system.processes import until

START = 1_750_000_000_000


class Machine:
    at = START

    def __call__(self):
        return Time(self.at)


@pytest.fixture
def now():
    return Machine()


def test_any_time_without_the_database_is_an_outage(store, now, monkeypatch):
    process = UptimeBeats(store, "serve", now)
    process.beat()
    now.at += 300
    with monkeypatch.context() as broken:
        broken.setattr(outage_rows, "beat", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            process.beat()
    now.at += 300
    process.beat()
    assert outage_rows.outages_since(store, 0, now()) == [(START, START + 600)]
    now.at += 1_000
    process.beat()
    assert outage_rows.outages_since(store, 0, now()) == [(START, START + 600)]


def test_process_sends_heartbeats_regularly_and_at_its_start_and_end(store, now, monkeypatch):
    monkeypatch.setattr(uptime_beats, "BEAT_SECONDS", 0.01)
    process = UptimeBeats(store, "api", now)
    process.start()
    assert outage_rows.proven_until(store, now()) == START
    now.at += 1_000
    until(lambda: outage_rows.proven_until(store, now()) == START + 1_000, 60)
    monkeypatch.setattr(uptime_beats, "BEAT_SECONDS", 60)
    now.at += 500
    process.stop()
    assert outage_rows.proven_until(store, now()) == START + 1_500
    assert outage_rows.outages_since(store, 0, now()) == []


def test_process_that_accepts_no_requests_sends_no_heartbeats(store, now):
    process = UptimeBeats(store, "api", now)
    process.start()
    now.at += 1_000
    process.refuse_requests()
    until(lambda: outage_rows.proven_until(store, now()) == START + 1_000, 60)
    now.at += 5_000
    process.beat()
    process.stop()
    assert outage_rows.proven_until(store, now()) == START + 1_000
    assert outage_rows.outages_since(store, 0, now()) == [(START + 1_000, START + 6_000)]


def test_stopping_process_does_not_wait_for_a_silent_database(store, now, monkeypatch):
    monkeypatch.setattr(uptime_beats, "STOP_SECONDS", 0.01)
    monkeypatch.setattr(outage_rows, "beat", lambda *_: until(lambda: False, 0.3))
    UptimeBeats(store, "api", now).stop()


@pytest.mark.parametrize("change", [-30 * 86_400_000, -500, 30 * 86_400_000])
def test_process_keeps_sending_heartbeats_after_a_clock_change(change, store, now):
    process = UptimeBeats(store, "scheduler", now)
    process.beat()
    now.at += change
    for _ in range(3):
        now.at += 1_000
        process.beat()
        assert outage_rows.proven_until(store, now()) == now()


def test_frozen_process_first_ends_its_outage(store, now):
    process = UptimeBeats(store, "serve", now)
    process.beat()
    now.at += 16_300
    process.beat_after_freeze()
    assert outage_rows.outages_since(store, 0, now()) == [(START, now())]
    now.at += 900
    process.beat_after_freeze()
    assert outage_rows.outages_since(store, 0, now()) == [(START, START + 16_300)]
    assert outage_rows.proven_until(store, now()) == START + 16_300


def test_requests_send_heartbeats_only_in_a_started_process_with_a_database(store, now, monkeypatch):
    process = UptimeBeats(store, "serve", now)
    process.beat_after_freeze()
    assert outage_rows.proven_until(store, now()) is None
    process.beat()
    asked = []
    monkeypatch.setattr(outage_rows, "beat", lambda *_: asked.append(1) or 1 / 0)
    for _ in range(3):
        now.at += 16_000
        process.beat_after_freeze()
    assert asked == [1]


def test_silent_database_blocks_only_one_call_after_a_freeze(store, now, monkeypatch):
    monkeypatch.setattr(uptime_beats, "PATIENCE_SECONDS", 0.01)
    process = UptimeBeats(store, "serve", now)
    process.beat()
    now.at += 16_000
    silent, asked = Event(), []
    monkeypatch.setattr(outage_rows, "beat", lambda *_: asked.append(1) or silent.wait(60))
    first = Thread(target=process.beat_after_freeze, daemon=True)
    first.start()
    until(lambda: asked, 60)
    for _ in range(3):
        process.beat_after_freeze()
    assert (asked, first.is_alive()) == ([1], True)
    silent.set()
    first.join(60)
