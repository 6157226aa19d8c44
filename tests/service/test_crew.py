"""Who does the work, and whether it is done in time: what `/readyz` says, and the log of an API process."""

import logging

import pytest

from api.http import late_work_alarm
from api.http.late_work_alarm import LateWorkAlarm
from events.service.worker_health import FOLLOWERS, LATE_MS, look_up_workers
from events.store import tables
from events.store.follow_records import START
from events.store.records import CommitRow, DueRow, Head, Projected
from tests.store.commits import begin, match_row

pytestmark = pytest.mark.both_databases

NOW = 1_750_000_000_000


def beat(store, kind, trouble=None):
    tables.process_rows.beat(store, kind, kind, 60_000, trouble)


def test_crew_is_empty(store):
    found = look_up_workers(store, NOW)
    assert (found.schedulers, found.workers, found.broker, found.late_ms) == (0, 0, "unknown", 0)
    assert not found.is_whole


def test_a_scheduler_and_a_worker_are_whole_and_so_is_a_server_that_is_both(store):
    beat(store, "scheduler")
    assert not look_up_workers(store, NOW).is_whole
    beat(store, "worker")
    assert look_up_workers(store, NOW).is_whole
    store.write(tables.process_rows.remove_all)
    beat(store, "serve")
    assert look_up_workers(store, NOW).is_whole


def test_the_dead_do_not_count(store):
    tables.process_rows.beat(store, "w", "worker", -1, None)
    assert look_up_workers(store, NOW).workers == 0


def test_a_scheduler_that_cannot_reach_the_broker_says_so(store):
    beat(store, "scheduler", "broker")
    beat(store, "worker")
    assert look_up_workers(store, NOW).broker == "unreachable"
    assert not look_up_workers(store, NOW).is_whole


def test_work_is_late_though_it_is_announced_again_and_again(store):
    begin(store, due=[DueRow("bot", NOW), DueRow("clock", NOW + 10**9)])
    assert look_up_workers(store, NOW + LATE_MS - 1).late_ms == LATE_MS - 1
    tables.pending_rows.claim_due(store, NOW + LATE_MS, 10)
    found = look_up_workers(store, NOW + LATE_MS)
    assert found.is_late


@pytest.mark.parametrize("name", FOLLOWERS)
def test_a_follower_is_late_when_a_commit_has_waited_for_it_for_half_a_minute(store, name):
    beat(store, "serve")
    written = begin(store).created_ms
    for other in FOLLOWERS:
        tables.checkpoint_rows.save_position(store, other, START if other == name else store.end())
    before, late = look_up_workers(store, written + LATE_MS - 1), look_up_workers(store, written + LATE_MS)
    assert (before.behind_ms[name], before.is_late, before.is_whole) == (LATE_MS - 1, False, True)
    assert (late.is_late, late.is_whole) == (True, False)
    tables.checkpoint_rows.save_position(store, name, store.end())
    assert look_up_workers(store, written + LATE_MS).is_whole


def test_unfollowed_imports_are_not_late(store):
    beat(store, "serve")
    head = Head(0, "elsewhere", 2, bytes(32), NOW, imported="{}")
    assert store.import_matches([(head, [CommitRow(1, 2, NOW, "[]", None, None)], Projected(match_row(), []), {})])
    assert store.follow(START, 1)
    assert look_up_workers(store, NOW + 10 * LATE_MS).is_whole


def test_late_work_is_one_line_in_the_log_each_time(store, monkeypatch, caplog):
    caplog.set_level(logging.WARNING)
    at = NOW
    monkeypatch.setattr(late_work_alarm.times, "now", lambda: at)
    begin(store, due=[DueRow("bot", NOW)])
    looking = LateWorkAlarm(store, late_work_alarm.shared_warning_flag())
    for at in (NOW + 1, NOW + LATE_MS, NOW + 2 * LATE_MS, NOW + 3 * LATE_MS):  # noqa: B007 -- it is the clock
        looking.look()
    assert [one.name for one in caplog.records] == ["api.http.late_work_alarm"]
    assert "due work waits for 30 s" in caplog.text


def test_late_work_is_one_line_of_all_processes_that_share_a_log_and_one_more_when_it_is_late_again(
    store, monkeypatch, caplog
):
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
