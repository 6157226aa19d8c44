"""Tests that the database itself protects the log against every kind of statement."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import stream_rows
from tests.draws import first_of
from tests.services import Database, connect
from tests.store.commits import begin, commit

INSERT = "INSERT INTO commits (match_no, first, n, at_ms, events)"
PLACED = "INSERT INTO commits (position, match_no, first, n, at_ms, events)"

CHANGES = [
    "UPDATE commits SET events = '[]'",
    "UPDATE commits SET events = events WHERE false",
    "DELETE FROM commits",
    "DELETE FROM commits WHERE match_no = 1",
    "TRUNCATE commits",
    "TRUNCATE commits, stream CASCADE",
    f"{INSERT} VALUES (1, 3, 4, 0, '[]') ON CONFLICT (match_no, first) DO UPDATE SET events = excluded.events",
    "MERGE INTO commits c USING (SELECT 1) x ON c.match_no = 1 WHEN MATCHED THEN DELETE",
    "WITH gone AS (DELETE FROM commits RETURNING 1) SELECT * FROM gone",
]
"""A database on PostgreSQL."""


@contextmanager
def unchanged(store: Store) -> Iterator[None]:
    before = stream_rows.rows(store, 1)
    assert len(before) == 2
    yield
    assert stream_rows.rows(store, 1) == before


@pytest.fixture
def filled(database: Database) -> Iterator[Store]:
    with closing(open_store(database.app_url)) as store:
        assert begin(store).match_no == 1
        store.append(1, commit(3))
        yield store


def supports(connection: psycopg.Connection[object], statement: str) -> bool:
    return not statement.startswith("MERGE") or connection.info.server_version >= 150_000


@pytest.mark.parametrize("statement", CHANGES)
def test_application_cannot_change_the_log(database: Database, filled: Store, statement: str):
    with unchanged(filled), connect(database.app_url) as connection:
        if supports(connection, statement):
            with pytest.raises(errors.InsufficientPrivilege):
                connection.execute(statement)


@pytest.mark.parametrize("statement", CHANGES)
def test_owner_cannot_change_the_log(database: Database, filled: Store, statement: str):
    with unchanged(filled), connect(database.owner_url) as connection:
        if supports(connection, statement):
            with pytest.raises(errors.RestrictViolation, match="commits is append-only"):
                connection.execute(statement)


@pytest.mark.parametrize("role", ["replica", "local", "origin"])
@pytest.mark.parametrize("statement", CHANGES)
def test_session_settings_do_not_lift_the_protection(database: Database, filled: Store, statement: str, role: str):
    with unchanged(filled), connect(database.admin_url) as connection:
        connection.execute(f"SET session_replication_role = {role}")
        if supports(connection, statement):
            with pytest.raises(errors.RestrictViolation, match="commits is append-only"):
                connection.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        f"{INSERT} VALUES (1, 7, 1, 0, '[]')",
        "COPY commits (match_no, first, n, at_ms, events) FROM STDIN",
        "UPDATE stream SET version = 0",
        "UPDATE stream SET head = ''",
        "INSERT INTO stream (match_id, version, head, created_ms) VALUES ('x', 0, '', 0)",
        "DELETE FROM stream",
        "UPDATE secrets SET seal_secret = ''",
        "INSERT INTO secrets VALUES (9, '', '[]')",
        "DELETE FROM secrets",
        "ALTER TABLE commits DISABLE TRIGGER append_only",
        "DROP TRIGGER append_only ON commits",
        "DROP TABLE commits",
        "ALTER TABLE commits DROP COLUMN events",
        "CREATE RULE r AS ON UPDATE TO commits DO INSTEAD NOTHING",
        "CREATE TRIGGER t BEFORE INSERT ON commits FOR EACH ROW EXECUTE FUNCTION refuse_change()",
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE TABLE public.mine ()",
        "SET session_replication_role = replica",
    ],
)
def test_application_writes_the_log_only_through_functions(database: Database, filled: Store, statement: str):
    with unchanged(filled), connect(database.app_url) as connection:
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute(statement)
        for table in ("stream", "commits", "secrets"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() is not None


def test_application_role_owns_nothing(database: Database, filled: Store):
    with connect(database.app_url) as connection:
        owned = connection.execute("SELECT relname FROM pg_class WHERE relowner = current_user::regrole").fetchall()
        owned += connection.execute("SELECT proname FROM pg_proc WHERE proowner = current_user::regrole").fetchall()
    assert owned == []


def test_functions_ignore_objects_that_shadow_their_names(database: Database, filled: Store):
    """A function with its owner's rights must not run objects that the caller has put before the real ones."""
    with connect(database.admin_url) as admin:
        admin.execute("CREATE TEMP TABLE stream AS SELECT * FROM public.stream")
        admin.execute("CREATE TEMP TABLE commits AS SELECT * FROM public.commits")
        admin.execute("CREATE FUNCTION public.wrong(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT false'")
        admin.execute("CREATE OPERATOR public.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = public.wrong)")
        admin.execute("SET search_path = pg_temp, public, pg_catalog")
        answer = admin.execute(
            "SELECT (append_commit(1, 7, 1::smallint, 0, '[]', NULL, '', NULL, NULL, NULL, NULL, NULL, NULL)).status"
        ).fetchone()
        assert answer == ("ok",)
        counts = admin.execute(
            "SELECT (SELECT count(*) FROM public.commits), (SELECT count(*) FROM pg_temp.commits)"
        ).fetchone()
        assert counts == (3, 2)


# SQLite


@pytest.fixture
def lite(sqlite_path: Path, empty_sqlite: Callable[[Path], str]) -> Iterator[tuple[Store, sqlite3.Connection]]:
    with (
        closing(open_store(empty_sqlite(sqlite_path))) as store,
        closing(sqlite3.connect(sqlite_path, isolation_level=None)) as connection,
    ):
        assert begin(store).match_no == 1
        store.append(1, commit(3))
        yield store, connection


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE commits SET events = '[]'",
        "UPDATE OR REPLACE commits SET first = 1",
        "UPDATE OR IGNORE commits SET events = '[]'",
        "DELETE FROM commits",
        "DELETE FROM commits WHERE first = 3",
        "INSERT OR REPLACE INTO commits (match_no, first, n, at_ms, events) VALUES (1, 3, 4, 0, '[]')",
        f"REPLACE {PLACED[7:]} VALUES (2, 1, 3, 4, 0, '[]')",
        f"REPLACE {PLACED[7:]} VALUES (2, 1, 7, 4, 0, '[]')",
        f"REPLACE {PLACED[7:]} VALUES (2, 9, 1, 4, 0, '[]')",
        f"{INSERT} VALUES (1, 3, 4, 0, '[]') ON CONFLICT (match_no, first) DO UPDATE SET events = '[]'",
        f"{PLACED} VALUES (2, 1, 7, 4, 0, '[]') ON CONFLICT (position) DO UPDATE SET events = '[]'",
        f"{INSERT} VALUES (1, 8, 1, 0, '[]')",
        f"{INSERT} VALUES (1, 5, 9, 0, '[]')",
        f"{INSERT} VALUES (2, 2, 1, 0, '[]')",
        f"{INSERT} VALUES (1, NULL, 1, 0, '[]')",
    ],
)
@pytest.mark.parametrize("pragma", first_of(["recursive_triggers=OFF", "recursive_triggers=ON", "foreign_keys=ON"]))
def test_sqlite_refuses_changes_of_the_log(lite: tuple[Store, sqlite3.Connection], statement: str, pragma: str):
    store, connection = lite
    connection.execute(f"PRAGMA {pragma}")
    with unchanged(store), pytest.raises(sqlite3.IntegrityError, match="commits is append-only"):
        connection.execute(statement)


@pytest.mark.parametrize("statement", ["INSERT OR IGNORE INTO", "INSERT OR FAIL INTO", "INSERT INTO"])
def test_sqlite_accepts_appended_commits(lite: tuple[Store, sqlite3.Connection], statement: str):
    store, connection = lite
    connection.execute(f"{statement} commits (match_no, first, n, at_ms, events) VALUES (1, 7, 1, 0, '[]')")
    assert [row.first for row in stream_rows.rows(store, 1)] == [1, 3, 7]
