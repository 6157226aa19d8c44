"""An empty store on each database, and on PostgreSQL its addresses too."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from events.migrate import migrate
from events.store import Store, open_store
from tests.services import Database, connect


@pytest.fixture(scope="session")
def emptied(postgres: Database) -> Database:
    """A PostgreSQL database for the tests of this folder to share, one after the other."""
    return postgres.new_database()


@pytest.fixture
def database(emptied: Database) -> Database:
    """A PostgreSQL database with the schema, and nothing in it."""
    with connect(emptied.owner_url) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    migrate(emptied.owner_url, make_url(emptied.app_url).username)
    return emptied


@pytest.fixture(params=["postgresql", "sqlite"])
def url(request: pytest.FixtureRequest) -> str:
    """The application's address of an empty database with the schema."""
    if request.param == "postgresql":
        fresh: Database = request.getfixturevalue("database")
        return fresh.app_url
    path: Path = request.getfixturevalue("sqlite_path")
    migrate(f"sqlite:///{path}")
    return f"sqlite:///{path}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An empty store."""
    with closing(open_store(url)) as opened:
        yield opened
