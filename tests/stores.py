"""Provides an empty store on each database, and on PostgreSQL its addresses too."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.postgres import PostgresStore
from events.store.protocol import Store
from tests.services import Database, connect

SHAPE = """
SELECT md5(string_agg(said, '|' ORDER BY said)) FROM (
  SELECT concat_ws(' ', relname, relkind, relacl) FROM pg_class WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(' ', attrelid::regclass, attname, atttypid, attnotnull, attacl)
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
  UNION ALL SELECT concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled) FROM pg_trigger t WHERE NOT tgisinternal
  UNION ALL SELECT concat_ws(' ', pg_get_functiondef(oid), proacl)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(' ', nspacl) FROM pg_namespace WHERE nspname = 'public'
  UNION ALL SELECT query_to_xml('TABLE public.alembic_version', false, false, '')::text
   WHERE to_regclass('public.alembic_version') IS NOT NULL
) AS all_of_it (said)
"""
"""The parts of a schema that a test may have changed: tables, columns, triggers, functions, rights and version."""

EMPTY = """
DO $$ DECLARE found record; filled boolean; off text; back text; BEGIN
  FOR found IN SELECT oid::regclass AS of, relkind FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S') AND relname <> 'alembic_version' LOOP
    IF found.relkind = 'S' THEN
      PERFORM setval(found.of, 1, false);
      CONTINUE;
    END IF;
    EXECUTE format('SELECT EXISTS (TABLE %s)', found.of) INTO filled;
    CONTINUE WHEN NOT filled;
    SELECT string_agg(format('DISABLE TRIGGER %I', tgname), ', '),
           string_agg(format('ENABLE %s TRIGGER %I', CASE tgenabled WHEN 'A' THEN 'ALWAYS' ELSE '' END, tgname), ', ')
      INTO off, back FROM pg_trigger WHERE tgrelid = found.of AND NOT tgisinternal AND tgenabled IN ('A', 'O');
    EXECUTE coalesce('ALTER TABLE ' || found.of || ' ' || off, 'SELECT');
    EXECUTE format('DELETE FROM %s', found.of);
    EXECUTE coalesce('ALTER TABLE ' || found.of || ' ' || back, 'SELECT');
  END LOOP;
END $$
"""
"""Delete all rows, bypassing the triggers that forbid this, and leave the schema as it was."""


@dataclass
class Reused:
    """A PostgreSQL database for one test after another; its schema is recreated if necessary."""

    database: Database
    shape: str | None = None

    def emptied(self) -> Database:
        if self.shape is not None and self.shape == self._asked(SHAPE):
            self._asked(EMPTY)
            return self.database
        migrate(self.bare().owner_url, make_url(self.database.app_url).username)
        self.shape = self._asked(SHAPE)
        return self.database

    def bare(self) -> Database:
        self._asked("DROP SCHEMA public CASCADE")
        self._asked("CREATE SCHEMA public")
        return self.database

    def _asked(self, statement: str) -> Any:
        with connect(self.database.owner_url) as connection:
            answer = connection.execute(statement)
            return answer.fetchone() if answer.description else None


@pytest.fixture(scope="session")
def reused(postgres: Database) -> Reused:
    """Return the database that the tests of a process share on PostgreSQL."""
    return Reused(postgres.new_database())


@pytest.fixture
def database(reused: Reused) -> Database:
    """Return an empty PostgreSQL database with the schema."""
    return reused.emptied()


@pytest.fixture
def bare(reused: Reused) -> Database:
    """Return an empty PostgreSQL database without a schema."""
    return reused.bare()


@pytest.fixture(params=["postgresql", "sqlite"])
def url(request: pytest.FixtureRequest) -> str:
    """Return the application's address of an empty database with the schema."""
    if request.param == "postgresql":
        fresh: Database = request.getfixturevalue("database")
        return fresh.app_url
    empty: Callable[[Path], str] = request.getfixturevalue("empty_sqlite")
    return empty(request.getfixturevalue("sqlite_path"))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Return an empty store."""
    with closing(open_store(url)) as opened:
        yield opened


@pytest.fixture
def owner(request: pytest.FixtureRequest, url: str) -> Iterator[Callable[[str], Any]]:
    """Execute a statement as the owner of the database, without restrictions."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            yield connection.execute
        return
    database = request.getfixturevalue("database")
    with connect(database.owner_url) as connection:
        for table in ("commits", "stream", "secrets"):
            connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield connection.execute


@contextmanager
def store_of_owner(store: Store) -> Iterator[Store]:
    """Open a store as the owner of the database, who may also change data that the application may only append."""
    if not isinstance(store, PostgresStore):
        yield store
        return
    url = store.engine.url
    owner = url.set(username=(url.username or "").removesuffix("_app") + "_owner")
    with closing(open_store(owner.render_as_string(hide_password=False))) as opened:
        yield opened
