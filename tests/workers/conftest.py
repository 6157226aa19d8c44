"""Provides matches on their own SQLite store, with a clock controlled by the test."""

from contextlib import closing

import pytest

from events.store.opening import open_store
from tests.driven import at_work, begin, matches, now

__all__ = ["at_work", "begin", "matches", "now"]


@pytest.fixture
def store(empty_sqlite, sqlite_path):
    with closing(open_store(empty_sqlite(sqlite_path))) as opened:
        yield opened
