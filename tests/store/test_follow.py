"""Followers meet every commit once, though writers overlap, stall and fail."""

import random
import threading
import time
from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import make_url

from events.store import tables
from events.store.follow_records import START, Followed, Position
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.records import CommitRow
from tests.services import Database, connect
from tests.store.commits import begin, commit

pytestmark = pytest.mark.both_databases

PATIENCE = 60.0
"""For so many seconds a transaction elsewhere on the server may hold back what we wait for."""

APPEND = "SELECT append_commit(%s, %s, 1::smallint, 0, '[]', NULL, '', NULL, NULL, NULL, NULL, NULL, NULL)"


def follow(store: Store, at: Position, wanted: int) -> list[Followed]:
    """All that follows, as soon as it is so many."""
    deadline = time.monotonic() + PATIENCE
    while len(found := store.follow(at, 100)) < wanted and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def test_a_follower_meets_all_in_order_page_by_page(store: Store):
    a, b = begin(store, "a").match_no, begin(store, "b").match_no
    for first in range(3, 9):
        store.append(a, commit(first, 1))
        store.append(b, commit(first, 1))
    assert len(follow(store, START, 14)) == 14
    met: list[Followed] = []
    while page := store.follow(met[-1].at if met else START, 5):
        assert len(page) <= 5
        met += page
    for match_no in (a, b):
        assert [f.row for f in met if f.match_no == match_no] == tables.stream_rows.rows(store, match_no)
    assert store.follow_is_sound()


def test_a_checkpoint_is_kept(store: Store):
    assert tables.checkpoint_rows.of(store, "stats") == START
    for at in (Position(5, 9), Position(2**40, 2**41)):
        tables.checkpoint_rows.save(store, "stats", at)
        assert tables.checkpoint_rows.of(store, "stats") == at
    assert tables.checkpoint_rows.of(store, "other") == START


def test_what_was_rolled_back_is_not_met(database: Database):
    with closing(open_store(database.app_url)) as store:
        match_no = begin(store).match_no
        with connect(database.app_url) as connection:
            with connection.transaction(force_rollback=True):
                connection.execute(APPEND, (match_no, 3))
            store.append(match_no, commit(3))
        assert [f.row.first for f in follow(store, START, 2)] == [1, 3]


def test_a_follower_waits_for_a_commit_that_is_under_way(database: Database):
    with closing(open_store(database.app_url)) as store, connect(database.app_url) as slow:
        a, b = begin(store, "a").match_no, begin(store, "b").match_no
        seen = follow(store, START, 2)[-1].at
        with slow.transaction():
            slow.execute(APPEND, (a, 3))
            store.append(b, commit(3))  # has the later position, and is there first
            assert store.follow(seen, 10) == []
        assert [f.match_no for f in follow(store, seen, 2)] == [a, b]


class Writer(threading.Thread):
    """Appends to matches of its own: at once, slowly, several in one transaction, or in vain."""

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
                connection.execute(APPEND, (match_no, self.written[match_no] + 1))
                if self.random.random() < 0.3:
                    time.sleep(self.random.random() * 0.02)
        for match_no in chosen:
            self.written[match_no] += not vain


class Follower(threading.Thread):
    """Reads on and on, by its own `page` function, and keeps what it meets."""

    def __init__(self, page: Callable[[Position], list[Followed]]) -> None:
        super().__init__()
        self.page, self.met, self.until = page, list[Followed](), float("inf")

    def run(self) -> None:
        at = START
        while (page := self.page(at)) or time.monotonic() < self.until:
            for followed in page:
                self.met.append(followed)
                at = followed.at

    def end(self, wanted: int) -> list[tuple[int, int]]:
        """Stop when so many were met, or no more have come for a while."""
        deadline = time.monotonic() + PATIENCE
        while len(self.met) < wanted and time.monotonic() < deadline:
            time.sleep(0.02)
        self.until = 0
        self.join()
        return [(f.match_no, f.row.first) for f in self.met]


def by_position_alone(connection: psycopg.Connection[tuple[object, ...]], at: Position) -> list[Followed]:
    """What a follower would read who trusts the sequence: the known trap."""
    query = (
        "SELECT position, match_no, first, n, at_ms, events, secrets FROM commits"
        " WHERE position > %s ORDER BY position LIMIT 50"
    )
    found = connection.execute(query, [at.position])
    return [Followed(Position(0, row[0]), row[1], CommitRow(*row[2:])) for row in found]  # type: ignore[arg-type]


@pytest.mark.long
def test_none_is_missed_and_none_doubled_while_others_write_stall_and_roll_back(database: Database):
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


# After a dump is restored into a new cluster


@pytest.fixture
def restored(database: Database) -> Database:
    """A log whose transaction ids lie in the future, as if it came from a cluster that had counted further."""
    with closing(open_store(database.app_url)) as store:
        a, b = begin(store, "a").match_no, begin(store, "b").match_no
        for first in range(3, 8):
            store.append(a, commit(first, 1))
            store.append(b, commit(first, 1))
        everything = follow(store, START, 12)
        tables.checkpoint_rows.save(store, "behind", everything[3].at)
        tables.checkpoint_rows.save(store, "up to date", everything[-1].at)
    ahead = 10**9
    with connect(database.owner_url) as connection:
        connection.execute("ALTER TABLE commits DISABLE TRIGGER append_only")
        connection.execute(f"UPDATE commits SET xid = (xid::text::bigint + {ahead})::text::xid8")
        connection.execute("ALTER TABLE commits ENABLE ALWAYS TRIGGER append_only")
        connection.execute(f"UPDATE checkpoint SET xid = xid + {ahead}")
    return database


def met_from(store: Store, name: str, wanted: int = 0) -> list[tuple[int, int]]:
    return [(f.match_no, f.row.first) for f in follow(store, tables.checkpoint_rows.of(store, name), wanted)]


def test_the_trap_after_a_restore_is_noticed(restored: Database):
    with closing(open_store(restored.app_url)) as store:
        assert not store.follow_is_sound()
        assert store.follow(START, 100) == []
        assert store.append(1, commit(8, 1)).status == "ok"
        assert met_from(store, "up to date") == []  # and would never be met


def test_migrating_repairs_it_without_touching_the_log(restored: Database):
    with closing(open_store(restored.app_url)) as store:
        store.append(1, commit(8, 1))  # somebody was quicker
        before = {m: tables.stream_rows.rows(store, m) for m in (1, 2)}
        everything = {(m, row.first) for m, rows in before.items() for row in rows}
        with connect(restored.app_url) as connection:
            rest = "SELECT match_no, first FROM commits ORDER BY position OFFSET 4"
            behind = set(connection.execute(rest).fetchall())

        migrate(restored.owner_url, make_url(restored.app_url).username)

        assert store.follow_is_sound()
        assert {m: tables.stream_rows.rows(store, m) for m in (1, 2)} == before
        assert {(f.match_no, f.row.first) for f in follow(store, START, 13)} == everything
        assert set(met_from(store, "behind", 9)) == behind
        assert met_from(store, "up to date", 1) == [(1, 8)]
        assert store.append(1, commit(9, 1)).status == "ok"
        assert met_from(store, "up to date", 2) == [(1, 8), (1, 9)]
        with connect(restored.owner_url) as connection, pytest.raises(psycopg.errors.RestrictViolation):
            connection.execute("DELETE FROM commits")


def test_migrating_a_sound_log_leaves_its_order_alone(database: Database):
    with closing(open_store(database.app_url)) as store:
        begin(store)
        before = follow(store, START, 1)
        migrate(database.owner_url, make_url(database.app_url).username)
        assert follow(store, START, 1) == before
