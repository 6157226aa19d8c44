"""Tests a database that goes away, comes back, or answers too late."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from events.errors import Unavailable
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.postgres import PostgresStore
from events.store.records import Appended
from events.store.sqlite import SqliteStore
from events.store.tables import stream_rows
from tests.services import Database, connect
from tests.store.commits import begin, commit, key


@pytest.fixture
def pg(database: Database) -> Iterator[PostgresStore]:
    with closing(PostgresStore(database.app_url)) as store:
        yield store


def hang_up(database: Database) -> None:
    """End all connections to the database except our own."""
    with connect(database.admin_url) as admin:
        query = "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE datname = current_database()"
        admin.execute(f"{query} AND pid <> pg_backend_pid()")


def test_lost_connections_are_reopened(database: Database, pg: PostgresStore):
    match_no = begin(pg).match_no
    for first in range(3, 6):
        hang_up(database)
        assert pg.append(match_no, commit(first, 1)).status == "ok"
        hang_up(database)
        assert len(stream_rows.rows(pg, match_no)) == first - 1


def answer_lost(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Execute the next call, but lose its answer."""
    execute = store._execute

    def once(*arguments: Any) -> list[str]:
        execute(*arguments)
        monkeypatch.setattr(store, "_execute", execute)
        raise psycopg.OperationalError("the connection was closed")

    monkeypatch.setattr(store, "_execute", once)


@pytest.mark.parametrize("idempotency", [None, key("k")])
def test_append_with_a_lost_answer_is_recognised_as_successful(
    pg: PostgresStore, monkeypatch: pytest.MonkeyPatch, idempotency: Any
):
    match_no = begin(pg).match_no
    answer_lost(pg, monkeypatch)
    outcome = pg.append(match_no, commit(3, 4, idempotency=idempotency))
    assert (outcome.status, outcome.version) == ("ok", 6)
    assert outcome.position is not None
    assert len(stream_rows.rows(pg, match_no)) == 2


def test_lost_race_with_a_lost_answer_is_still_lost(pg: PostgresStore, monkeypatch: pytest.MonkeyPatch):
    match_no = begin(pg).match_no
    pg.append(match_no, commit(3, 4, "theirs"))
    answer_lost(pg, monkeypatch)
    assert pg.append(match_no, commit(3, 4, "ours")) == Appended("conflict", 6)


@pytest.mark.parametrize("idempotency", [None, key("k")])
def test_match_with_a_lost_creation_answer_exists_once(
    pg: PostgresStore, monkeypatch: pytest.MonkeyPatch, idempotency: Any
):
    answer_lost(pg, monkeypatch)
    head = begin(pg, idempotency=idempotency)
    assert stream_rows.head(pg, "match-1") == head
    assert len(stream_rows.numbers(pg)) == 1


def test_unreachable_database_server_is_unavailable():
    with closing(open_store("postgresql+psycopg://nobody@127.0.0.1:1/nothing")) as store:
        with pytest.raises(Unavailable):
            stream_rows.head(store, "match-1")
        with pytest.raises(Unavailable):
            store.append(1, commit(3))


def test_locked_database_file_is_unavailable(sqlite_path: Path):
    url = f"sqlite:///{sqlite_path}"
    migrate(url)
    with closing(SqliteStore(url, patience=0.01)) as store, closing(SqliteStore(url)) as other:
        match_no = begin(store).match_no
        with other.engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            with pytest.raises(Unavailable):
                store.append(match_no, commit(3))
            assert len(stream_rows.rows(store, match_no)) == 1  # readers do not wait
            connection.rollback()
        assert store.append(match_no, commit(3)).status == "ok"


def test_other_databases_are_refused():
    with pytest.raises(ValueError, match="postgresql or sqlite"):
        open_store("mysql://somewhere")


def test_rollback_of_prepared_statements_does_no_harm(pg: PostgresStore):
    """Psycopg deallocates all prepared statements of a connection when a transaction on it is rolled back."""
    head = begin(pg)
    assert pg.append(head.match_no, commit(3)).status == "ok"
    with pg.engine.connect() as connection:  # the pool gives the connection used last
        connection.exec_driver_sql("DEALLOCATE ALL")
    assert pg.append(head.match_no, commit(7)).status == "ok"
