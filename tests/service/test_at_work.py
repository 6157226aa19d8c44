"""A process notes that it is at work, and no more than that it was."""

import pytest

from domain.core.clock import Time
from events.service import uptime_beats
from events.service.uptime_beats import UptimeBeats
from events.store import tables
from tests.system.processes import until

START = 1_750_000_000_000


class Machine:
    at = START

    def __call__(self):
        return Time(self.at)


@pytest.fixture
def now():
    return Machine()


def test_time_in_which_the_database_was_away_is_an_outage_however_short(store, now, monkeypatch):
    process = UptimeBeats(store, "serve", now)
    process.beat()
    now.at += 300
    with monkeypatch.context() as broken:
        broken.setattr(tables.outage_rows, "beat", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            process.beat()
    now.at += 300
    process.beat()
    assert tables.outage_rows.outages_since(store, 0, now()) == [(START, START + 600)]
    now.at += 1_000
    process.beat()
    assert tables.outage_rows.outages_since(store, 0, now()) == [(START, START + 600)]


def test_process_beats_at_its_start_and_its_end_and_in_between(store, now, monkeypatch):
    monkeypatch.setattr(uptime_beats, "BEAT_SECONDS", 0.01)
    process = UptimeBeats(store, "api", now)
    process.start()
    assert tables.outage_rows.proven_until(store, now()) == START
    now.at += 1_000
    until(lambda: tables.outage_rows.proven_until(store, now()) == START + 1_000, 60)
    monkeypatch.setattr(uptime_beats, "BEAT_SECONDS", 60)
    now.at += 500
    process.stop()
    assert tables.outage_rows.proven_until(store, now()) == START + 1_500
    assert tables.outage_rows.outages_since(store, 0, now()) == []


def test_process_that_takes_no_new_requests_is_at_work_no_longer(store, now):
    process = UptimeBeats(store, "api", now)
    process.start()
    now.at += 1_000
    process.refuse_requests()
    until(lambda: tables.outage_rows.proven_until(store, now()) == START + 1_000, 60)
    now.at += 5_000
    process.beat()
    process.stop()
    assert tables.outage_rows.proven_until(store, now()) == START + 1_000
    assert tables.outage_rows.outages_since(store, 0, now()) == [(START + 1_000, START + 6_000)]


def test_end_of_a_process_does_not_wait_for_a_database_that_is_silent(store, now, monkeypatch):
    monkeypatch.setattr(uptime_beats, "STOP_SECONDS", 0.01)
    monkeypatch.setattr(tables.outage_rows, "beat", lambda *_: until(lambda: False, 0.3))
    UptimeBeats(store, "api", now).stop()


@pytest.mark.parametrize("change", [-30 * 86_400_000, -500, 30 * 86_400_000])
def test_process_whose_clock_is_set_beats_on(change, store, now):
    process = UptimeBeats(store, "scheduler", now)
    process.beat()
    now.at += change
    for _ in range(3):
        now.at += 1_000
        process.beat()
        assert tables.outage_rows.proven_until(store, now()) == now()
