"""Tests reports of late work: in `/readyz`, and in the log of an API process."""

import logging

import pytest

from api.http import late_work_alarm
from api.http.late_work_alarm import LateWorkAlarm
from events.service.worker_health import FOLLOWERS, LATE_MS, look_up_workers
from events.store.follow_records import START
from events.store.records import CommitRow, DueRow, Head, Projected
from events.store.tables import checkpoint_rows, pending_rows, process_rows
from tests.store.commits import begin, match_row

pytestmark = pytest.mark.both_databases

NOW = 1_750_000_000_000


def beat(store, kind, trouble=None):
    process_rows.beat(store, kind, kind, 60_000, trouble)


def test_empty_crew_has_no_schedulers_or_workers(store):
    found = look_up_workers(store, NOW)
    assert (found.schedulers, found.workers, found.broker, found.late_ms) == (0, 0, "unknown", 0)
    assert not found.is_whole


def test_scheduler_and_worker_are_a_complete_crew_even_in_one_process(store):
    beat(store, "scheduler")
    assert not look_up_workers(store, NOW).is_whole
    beat(store, "worker")
    assert look_up_workers(store, NOW).is_whole
    store.write(process_rows.remove_all)
    beat(store, "serve")
    assert look_up_workers(store, NOW).is_whole


def test_dead_processes_do_not_count(store):
    process_rows.beat(store, "w", "worker", -1, None)
    assert look_up_workers(store, NOW).workers == 0


def test_scheduler_reports_an_unreachable_broker(store):
    beat(store, "scheduler", "broker")
    beat(store, "worker")
    assert look_up_workers(store, NOW).broker == "unreachable"
    assert not look_up_workers(store, NOW).is_whole


def test_repeatedly_published_work_is_still_late(store):
    begin(store, due=[DueRow("bot", NOW), DueRow("clock", NOW + 10**9)])
    assert look_up_workers(store, NOW + LATE_MS - 1).late_ms == LATE_MS - 1
    pending_rows.claim_due(store, NOW + LATE_MS, 10)
    found = look_up_workers(store, NOW + LATE_MS)
    assert found.is_late


@pytest.mark.parametrize("name", FOLLOWERS)
def test_follower_is_late_once_a_commit_has_waited_for_half_a_minute(store, name):
    beat(store, "serve")
    written = begin(store).created_ms
    for other in FOLLOWERS:
        checkpoint_rows.save_position(store, other, START if other == name else store.end())
    before, late = look_up_workers(store, written + LATE_MS - 1), look_up_workers(store, written + LATE_MS)
    assert (before.behind_ms[name], before.is_late, before.is_whole) == (LATE_MS - 1, False, True)
    assert (late.is_late, late.is_whole) == (True, False)
    checkpoint_rows.save_position(store, name, store.end())
    assert look_up_workers(store, written + LATE_MS).is_whole


def test_unfollowed_imports_are_not_late(store):
    beat(store, "serve")
    head = Head(0, "elsewhere", 2, bytes(32), NOW, imported="{}")
    assert store.import_matches([(head, [CommitRow(1, 2, NOW, "[]", None, None)], Projected(match_row(), []), {})])
    assert store.follow(START, 1)
    assert look_up_workers(store, NOW + 10 * LATE_MS).is_whole


def test_late_work_logs_one_line_each_time(store, monkeypatch, caplog):
    caplog.set_level(logging.WARNING)
    at = NOW
    monkeypatch.setattr(late_work_alarm.times, "now", lambda: at)
    begin(store, due=[DueRow("bot", NOW)])
    looking = LateWorkAlarm(store, late_work_alarm.shared_warning_flag())
    for at in (NOW + 1, NOW + LATE_MS, NOW + 2 * LATE_MS, NOW + 3 * LATE_MS):  # noqa: B007 -- it is the clock
        looking.look()
    assert [one.name for one in caplog.records] == ["api.http.late_work_alarm"]
    assert "due work is 30 s late" in caplog.text


def test_late_work_logs_one_line_for_all_processes(store, monkeypatch, caplog):
    caplog.set_level(logging.WARNING)
    at, late = NOW, NOW + LATE_MS
    monkeypatch.setattr(late_work_alarm.times, "now", lambda: at)
    begin(store, due=[DueRow("bot", NOW)])
    warned = late_work_alarm.shared_warning_flag()
    processes = [LateWorkAlarm(store, warned) for _ in range(3)]
    for at, lines in ((NOW, 0), (late, 1), (late + 1, 1), (NOW, 1), (late, 2)):  # noqa: B007 -- it is the clock
        for process in processes:
            process.look()
        assert len(caplog.records) == lines
