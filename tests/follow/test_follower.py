"""Tests that a follower passes every commit to its handler once, even if followers are killed or several run."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, insert, select

from events.follow import follower as following
from events.follow.follower import Follower
from events.store.follow_records import START, Followed
from events.store.protocol import Store
from events.store.schema.log_schema import idempotency
from events.store.tables import checkpoint_rows, stream_rows
from tests.store.commits import begin, commit

pytestmark = pytest.mark.both_databases


class Killed(Exception):
    """Stands for the death of a follower."""


class Notes:
    """A handler that records each commit in a table where none can be recorded twice."""

    def __init__(self, name: str, dies: str = "") -> None:
        self.name, self.dies = name, dies

    def wants_commits(self) -> bool:
        return True

    def read(self, page: Sequence[Followed]) -> Callable[[Connection], None]:
        if self.dies == "reading":
            raise Killed

        def write(connection: Connection) -> None:
            for met in page:
                key = f"{self.name} {met.match_no} {met.row.first}".encode()
                connection.execute(insert(idempotency).values(key_hash=key, body_hash=b"", at_ms=0))
            if self.dies == "writing":
                raise Killed

        return write


def noted(store: Store, name: str) -> set[tuple[int, int]]:
    keys = [row.key_hash.decode().split() for row in store.read(select(idempotency.c.key_hash))]
    return {(int(no), int(first)) for of, no, first in keys if of == name}


def written(store: Store) -> set[tuple[int, int]]:
    return {(no, row.first) for no in stream_rows.numbers(store) for row in stream_rows.rows(store, no)}


def reaches(store: Store, name: str, *followers: Follower) -> None:
    """Run followers until they have handled all commits."""
    until = time.monotonic() + 60
    while noted(store, name) != written(store):
        for follower in followers:
            follower.step()
        assert time.monotonic() < until, f"{name} has not met {written(store) - noted(store, name)}"


@pytest.fixture
def log(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return two matches with six commits each, and pages of five commits."""
    monkeypatch.setattr(following, "PAGE", 5)
    for match_no in (begin(store, "a").match_no, begin(store, "b").match_no):
        for first in range(3, 8):
            store.append(match_no, commit(first, 1))
    return store


def test_new_handler_begins_with_the_first_commit(log: Store):
    reaches(log, "one", Follower(log, Notes("one")))
    assert noted(log, "two") == set()
    assert checkpoint_rows.read_position(log, "two") == START
    reaches(log, "two", Follower(log, Notes("two")))
    log.append(stream_rows.numbers(log)[0], commit(8))
    reaches(log, "two", Follower(log, Notes("two")))
    assert len(noted(log, "two")) == len(noted(log, "one")) + 1 == 13


@pytest.mark.parametrize("dies", ["reading", "writing"])
def test_page_of_a_killed_follower_is_handled_by_the_next(log: Store, dies: str):
    handler = Notes("stats")
    follower = Follower(log, handler)
    while not (before := noted(log, "stats")):
        follower.step()
    handler.dies = dies
    with pytest.raises(Killed):
        reaches(log, "stats", follower)
    assert noted(log, "stats") == before
    reaches(log, "stats", Follower(log, Notes("stats")))


def test_only_one_of_several_followers_handles_a_page(log: Store):
    followers = [Follower(log, Notes("stats")) for _ in range(4)]
    with ThreadPoolExecutor(4) as several:
        list(several.map(lambda follower: reaches(log, "stats", follower), followers))
    assert noted(log, "stats") == written(log)


def test_commits_written_while_a_handler_is_off_are_skipped(log: Store, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as idle:
        idle.setattr(Notes, "wants_commits", lambda _: False)
        assert Follower(log, Notes("stats")).step() is None
    assert Follower(log, Notes("stats")).step() == 0
    assert noted(log, "stats") == set()
