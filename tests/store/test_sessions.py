"""Tests that a process checks at start whether a pooler stands before PostgreSQL, and how many connections are left."""

import socket
import struct
from contextlib import ExitStack, closing
from threading import Thread

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from events.store import postgres
from events.store.sessions import BehindPooler, count_free_connections, refuse_pooler
from tests.services import Database

pytestmark = pytest.mark.both_databases


def test_direct_connection_is_accepted(database: Database):
    refuse_pooler(database.app_url)


def test_address_with_other_options_is_accepted(database: Database):
    refuse_pooler(f"{database.app_url}?options=-c%20statement_timeout%3D5s")


def test_pooler_that_drops_options_is_refused(database: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(postgres, "OPTIONS", "-c statement_timeout=10s")
    with pytest.raises(BehindPooler):
        refuse_pooler(database.app_url)


def test_pooler_that_refuses_options_is_refused():
    """PgBouncer answers in this way without `ignore_startup_parameters`."""

    def refuse() -> None:
        client, _ = listener.accept()
        with client:
            length, code = struct.unpack("!ii", client.recv(8))
            if code == 80877103:  # a request for encryption comes first
                client.sendall(b"N")
                (length,) = struct.unpack("!i", client.recv(4))
            client.recv(length)
            fields = b"SFATAL\0C08P01\0Munsupported startup parameter: options\0\0"
            client.sendall(b"E" + struct.pack("!i", len(fields) + 4) + fields)

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        Thread(target=refuse, daemon=True).start()
        with pytest.raises(BehindPooler):
            refuse_pooler(f"postgresql+psycopg://ann@127.0.0.1:{listener.getsockname()[1]}/dealt")


def test_database_that_does_not_answer_is_accepted():
    refuse_pooler("postgresql+psycopg://ann@127.0.0.1:1/dealt")
    assert count_free_connections("postgresql+psycopg://ann@127.0.0.1:1/dealt") is None


def falls_by_open_connections(database: Database) -> bool:
    free = count_free_connections(database.app_url)
    assert free is not None
    engine = create_engine(database.admin_url, poolclass=NullPool)
    with ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(engine.connect()).execute(text("SELECT 1"))
        return (count_free_connections(database.app_url) or 0) < free


def test_open_connections_reduce_the_free_ones(database: Database):
    """Other tests use the same server, and may end as many sessions at that moment."""
    assert any(falls_by_open_connections(database) for _ in range(5))
