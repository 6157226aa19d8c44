"""Tests the dispatcher: every due row is published, whatever fails."""

import time
from threading import Thread

import pytest

from events.service.projections import BOT, CLOCK, LEASE_MS
from events.store.records import DueRow, Projected
from events.store.tables import idempotency_rows, outage_rows, pending_rows, projection_rows, stream_rows
from tests.driven import ANN
from tests.store import commits
from tests.system.processes import until
from workers.dispatcher import BATCH, LONG_PAUSE, LONGEST_BACKOFF, PRUNE_MS, Dispatcher
from workers.polling import Poll
from workers.tasks.bot_turn_tasks import play_bot_turns

BOTS = ("me", "bot", "bot", "bot")


class Broker:
    """Records the published messages, unless it is unavailable."""

    def __init__(self):
        self.away = False
        self.published = []

    def __call__(self, due):
        if self.away:
            raise ConnectionError("away")
        self.published.append((due.match_id, due.kind))


@pytest.fixture
def broker():
    return Broker()


def test_dispatcher_claims_only_work_that_fits_in_a_lease(store, now, broker):
    for number in range(BATCH + 20):
        commits.begin(store, f"match-{number}", seats=(), due=[DueRow(CLOCK, now() - number)])
    dispatcher = Dispatcher(store, broker, now=now)
    assert [dispatcher.dispatch() for _ in range(3)] == [BATCH, 0, 0]
    for match_id, _ in broker.published[:15]:
        projection_rows.rebuild(store, stream_rows.head(store, match_id).match_no, lambda *_: Projected(due=[]))
    assert dispatcher.dispatch() == 15
    now.passes(LEASE_MS)
    assert dispatcher.dispatch() == BATCH


def test_dispatcher_survives_a_lost_broker_and_a_lost_database(begin, store, now, broker, monkeypatch):
    broker.away = True
    claim, failures = pending_rows.claim_due, []

    def failing_claim(*args, **named):
        failures.append(1)
        if len(failures) < 3:
            raise OSError("no database")
        return claim(*args, **named)

    monkeypatch.setattr(pending_rows, "claim_due", failing_claim)
    poll = Poll(Dispatcher(store, broker, now=now).look, "cannot dispatch", LONGEST_BACKOFF)
    thread = Thread(target=poll.run)
    thread.start()
    seen = begin(*BOTS)
    until(lambda: len(failures) > 4, 60)
    assert not broker.published
    broker.away = False
    until(lambda: broker.published, 60)
    poll.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert broker.published == [(seen.match_id, BOT)]


def test_dispatcher_is_woken_by_a_commit(begin, store, broker):
    poll = Poll(Dispatcher(store, broker, pause=10 * LONG_PAUSE).look, "cannot dispatch")
    thread = Thread(target=poll.run)
    thread.start()
    time.sleep(0.1)
    begin(*BOTS)
    poll.wake()
    until(lambda: broker.published, 4 * LONG_PAUSE, 0.001)
    poll.stop()
    thread.join(30)
    assert not thread.is_alive()


def test_dispatcher_deletes_old_keys_every_hour(store, now, broker, monkeypatch):
    pruned = []
    monkeypatch.setattr(idempotency_rows, "prune", lambda _, now_ms: pruned.append(now_ms))
    dispatcher = Dispatcher(store, broker, now=now)
    for _ in range(3):
        dispatcher.look()
    now.passes(PRUNE_MS)
    dispatcher.look()
    assert len(pruned) == 2


def test_deadline_is_published_once_an_outage_is_ruled_out(store, now, broker):
    commits.begin(store, "match", seats=(), due=[DueRow(CLOCK, now() + 500)])
    for role in ("scheduler", "api"):
        outage_rows.beat(store, now(), role, role)
    beat = lambda: outage_rows.beat(store, now(), "scheduler")  # noqa: E731
    dispatcher = Dispatcher(store, broker, now=now, beat=beat)
    now.passes(700)
    assert dispatcher.dispatch() == 0  # the API has sent no heartbeat
    assert outage_rows.proven_until(store, now()) == now() - 700
    now.passes(200)
    outage_rows.beat(store, now(), "api", "api")
    assert dispatcher.dispatch() == 1
    assert broker.published == [("match", CLOCK)]


def test_bots_move_before_an_outage_is_ruled_out(begin, store, now, broker):
    outage_rows.beat(store, now(), "api", "api")
    seen = begin(*BOTS)
    now.passes(1_000)
    assert Dispatcher(store, broker, now=now).dispatch() == 1
    assert broker.published == [(seen.match_id, BOT)]


def test_finished_matches_leave_no_due_work(begin, matches, at_work, store, now, broker):
    seen = begin(*BOTS)
    dispatcher = Dispatcher(store, broker, now=now)
    dispatcher.dispatch()
    play_bot_turns(at_work, seen.match_id)
    now.passes(10 * LEASE_MS)
    assert dispatcher.dispatch() == 0
    assert matches.see(seen.match_id, ANN).match.status == "playing"
