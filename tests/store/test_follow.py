"""Tests that followers read every commit once, although writers overlap, stall and fail."""

import random
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing

import psycopg
import pytest
from sqlalchemy import make_url

from events.store.follow_records import START, Followed
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.records import CommitRow
from events.store.tables import checkpoint_rows, stream_rows
from tests.services import Database, connect
from tests.store.commits import begin, commit

pytestmark = pytest.mark.both_databases

APPEND = "SELECT append_commit(%s, %s, 1::smallint, 0, '[]', NULL, '', NULL, NULL, NULL, NULL, NULL, NULL)"
OTHER_WORK = "INSERT INTO checkpoint (name, position) VALUES (%s, 0)"


@pytest.fixture
def other(database: Database) -> Database:
    """Return another database of the same cluster."""
    return database.new_database()


def test_follower_reads_all_commits_in_order_page_by_page(store: Store):
    a, b = begin(store, "a").match_no, begin(store, "b").match_no
    for first in range(3, 9):
        store.append(a, commit(first, 1))
        store.append(b, commit(first, 1))
    assert len(store.follow(START, 100)) == 14
    met: list[Followed] = []
    while page := store.follow(met[-1].at if met else START, 5):
        assert len(page) <= 5
        met += page
    for match_no in (a, b):
        assert [f.row for f in met if f.match_no == match_no] == stream_rows.rows(store, match_no)


def test_checkpoint_is_stored(store: Store):
    assert checkpoint_rows.read_position(store, "stats") == START
    for at in (9, 2**41):
        checkpoint_rows.save_position(store, "stats", at)
        assert checkpoint_rows.read_position(store, "stats") == at
    assert checkpoint_rows.read_position(store, "other") == START


def test_rolled_back_commits_are_not_followed(database: Database):
    with closing(open_store(database.app_url)) as store:
        match_no = begin(store).match_no
        with connect(database.app_url) as connection:
            with connection.transaction(force_rollback=True):
                connection.execute(APPEND, (match_no, 3))
            store.append(match_no, commit(3))
        assert [f.row.first for f in store.follow(START, 10)] == [1, 3]


def test_follower_waits_for_a_running_commit(database: Database):
    with closing(open_store(database.app_url)) as store, connect(database.app_url) as slow:
        a, b = begin(store, "a").match_no, begin(store, "b").match_no
        seen = store.follow(START, 10)[-1].at
        with slow.transaction():
            slow.execute(APPEND, (a, 3))
            store.append(b, commit(3))  # has the later position and arrives first
            assert store.follow(seen, 10) == []
            assert store.end() == seen
        assert [f.match_no for f in store.follow(seen, 10)] == [a, b]


def test_commits_visible_in_reverse_order_are_read_by_position(database: Database):
    with closing(open_store(database.app_url)) as store, ExitStack() as open_ones:
        numbers = [begin(store, f"m{i}").match_no for i in range(5)]
        seen = store.follow(START, 10)[-1].at
        writers = [open_ones.enter_context(connect(database.app_url)) for _ in numbers]
        for writer, match_no in zip(writers, numbers, strict=True):
            writer.execute("BEGIN")
            writer.execute(APPEND, (match_no, 3))
        for writer in reversed(writers[1:]):
            writer.execute("COMMIT")
            assert store.follow(seen, 10) == []
        writers[0].execute("COMMIT")
        assert [f.match_no for f in store.follow(seen, 10)] == numbers


def test_follower_does_not_miss_a_late_append_of_a_transaction(database: Database):
    """Its transaction id is older than that of commits that a follower has already handled."""
    with closing(open_store(database.app_url)) as store, connect(database.app_url) as slow:
        a, b = begin(store, "a").match_no, begin(store, "b").match_no
        with slow.transaction():
            slow.execute(OTHER_WORK, ["other"])
            store.append(b, commit(3))
            seen = store.follow(START, 10)
            assert [(f.match_no, f.row.first) for f in seen] == [(a, 1), (b, 1), (b, 3)]
            slow.execute(APPEND, (a, 3))
        assert [(f.match_no, f.row.first) for f in store.follow(seen[-1].at, 10)] == [(a, 3)]


def test_follower_waits_for_an_import_that_holds_one_lock(database: Database):
    write = "SELECT import_match(%s, 0, '{}', '', %s, %s)"
    rows = '[{"first": 1, "n": 1, "at_ms": 0, "events": "[]"}, {"first": 2, "n": 1, "at_ms": 0, "events": "[]"}]'
    with closing(open_store(database.app_url)) as store, connect(database.app_url) as slow:
        with slow.transaction():
            for i in range(20):
                slow.execute(write, (f"m{i}", rows, "{}"))
            begin(store)
            assert store.follow(START, 100) == []
            locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
            assert slow.execute(locks).fetchone() == (1,)
        assert len(store.follow(START, 100)) == 41


def test_open_transaction_without_appends_does_not_delay_a_follower(database: Database, other: Database):
    """Neither transactions in another database of the cluster nor a dump or another program in this one count."""
    with closing(open_store(database.app_url)) as store, ExitStack() as open_ones:
        begin(store)
        for url, work in (
            (other.owner_url, "CREATE TABLE t AS SELECT 1"),
            (database.owner_url, "CREATE TABLE t AS SELECT 1"),
            (database.app_url, "DELETE FROM checkpoint"),
            (database.owner_url, "LOCK TABLE commits IN ACCESS SHARE MODE"),
        ):
            connection = open_ones.enter_context(connect(url))
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            connection.execute(work)
        store.append(1, commit(3))
        assert [f.row.first for f in store.follow(START, 10)] == [1, 3]
        assert store.end() == store.follow(START, 10)[-1].at


def test_append_in_another_database_does_not_delay_a_follower(database: Database, other: Database):
    migrate(other.owner_url, make_url(other.app_url).username)
    with closing(open_store(database.app_url)) as store, closing(open_store(other.app_url)) as there:
        begin(there)
        with connect(other.app_url) as slow, slow.transaction():
            slow.execute(APPEND, (1, 3))
            begin(store)
            assert len(store.follow(START, 10)) == 1


class Writer(threading.Thread):
    """Appends to its own matches: immediately, slowly, several in one transaction, or with a rollback."""

    def __init__(self, url: str, matches: list[int], until: Callable[[], bool], seed: int) -> None:
        super().__init__()
        self.url, self.matches, self.until, self.random = url, matches, until, random.Random(seed)
        self.written: dict[int, int] = dict.fromkeys(matches, 2)

    def run(self) -> None:
        with connect(self.url) as connection:
            while not self.until():
                self.some(connection)

    def some(self, connection: psycopg.Connection[object]) -> None:
        chosen = self.random.sample(self.matches, self.random.choice((1, 1, 1, 3)))
        vain = self.random.random() < 0.2
        with connection.transaction(force_rollback=vain):
            for match_no in chosen:
                if self.random.random() < 0.3:
                    connection.execute(OTHER_WORK, [str(self.random.random())])
                connection.execute(APPEND, (match_no, self.written[match_no] + 1))
                if self.random.random() < 0.3:
                    time.sleep(self.random.random() * 0.02)
        for match_no in chosen:
            self.written[match_no] += not vain


class Follower(threading.Thread):
    """Reads continuously with its own `page` function, and keeps what it reads."""

    def __init__(self, page: Callable[[int], list[Followed]]) -> None:
        super().__init__()
        self.page, self.met, self.until = page, list[Followed](), float("inf")

    def run(self) -> None:
        at = START
        while (page := self.page(at)) or time.monotonic() < self.until:
            for followed in page:
                self.met.append(followed)
                at = followed.at

    def end(self, wanted: int) -> list[tuple[int, int]]:
        """Stop after this many commits, or after a minute; return the commits read."""
        deadline = time.monotonic() + 60
        while len(self.met) < wanted and time.monotonic() < deadline:
            time.sleep(0.02)
        self.until = 0
        self.join()
        return [(f.match_no, f.row.first) for f in self.met]


def by_position_alone(connection: psycopg.Connection[tuple[object, ...]], at: int) -> list[Followed]:
    """Read as a follower that trusts the sequence would: the known trap."""
    query = (
        "SELECT position, match_no, first, n, at_ms, events, secrets FROM commits"
        " WHERE position > %s ORDER BY position LIMIT 50"
    )
    found = connection.execute(query, [at])
    return [Followed(row[0], row[1], CommitRow(*row[2:])) for row in found]  # type: ignore[arg-type]


@pytest.mark.long
def test_follower_reads_each_commit_once_during_concurrent_writes(database: Database):
    with closing(open_store(database.app_url)) as store, connect(database.app_url) as reading:
        matches = [begin(store, f"m{i}").match_no for i in range(32)]
        end = time.monotonic() + 3
        over = lambda: time.monotonic() > end  # noqa: E731 - said once
        writers = [Writer(database.app_url, matches[i::8], over, i) for i in range(8)]
        right = Follower(lambda at: store.follow(at, 50))
        naive = Follower(lambda at: by_position_alone(reading, at))
        for thread in (*writers, right, naive):
            thread.start()
        for writer in writers:
            writer.join()
        written = {(m, first) for w in writers for m, last in w.written.items() for first in (1, *range(3, last + 1))}
        met, met_naively = right.end(len(written)), naive.end(0)

    assert len(written) > 500
    assert len(met) == len(set(met))
    assert set(met) == written
    for match_no in matches:  # each match's commits in their order
        firsts = [first for m, first in met if m == match_no]
        assert firsts == sorted(firsts)
    assert set(met_naively) < written, "positions alone would have done: this test shows nothing"
