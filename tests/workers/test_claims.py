"""A dead process keeps no claim: neither on pending work, nor on a lane, nor on a mailbox."""

import time

import pytest
from sqlalchemy import insert, select

from events.notify import claims, lanes, mailboxes
from events.service.projections import BOT, CLOCK
from events.store import schema, tables
from events.store.records import DueRow
from events.store.tables.order_rows import ORDER
from tests.notify.log import attempted
from tests.store.commits import begin
from workers import heartbeat
from workers.heartbeat import SCHEDULER, WORKER, Heartbeat, Reaper, own_name

pytestmark = pytest.mark.both_databases

NOW = 1_750_000_000_000
DEAD, ALIVE = "dead", "alive"


@pytest.fixture
def store(url):
    from contextlib import closing

    from events.store.opening import open_store

    with closing(open_store(url)) as opened:
        tables.process_rows.beat(opened, DEAD, WORKER, -1, None)
        tables.process_rows.beat(opened, ALIVE, WORKER, 60_000, None)
        yield opened


def claimable(store):
    return {row.kind: row.claimable_ms for row in store.read(select(schema.due.c.kind, schema.due.c.claimable_ms))}


def test_work_that_the_dead_claimed_is_due_at_once(store):
    begin(store, due=[DueRow(CLOCK, 100)])
    tables.pending_rows.claim_due(store, NOW, 10)
    assert claims.end_of_the_dead(store, NOW + 1_000) == 1
    assert claimable(store) == {CLOCK: 100}


def test_a_death_does_not_shorten_the_rest_of_work_that_was_tried_and_failed(store):
    begin(store, "tried", due=[DueRow(CLOCK, 100)])
    tables.pending_rows.claim_due(store, NOW, 10)
    tables.pending_rows.note_failure(store, "tried", NOW)
    assert claims.end_of_the_dead(store, NOW) == 1
    assert claimable(store) == {CLOCK: NOW + 5_000}


def test_while_nobody_has_died_claims_hold(store):
    claims.end_of_the_dead(store, NOW)
    begin(store, due=[DueRow(CLOCK, 100)])
    tables.pending_rows.claim_due(store, NOW, 10)
    assert claims.end_of_the_dead(store, NOW) == 0
    assert claimable(store) == {CLOCK: NOW + 4_000}


def test_a_turn_that_a_dead_worker_took_by_its_commit_is_due_and_what_rests_goes_on_resting(store):
    begin(store, due=[DueRow(BOT, NOW, NOW + 5_000), DueRow(ORDER, NOW)])
    store.write(lambda connection: tables.pending_rows.rest(connection, 1, ORDER, NOW + 5_000))
    begin(store, "paced", due=[DueRow(BOT, NOW, NOW + 375)])
    claims.end_of_the_dead(store, NOW)
    found = {
        row[:2]: row[2]
        for row in store.read(select(schema.due.c.match_no, schema.due.c.kind, schema.due.c.claimable_ms))
    }
    assert sorted(found.values()) == [NOW, NOW + 375, NOW + 5_000]
    assert [at for (_, kind), at in found.items() if kind == ORDER] == [NOW + 5_000]


def test_lanes_that_the_dead_or_nobody_had_taken_are_free(store):
    row = {"host": "h", "claimable_ms": 0, "lease_ms": 0, "taken": False}
    store.change(insert(schema.lanes).values([row | {"webhook_id": "w", "match_no": n} for n in range(4)]))
    attempted(store, "w")
    assert len(lanes.claim(store, NOW)) == 4
    held = lanes.take(store, "w", 1, NOW, ALIVE)
    lost = lanes.take(store, "w", 2, NOW, DEAD)
    claims.end_of_the_dead(store, NOW + 1)
    assert {lane.match_no for lane in lanes.claim(store, NOW + 1)} == {0, 2, 3}
    assert lanes.take(store, "w", 1, NOW + 1) is None
    assert lost
    assert held
    assert store.read(select(schema.lanes.c.owner).where(schema.lanes.c.match_no == 1))[0][0] == ALIVE


def test_mailboxes_that_the_dead_had_taken_are_free(store):
    for player in ("a", "b", "c"):
        row = {
            "player_id": player, "address": "a@b", "state": "confirmed", "every_ms": 0, "created_ms": 0,
            "code_tries": 0, "leave_by": player, "claimable_ms": 0, "lease_ms": 0, "attempts": 0,
        }  # fmt: skip
        store.change(insert(schema.mailboxes).values(row))
    assert len(mailboxes.claim(store, NOW)) == 3
    assert mailboxes.renew_mailbox_claim(store, "a", NOW, ALIVE)
    assert mailboxes.renew_mailbox_claim(store, "b", NOW, DEAD)
    claims.end_of_the_dead(store, NOW + 1)
    assert {box.player_id for box in mailboxes.claim(store, NOW + 1)} == {"b", "c"}


def test_a_start_that_is_alone_ends_all_claims(store):
    begin(store, due=[DueRow(CLOCK, 100)])
    tables.pending_rows.claim_due(store, NOW, 10)
    claims.end_all(store, NOW)
    assert claimable(store) == {CLOCK: 100}
    assert tables.process_rows.read_living(store) == []


def test_what_was_announced_before_any_worker_was_there_is_announced_to_the_first(store):
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


def test_a_heartbeat_that_comes_late_declares_nobody_dead(store, monkeypatch):
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


def test_a_process_that_ends_gives_back_what_it_had_and_is_gone(store):
    store.write(tables.process_rows.remove_all)
    beating = Heartbeat(store, WORKER)
    beating._beat()
    assert [process.kind for process in tables.process_rows.read_living(store)] == [WORKER]
    store.change(
        insert(schema.lanes).values(webhook_id="w", match_no=1, host="h", claimable_ms=0, lease_ms=0, taken=False)
    )
    now = heartbeat.times.now()
    lanes.claim(store, now)
    lanes.take(store, "w", 1, now, own_name())
    beating.stop()
    assert tables.process_rows.read_living(store) == []
    assert len(lanes.claim(store, heartbeat.times.now())) == 1
