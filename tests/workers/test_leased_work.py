"""Tests leased work of every kind: done by one worker at a time despite kills, shared fairly, postponed after a
failure."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial

import pytest
from sqlalchemy import insert, select

from events.notify import claims, former_addresses, lanes, ledger, mailboxes, webhooks
from events.notify.former_addresses import FAREWELLS, FormerAddress
from events.notify.lanes import LANES, Lane, Tried
from events.notify.mailboxes import MAILS, Mailbox
from events.notify.notices import YOUR_TURN, Notice
from events.service.projections import BOT, CLOCK
from events.settings import Settings
from events.store import leases
from events.store.leases import LeasedWork
from events.store.opening import open_store
from events.store.pending_records import Due
from events.store.records import DueRow
from events.store.schema import notice_schema
from events.store.tables import pending_rows, player_rows, process_rows, stream_rows
from events.store.tables.pending_rows import PENDING
from tests.driven import now
from tests.killing import killed
from tests.notify.log import attempted
from tests.store.commits import begin, match_row
from tests.stores import store
from workers.dispatcher import BATCH, Dispatcher
from workers.heartbeat import WORKER, Heartbeat, own_name
from workers.notifier import Notifier

__all__ = ["now", "store"]
pytestmark = pytest.mark.both_databases

MAILING = Settings(dealt_mail_host="mail.example", dealt_mail_from="a@cards.example", dealt_public_url="https://x")
ALIVE, DEAD = "alive", "dead"


@dataclass(frozen=True)
class Kind:
    """A kind of work: how rows of a caller are written, who publishes them, and how one fails."""

    work: LeasedWork
    record: type
    write: Callable[..., None]
    scheduler: Callable[..., Callable[[], object]]
    fail: Callable[..., object]
    pauses_ms: tuple[int, ...]
    jitter: float = 0.0


def writing_due(kind):
    def write(store, caller, count, at):
        for number in range(count):
            match = match_row(owner=caller)
            begin(store, f"{kind} {number} of {caller}", match=match, seats=(caller,), due=[DueRow(kind, at)])

    return write


def dispatcher(store, publish, now):
    return Dispatcher(store, lambda row: publish(row.match_no, row.kind), now=now).dispatch


def fail_due(store, row, at):
    match_id = stream_rows.head_of(store, row.match_no).match_id
    pending_rows.note_failure(store, match_id, at)


def write_lanes(store, caller, count, at):
    """Write notifications of this many matches to a webhook of the caller that has been prompt so far."""
    player_rows.add_player(store, caller, caller, caller.encode(), 0)
    wanted = webhooks.Subscription(f"https://{caller}.example/", f"{caller}.example", YOUR_TURN)
    assert webhooks.add(store, f"hook-{caller}", caller, wanted, "whsec_a2V5", at)
    attempted(store, f"hook-{caller}", at_ms=at)
    new = [Notice(caller, no, f"match-{no}", "hearts", YOUR_TURN, 0, 1, at) for no in range(1, count + 1)]
    store.write(lambda connection: ledger.write(connection, new, at, 0))


def fail_delivery(store, lane, at):
    lanes.note(store, lane, lanes.next_delivery(store, lane, at), Tried(at, 5, 500), at)


def write_mailboxes(store, caller, count, at):
    row = {"address": "a@b.example", "state": "confirmed", "every_ms": 0, "created_ms": 0, "code_tries": 0}
    names = [f"{caller} {number}" for number in range(count)]
    free = {"claimable_ms": at, "lease_ms": 0, "attempts": 0}
    store.change(insert(notice_schema.mailboxes).values([row | free | {"player_id": n, "leave_by": n} for n in names]))


def write_former_addresses(store, caller, count, at):
    row = {"player_id": caller, "address": "a@b.example", "every_ms": 0, "claimable_ms": at, "lease_ms": 0}
    rows = [row | {"attempts": 0, "changed_ms": at - number} for number in range(count)]
    store.change(insert(notice_schema.former_addresses).values(rows))


def notifier(store, publish, now):
    return Notifier(store, MAILING, publish, publish, now=now).look


KINDS = {
    "deadlines": Kind(PENDING, Due, writing_due(CLOCK), dispatcher, fail_due, (5, 10, 20, 40, 80, 160, 300, 300)),
    "bots": Kind(PENDING, Due, writing_due(BOT), dispatcher, fail_due, (5, 10, 20, 40, 80, 160, 300, 300)),
    "webhooks": Kind(LANES, Lane, write_lanes, notifier, fail_delivery, lanes.SCHEDULE, lanes.JITTER),
    "mail": Kind(
        MAILS, Mailbox, write_mailboxes, notifier, mailboxes.retry_mail_later, (60, 300, 1_800, 7_200, 18_000, 18_000)
    ),
    "former addresses": Kind(
        FAREWELLS,
        FormerAddress,
        write_former_addresses,
        notifier,
        former_addresses.retry_former_address_later,
        (60, 300, 1_800, 7_200, 18_000, 18_000),
    ),
}
TAKEN = [name for name, kind in KINDS.items() if "owner" in kind.work.table.c]
"""The kinds whose rows workers take in their own name; tasks of other kinds check in the log whether they are late."""


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


class Schedulers:
    """Schedulers that publish into a list, until the broker becomes unavailable."""

    def __init__(self, store, kind, now):
        self.store, self.kind, self.now = store, kind, now
        self.published, self.away = [], False
        self._look = kind.scheduler(store, self._publish, now)

    def _publish(self, *key):
        if self.away:
            raise ConnectionError("away")
        self.published.append(key)

    def look(self):
        """Publish all available work; return the keys."""
        self._look()
        published, self.published = self.published, []
        return published

    def taken(self, owner=ALIVE):
        """Let a worker take the published row."""
        (row,) = self.rows()
        key = {column.name: getattr(row, column.name) for column in self.kind.work.table.primary_key}
        return next(iter(leases.take(self.store, self.kind.work, self.kind.record, self.now(), owner, **key)), None)

    def rows(self):
        return self.store.read(select(self.kind.work.table))

    def rest_ms(self):
        ((claimable_ms,),) = self.store.read(select(self.kind.work.table.c.claimable_ms))
        return claimable_ms - self.now()


@pytest.fixture
def schedulers(store, kind, now):
    return Schedulers(store, kind, now)


@pytest.fixture
def one_row(schedulers):
    """Return one claimable row."""
    schedulers.kind.write(schedulers.store, "ann", 1, schedulers.now())


def after_the_dead(store, now):
    """Record the death of processes."""
    process_rows.beat(store, DEAD, WORKER, -1, None)
    return claims.end_of_the_dead(store, now())


def publish_nowhere(*key):
    """Publish nothing: the scheduler is killed before the broker gets it."""


def with_store(url, act):
    """Run an action in a separate process that then falls silent."""
    with closing(open_store(url)) as opened:
        process_rows.beat(opened, own_name(), WORKER, -1, None)
        act(opened)


# --- One at a time -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("one_row")
def test_work_is_published_once_in_each_lease(schedulers, kind, now):
    for _ in range(3):
        assert [len(schedulers.look()), len(schedulers.look())] == [1, 0]
        now.passes(kind.work.lease_ms - 1)
        assert schedulers.look() == []
        now.passes(1)


def test_concurrent_schedulers_never_publish_the_same_work(schedulers, kind, store, now, url):
    for caller in range(20):
        kind.write(store, f"caller{caller}", 1, now())
    published = []
    with ThreadPoolExecutor(4) as pool:
        stores = [open_store(url) for _ in range(4)]
        looks = [kind.scheduler(each, lambda *key: published.append(key), now) for each in stores]
        list(pool.map(lambda look: [look() for _ in range(4)], looks))
    for each in stores:
        each.close()
    assert len(published) == len(set(published))
    assert len(published) + len(schedulers.look()) == 20


@pytest.mark.parametrize("kind", TAKEN, indirect=True)
@pytest.mark.usefixtures("one_row")
def test_published_work_is_taken_by_one_worker(schedulers):
    schedulers.look()
    assert [schedulers.taken() is not None for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize("kind", TAKEN, indirect=True)
@pytest.mark.usefixtures("one_row")
def test_late_task_takes_no_work(schedulers, kind, now):
    assert schedulers.taken() is None, "nobody has published it"
    schedulers.look()
    now.passes(kind.work.lease_ms)
    assert schedulers.taken() is None


@pytest.mark.parametrize("kind", TAKEN, indirect=True)
@pytest.mark.usefixtures("one_row")
def test_worker_gets_a_full_lease_when_it_takes_or_renews_work(schedulers, kind, store, now):
    schedulers.look()
    now.passes(kind.work.lease_ms - 1)
    row = schedulers.taken()
    now.passes(kind.work.lease_ms - 1)
    assert schedulers.look() == []
    assert store.write(lambda connection: leases.renew(connection, kind.work, row, now()))
    now.passes(kind.work.lease_ms - 1)
    assert schedulers.look() == []
    now.passes(1)
    assert len(schedulers.look()) == 1


@pytest.mark.usefixtures("one_row")
def test_work_that_cannot_be_published_is_due_again_immediately(schedulers):
    schedulers.away = True
    for _ in range(3):
        with pytest.raises(Exception, match="away"):
            schedulers.look()
    schedulers.away = False
    assert len(schedulers.look()) == 1


# --- Kills ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("one_row")
def test_work_of_a_scheduler_killed_before_publishing_is_taken_over(schedulers, kind, store, now, url):
    scheduling = partial(with_store, url, lambda opened: kind.scheduler(opened, publish_nowhere, now)())
    killed(scheduling, sys.modules[__name__], "publish_nowhere", 1)
    assert schedulers.look() == []
    assert claims.end_of_the_dead(store, now()) == 1
    assert len(schedulers.look()) == 1


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("kind", TAKEN, indirect=True)
@pytest.mark.usefixtures("one_row")
def test_work_of_a_killed_worker_is_taken_over(schedulers, kind, store, now, url, known):
    schedulers.look()
    working = partial(with_store, url, lambda opened: Schedulers(opened, kind, now).taken(own_name()))
    killed(working, leases, "take", 1)
    assert schedulers.look() == []
    if known:
        assert claims.end_of_the_dead(store, now()) == 1
    else:
        now.passes(kind.work.lease_ms + 1)
    assert len(schedulers.look()) == 1
    assert schedulers.taken() is not None


@pytest.mark.parametrize("kind", TAKEN, indirect=True)
@pytest.mark.usefixtures("one_row")
def test_death_of_a_process_frees_only_its_own_work(schedulers, store, now):
    schedulers.look()
    assert schedulers.taken(ALIVE)
    after_the_dead(store, now)
    assert schedulers.look() == []


@pytest.mark.parametrize("kind", TAKEN, indirect=True)
@pytest.mark.usefixtures("one_row")
def test_worker_with_an_expired_lease_changes_nothing(schedulers, kind, store, now):
    schedulers.look()
    late = schedulers.taken()
    now.passes(kind.work.lease_ms + 1)
    schedulers.look()
    other = schedulers.taken()
    before = schedulers.rows()
    kind.fail(store, late, now())
    store.write(lambda connection: leases.give_back(connection, kind.work, [late], now()))
    assert store.write(lambda connection: leases.renew(connection, kind.work, late, now())) is None
    assert schedulers.rows() == before
    assert store.write(lambda connection: leases.renew(connection, kind.work, other, now())) is not None


@pytest.mark.usefixtures("one_row")
def test_stopping_process_releases_its_work(schedulers, store, now, monkeypatch):
    monkeypatch.setattr("workers.heartbeat.times.now", now)
    schedulers.look()
    if "owner" in schedulers.kind.work.table.c:
        assert schedulers.taken(own_name())
    Heartbeat(store, WORKER).stop()
    assert len(schedulers.look()) == 1


@pytest.mark.usefixtures("one_row")
def test_combined_server_releases_all_claims_when_it_starts(schedulers, store, now):
    schedulers.look()
    if "owner" in schedulers.kind.work.table.c:
        assert schedulers.taken(ALIVE)
    claims.end_all(store, now())
    assert len(schedulers.look()) == 1


# --- Backoff -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("one_row")
def test_failed_work_is_delayed_longer_each_time(schedulers, kind, store, now):
    for pause in kind.pauses_ms:
        assert len(schedulers.look()) == 1
        row = schedulers.taken() if "owner" in kind.work.table.c else schedulers.rows()[0]
        kind.fail(store, row, now())
        after_the_dead(store, now)  # which does not shorten the rest
        claims.end_untaken(store, now())
        assert 1_000 * pause <= schedulers.rest_ms() <= 1_000 * pause * (1 + kind.jitter)
        now.passes(schedulers.rest_ms() - 1)
        assert schedulers.look() == []
        now.passes(1)


# --- Fairness ------------------------------------------------------------------------------------------------


def test_player_with_much_work_does_not_delay_others(schedulers, kind, store, now):
    """All the work published for the others is still in progress."""
    kind.write(store, "ann", BATCH + 1, now())
    now.passes(1)
    before = schedulers.rows()
    kind.write(store, "ben", 1, now())
    key = [column.name for column in kind.work.table.primary_key]
    (of_ben,) = {tuple(getattr(row, name) for name in key) for row in set(schedulers.rows()) - set(before)}
    for _ in range(3):
        schedulers.look()
    (row,) = (row for row in schedulers.rows() if tuple(getattr(row, name) for name in key) == of_ben)
    assert row.lease_ms > now()
