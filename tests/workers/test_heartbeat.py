"""Heartbeats: which processes count as dead, and what is taken over from them."""

import time

import pytest
from sqlalchemy import select

from events.notify import claims
from events.service.projections import BOT, CLOCK
from events.store import schema, tables
from events.store.records import DueRow
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
    """A process that is dead, and one that is alive."""
    tables.process_rows.beat(store, "dead", WORKER, -1, None)
    tables.process_rows.beat(store, "alive", WORKER, 60_000, None)


def claimable(store):
    return {row.kind: row.claimable_ms for row in store.read(select(schema.due.c.kind, schema.due.c.claimable_ms))}


def test_claims_hold_while_no_worker_has_died(store):
    claims.end_of_the_dead(store, NOW)
    begin(store, due=[DueRow(CLOCK, 100)])
    tables.pending_rows.claim_due(store, NOW, 10)
    assert claims.end_of_the_dead(store, NOW) == 0
    assert claimable(store) == {CLOCK: NOW + 4_000}


def test_a_turn_that_a_dead_worker_took_by_its_commit_is_due_and_what_rests_goes_on_resting(store):
    begin(store, due=[DueRow(BOT, NOW, NOW + 5_000), DueRow(ORDER, NOW)])
    store.write(lambda connection: tables.pending_rows.rest(connection, 1, ORDER, NOW + 5_000))
    begin(store, "paced", due=[DueRow(BOT, NOW + 375)])
    claims.end_of_the_dead(store, NOW)
    found = {
        row[:2]: row[2]
        for row in store.read(select(schema.due.c.match_no, schema.due.c.kind, schema.due.c.claimable_ms))
    }
    assert sorted(found.values()) == [NOW, NOW + 375, NOW + 5_000]
    assert [at for (_, kind), at in found.items() if kind == ORDER] == [NOW + 5_000]


def test_work_announced_without_workers_is_announced_to_the_first(store):
    store.write(tables.process_rows.remove_all)
    begin(store, due=[DueRow(CLOCK, 100)])
    tables.pending_rows.claim_due(store, NOW, 10)
    reaper = Reaper(store, lambda: NOW)
    tables.process_rows.beat(store, "s", SCHEDULER, 60_000, None)
    reaper()
    assert claimable(store) == {CLOCK: NOW + 4_000}
    tables.process_rows.beat(store, "w", WORKER, 60_000, None)
    reaper()
    assert claimable(store) == {CLOCK: 100}
    tables.pending_rows.claim_due(store, NOW, 10)
    reaper()
    assert claimable(store) == {CLOCK: NOW + 4_000}


def test_late_heartbeat_declares_no_worker_dead(store, monkeypatch):
    """After an outage of the database all are silent, and one of them is the first to speak."""
    monkeypatch.setattr(heartbeat, "LIVES_SECONDS", 0.4)
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 60)  # a beat that the machine holds up is no late one here
    called = []
    beating = Heartbeat(store, SCHEDULER, lambda: called.append(1))
    beating._beat()
    time.sleep(0.5)
    beating._beat()
    assert called == []
    beating._beat()
    assert called == [1]


def test_a_process_that_ends_is_gone(store):
    store.write(tables.process_rows.remove_all)
    beating = Heartbeat(store, WORKER)
    beating._beat()
    assert [process.kind for process in tables.process_rows.read_living(store)] == [WORKER]
    beating.stop()
    assert tables.process_rows.read_living(store) == []
