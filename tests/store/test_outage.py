"""While PostgreSQL is out of reach, requests are refused at once, and one caller at a time tries it again."""

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import Connection, make_url, text

from events.errors import Unavailable
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


def seconds_until_refused(store: PostgresStore) -> float:
    start = time.monotonic()
    with pytest.raises(Unavailable):
        store.read(ONE)
    return time.monotonic() - start


def test_second_request_in_an_outage_is_refused_immediately(store: PostgresStore, wire: Wire):
    wire.cut()
    assert seconds_until_refused(store) < 5
    assert seconds_until_refused(store) < 0.05


def test_requests_are_answered_again_soon_after_an_outage(store: PostgresStore, wire: Wire):
    wire.cut()
    seconds_until_refused(store)
    wire.mend()
    time.sleep(PROBE_SECONDS)
    assert store.read(ONE)
    assert store.read(ONE)


def test_statement_that_takes_too_long_refuses_no_other(store: PostgresStore):
    def sleep_too_long(connection: Connection) -> None:
        connection.execute(text("SET statement_timeout = 20"))
        connection.execute(text("SELECT pg_sleep(1)"))

    with pytest.raises(Unavailable):
        store.ask(sleep_too_long)
    assert store.read(ONE)
