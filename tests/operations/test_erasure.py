"""Tests that erasure on SQLite leaves no data of a player in the files of the database."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from domain.core.clock import Time
from events.notify import mailboxes
from events.operations.erasure import erase_player
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.schema.player_schema import players
from events.store.tables import player_rows
from workers.dispatcher import Dispatcher

NAME, HANDLE, ADDRESS = "Wilhelmina Quist", "wilhelmina-q", "quist@players.example"
NOW = Time(1_790_000_000_000)


@pytest.fixture
def store(sqlite_path: Path) -> Iterator[Store]:
    migrate(url := f"sqlite:///{sqlite_path}")
    with closing(open_store(url)) as opened:
        player_rows.add_player(opened, "ann", NAME, b"t" * 32, NOW, HANDLE)
        mailboxes.set_mailbox(opened, "ann", mailboxes.WantedMail(ADDRESS, 0, "leave"), NOW)
        yield opened


def traces(path: Path) -> set[str]:
    """Return the names of the files that still contain data of the player."""
    words = [word.encode() for word in (NAME, HANDLE, ADDRESS)]
    files = {one.name: one.read_bytes() for one in path.parent.iterdir() if one.is_file()}
    return {name for name, content in files.items() if any(word in content for word in words)}


def test_erased_player_is_in_no_file_of_the_database(store: Store, sqlite_path: Path):
    assert traces(sqlite_path)
    erase_player(store, "ann", NOW)
    assert traces(sqlite_path) == set()


def test_erased_data_is_removed_once_no_transaction_reads_it(store: Store, sqlite_path: Path):
    def reads(connection: object) -> None:
        connection.execute(select(players)).all()  # type: ignore[attr-defined]
        erase_player(store, "ann", NOW)
        assert traces(sqlite_path)

    store.look(reads)
    assert traces(sqlite_path)
    Dispatcher(store, lambda due: None, now=lambda: NOW).look()
    assert traces(sqlite_path) == set()
