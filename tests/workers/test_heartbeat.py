"""Tests heartbeats: which processes count as dead, and which of their work is taken over."""

from types import SimpleNamespace

import pytest
from sqlalchemy import select

from events.notify import claims
from events.service.projections import BOT, CLOCK
from events.store.records import DueRow
from events.store.schema import log_schema
from events.store.tables import pending_rows, process_rows
from events.store.tables.order_rows import ORDER
from tests.store.commits import begin
from tests.stores import store
from workers import heartbeat
from workers.heartbeat import SCHEDULER, WORKER, Heartbeat, Reaper

__all__ = ["store"]
pytestmark = pytest.mark.both_databases

NOW = 1_750_000_000_000


@pytest.fixture(autouse=True)
def crew(store):
    """Return a dead process and a live one."""
    process_rows.beat(store, "dead", WORKER, -1, None)
    process_rows.beat(store, "alive", WORKER, 60_000, None)


def claimable(store):
    return {
        row.kind: row.claimable_ms for row in store.read(select(log_schema.due.c.kind, log_schema.due.c.claimable_ms))
    }


def test_claims_are_kept_while_all_workers_are_alive(store):
    claims.end_of_the_dead(store, NOW)
    begin(store, due=[DueRow(CLOCK, 100)])
    pending_rows.claim_due(store, NOW, 10)
    assert claims.end_of_the_dead(store, NOW) == 0
    assert claimable(store) == {CLOCK: NOW + 4_000}


def test_turn_of_a_dead_worker_becomes_due_and_postponed_work_stays(store):
    begin(store, due=[DueRow(BOT, NOW, NOW + 5_000), DueRow(ORDER, NOW)])
    store.write(lambda connection: pending_rows.postpone(connection, 1, ORDER, NOW + 5_000))
    begin(store, "paced", due=[DueRow(BOT, NOW + 375)])
    claims.end_of_the_dead(store, NOW)
    found = {
        row[:2]: row[2]
        for row in store.read(select(log_schema.due.c.match_no, log_schema.due.c.kind, log_schema.due.c.claimable_ms))
    }
    assert sorted(found.values()) == [NOW, NOW + 375, NOW + 5_000]
    assert [at for (_, kind), at in found.items() if kind == ORDER] == [NOW + 5_000]


def test_work_announced_without_workers_is_announced_to_the_first(store):
    store.write(process_rows.remove_all)
    begin(store, due=[DueRow(CLOCK, 100)])
    pending_rows.claim_due(store, NOW, 10)
    reaper = Reaper(store, lambda: NOW)
    process_rows.beat(store, "s", SCHEDULER, 60_000, None)
    reaper()
    assert claimable(store) == {CLOCK: NOW + 4_000}
    process_rows.beat(store, "w", WORKER, 60_000, None)
    reaper()
    assert claimable(store) == {CLOCK: 100}
    pending_rows.claim_due(store, NOW, 10)
    reaper()
    assert claimable(store) == {CLOCK: NOW + 4_000}


def test_late_heartbeat_does_not_make_a_worker_count_as_dead(store, monkeypatch):
    """After an outage of the database, all are silent, and one of them is the first to send a heartbeat."""
    now, called = [0.0], []
    monkeypatch.setattr(heartbeat, "time", SimpleNamespace(monotonic=lambda: now[0]))
    beating = Heartbeat(store, SCHEDULER, lambda: called.append(1))
    beating._beat()
    now[0] += heartbeat.LIVES_SECONDS + 0.1
    beating._beat()
    assert called == []
    now[0] += heartbeat.BEAT_SECONDS
    beating._beat()
    assert called == [1]


def test_stopped_process_is_removed_from_the_list(store):
    store.write(process_rows.remove_all)
    beating = Heartbeat(store, WORKER)
    beating._beat()
    assert [process.kind for process in process_rows.read_living(store)] == [WORKER]
    beating.stop()
    assert process_rows.read_living(store) == []
