"""Tests that requests are refused immediately while PostgreSQL is unreachable, and that one caller at a time retries
it."""

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import Connection, make_url, text

from events.errors import Unavailable
from events.store import engine
from events.store.engine import PROBE_SECONDS
from events.store.postgres import PostgresStore
from tests.services import Database
from tests.system.processes import Wire

ONE = text("SELECT 1")


@pytest.fixture
def wire(database: Database) -> Iterator[Wire]:
    server = make_url(database.app_url)
    made = Wire((server.host or "127.0.0.1", server.port or 5432))
    yield made
    made.cut()


@pytest.fixture
def store(database: Database, wire: Wire) -> Iterator[PostgresStore]:
    address = make_url(database.app_url).set(host="127.0.0.1", port=wire.port)
    with closing(PostgresStore(address.render_as_string(hide_password=False))) as opened:
        assert opened.read(ONE)
        yield opened


def test_second_request_in_an_outage_is_refused_without_querying_the_database(
    store: PostgresStore, wire: Wire, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(engine, "PROBE_SECONDS", 600.0)
    wire.cut()
    start = time.monotonic()
    with pytest.raises(Unavailable):
        store.read(ONE)
    assert time.monotonic() - start < 5
    wire.mend()
    with pytest.raises(Unavailable):
        store.read(ONE)


def test_requests_are_answered_again_soon_after_an_outage(store: PostgresStore, wire: Wire):
    wire.cut()
    with pytest.raises(Unavailable):
        store.read(ONE)
    wire.mend()
    time.sleep(PROBE_SECONDS)
    assert store.read(ONE)
    assert store.read(ONE)


def test_slow_statement_does_not_make_others_fail(store: PostgresStore):
    def sleep_too_long(connection: Connection) -> None:
        connection.execute(text("SET statement_timeout = 20"))
        connection.execute(text("SELECT pg_sleep(1)"))

    with pytest.raises(Unavailable):
        store.ask(sleep_too_long)
    assert store.read(ONE)
