"""Makes databases in PostgreSQL for measurements, with the product's schema, removed at the end."""

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.conninfo import make_conninfo
from sqlalchemy import make_url

from events.store.migrate import migrate
from tests import services
from tests.services import Database


@contextmanager
def database() -> Iterator[Database]:
    """Make a database whose writes are durable, with the schema of today. Raises `UnavailableError`."""
    with services.postgres(durable=True) as found:
        migrated(found)
        yield found


def migrated(found: Database) -> Database:
    """Return the database after creating the schema in it."""
    migrate(found.owner_url, make_url(found.app_url).username)
    return found


def plain(url: str) -> str:
    """Write an address as psycopg itself takes it."""
    parts = make_url(url)
    host = parts.host or str(parts.query.get("host", ""))
    return make_conninfo(
        host=host, port=parts.port, user=parts.username, password=parts.password, dbname=parts.database
    )
