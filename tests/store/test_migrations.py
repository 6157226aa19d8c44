"""Tests that migrations create the schema that queries use, and that repeated and concurrent migrations are
harmless."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Dialect, Engine, create_engine, inspect, text, update
from sqlalchemy.pool import NullPool

import events.store.migrate
from events import times
from events.store import revisions
from events.store.migrate import MIGRATIONS, NeedsMigration, OlderCodeRuns, UnknownMigration, migrate, refuse_unfit
from events.store.opening import open_store
from events.store.revisions import REVISIONS
from events.store.schema.log_schema import commits, processes, work_spans
from events.store.schema.metadata import metadata
from events.store.sql_files import FOLDER
from events.store.tables import outage_rows, process_rows, stream_rows
from tests.services import Database
from tests.store.commits import begin
from tests.store.migration_sql import DIALECTS, add_dialect_options, tables_sql

pytestmark = pytest.mark.both_databases


@pytest.fixture(params=["postgresql", "sqlite"])
def owner_url(request: pytest.FixtureRequest) -> str:
    """Return the owner's address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{request.getfixturevalue('sqlite_path')}"
    bare: Database = request.getfixturevalue("bare")
    return bare.owner_url


@pytest.fixture
def engine(owner_url: str) -> Iterator[Engine]:
    made = create_engine(owner_url, poolclass=NullPool)
    yield made
    made.dispose()


def test_empty_database_is_not_ready(owner_url: str):
    with closing(open_store(owner_url)) as store:
        assert not store.ready()
        migrate(owner_url)
        assert store.ready()


def test_database_for_later_code_only_is_not_ready(owner_url: str, engine: Engine):
    migrate(owner_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with closing(open_store(owner_url)) as store:
        assert not store.ready()


def test_unreachable_database_is_not_ready(tmp_path: Path):
    with closing(open_store("postgresql+psycopg://nobody@127.0.0.1:1/nothing")) as store:
        assert not store.ready()
    with closing(open_store(f"sqlite:///{tmp_path}/no/such/folder/x")) as store:
        assert not store.ready()


def test_migrating_again_keeps_everything(owner_url: str):
    migrate(owner_url)
    with closing(open_store(owner_url)) as store:
        begin(store)
        before = stream_rows.load(store, "match-1")
        migrate(owner_url)
        assert stream_rows.load(store, "match-1") == before


def test_closing_another_store_keeps_the_open_log(sqlite_path: Path):
    """A process that migrates with an open store keeps its locks: no other process may delete its write-ahead log."""
    url = f"sqlite:///{sqlite_path}"
    with closing(open_store(url)) as store:
        assert not store.schema_fits()
        migrate(url)
        begin(store, "m-1")
        other = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT 1 FROM commits'); c.close()"
        subprocess.run([sys.executable, "-c", other, sqlite_path], check=True)
        begin(store, "m-2")
        log = sqlite_path.with_name(f"{sqlite_path.name}-wal")
        assert log.exists()
        seen = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT match_id FROM stream'))"
        read = subprocess.run([sys.executable, "-c", seen, sqlite_path], check=True, capture_output=True, text=True)
        assert read.stdout == "('m-1',) ('m-2',)\n"


def test_concurrent_migrations_succeed(owner_url: str):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: migrate(owner_url), range(4)))
    with closing(open_store(owner_url)) as store:
        assert store.schema_fits()


def test_migration_files_match_the_code():
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(found)) == REVISIONS


def test_migrated_tables_match_the_schema(owner_url: str, engine: Engine):
    migrate(owner_url)

    def all_but_how_commits_is_keyed(thing: object, name: str | None, kind: str, *_: object) -> bool:
        """On SQLite the position is the key; migrations keep a separate table."""
        keyed_otherwise = ("commits",) if engine.dialect.name == "sqlite" else ()
        return not (kind == "table" and name in ("schema_revisions", *keyed_otherwise))

    for table in metadata.tables.values():
        add_dialect_options(table)
    with engine.connect() as connection:
        options = {"include_object": all_but_how_commits_is_keyed, "compare_type": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
        columns = {column["name"] for column in inspect(connection).get_columns("commits")}
    assert columns == {column.name for column in commits.columns}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_first_migration_creates_the_tables_of_the_schema(dialect: Dialect):
    written = (FOLDER / f"0001_tables_{dialect.name}.sql").read_text()
    assert written == tables_sql(dialect), "`python -m tests.store.migration_sql` writes it anew"


def test_migrations_create_no_other_tables(owner_url: str, engine: Engine):
    migrate(owner_url)
    names = set(inspect(engine).get_table_names())
    assert names == {table.name for table in metadata.sorted_tables} | {"alembic_version", "schema_revisions"}


def test_database_of_another_version_is_refused_unchanged(owner_url: str, engine: Engine):
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num text)")
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES ('0099')")
    with pytest.raises(UnknownMigration, match=r"migration 0099.*name an empty database"):
        migrate(owner_url)
    assert inspect(engine).get_table_names() == ["alembic_version"]
    with pytest.raises(UnknownMigration):
        refuse_unfit(owner_url)


def test_database_without_a_migration_or_with_todays_is_not_refused(owner_url: str):
    refuse_unfit(owner_url)
    migrate(owner_url)
    refuse_unfit(owner_url)
    refuse_unfit("postgresql+psycopg://nobody@127.0.0.1:1/nothing")


EXPANDING = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, works_with = "0002", "0001", "0001"


def upgrade():
    op.add_column("players", sa.Column("rung", sa.Integer, nullable=False, server_default="7"))
"""

CONTRACTING = """
from alembic import op

revision, down_revision, works_with = "0003", "0002", "0002"


def upgrade():
    op.execute("UPDATE players SET rung = 8")
"""


class LaterVersion:
    """Stands for the code of a version with two more migrations: one expands the schema, the next contracts it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = Path(shutil.copytree(MIGRATIONS, folder / "migrations"))
        (self._folder / "versions" / "0002_rung.py").write_text(EXPANDING)
        (self._folder / "versions" / "0003_rung.py").write_text(CONTRACTING)
        self._monkeypatch = monkeypatch

    @contextmanager
    def runs(self, oldest_schema: str = "0001") -> Iterator[None]:
        with self._monkeypatch.context() as patched:
            patched.setattr(events.store.migrate, "MIGRATIONS", self._folder)
            patched.setattr(revisions, "REVISIONS", (*REVISIONS, "0002", "0003"))
            patched.setattr(revisions, "OLDEST_SCHEMA", oldest_schema)
            patched.setattr(process_rows, "REVISIONS", (*REVISIONS, "0002", "0003"))
            yield


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LaterVersion:
    return LaterVersion(tmp_path, monkeypatch)


def test_expanding_migration_keeps_rows_and_earlier_code_works(owner_url: str, engine: Engine, later: LaterVersion):
    migrate(owner_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO players (player_id, name, created_ms) VALUES ('ann', 'Ann', 0)")
    with closing(open_store(owner_url)) as store:
        begin(store)
        before = stream_rows.load(store, "match-1")
        with later.runs():
            assert migrate(owner_url) == ["0003"], "the half that would shut out this code waits"
            assert store.ready()
        assert store.ready(), "so does the code of before"
        assert stream_rows.load(store, "match-1") == before
        refuse_unfit(owner_url, started=True)
        assert migrate(owner_url) == [], "there is nothing to migrate for earlier code"
    with engine.connect() as connection:
        assert connection.execute(text("SELECT player_id, rung FROM players")).all() == [("ann", 7)]


def test_contracting_migration_excludes_earlier_code(owner_url: str, engine: Engine, later: LaterVersion):
    migrate(owner_url)
    with later.runs():
        assert migrate(owner_url, contract=True) == []
    with closing(open_store(owner_url)) as store:
        assert not store.ready()
    for refused in (migrate, refuse_unfit):
        with pytest.raises(UnknownMigration, match="migration 0003"):
            refused(owner_url)


def test_contracting_migration_is_refused_while_earlier_code_runs(owner_url: str, later: LaterVersion):
    migrate(owner_url)
    with closing(open_store(owner_url)) as store:
        outage_rows.beat(store, times.now(), "api-1", "api")
        process_rows.beat(store, "worker-1", "worker", 3_000, None)
        with later.runs():
            with pytest.raises(OlderCodeRuns, match="2 processes of an older version"):
                migrate(owner_url, contract=True)
            assert migrate(owner_url) == ["0003"]
            store.change(update(work_spans).values(to_ms=times.now() - 4_000))
            store.change(update(processes).values(until_ms=times.now() - 1))
            process_rows.beat(store, "worker-2", "worker", 3_000, None)
            assert migrate(owner_url, contract=True) == []


def test_code_refuses_schema_without_required_migration(owner_url: str, later: LaterVersion):
    migrate(owner_url)
    with closing(open_store(owner_url)) as store, later.runs(oldest_schema="0002"):
        assert not store.ready()
        with pytest.raises(NeedsMigration):
            refuse_unfit(owner_url, started=True)
        refuse_unfit(owner_url)
        migrate(owner_url)
        assert store.ready()


def test_migration_waits_for_long_transaction_without_blocking_others(
    bare: Database, later: LaterVersion, monkeypatch: pytest.MonkeyPatch
):
    """A backup reads `players` throughout, and statements queue behind the migration for half a second at most."""
    monkeypatch.setattr(events.store.migrate, "PAUSE_SECONDS", 0.2)
    migrate(bare.owner_url)
    made = create_engine(bare.owner_url, poolclass=NullPool)
    with later.runs(), ThreadPoolExecutor(1) as pool, made.connect() as backup, made.connect() as other:
        backup.execute(text("SELECT 1 FROM players"))
        migrating = pool.submit(migrate, bare.owner_url)
        slowest = 0.0
        for _ in range(20):
            start = time.monotonic()
            other.execute(text("SELECT 1 FROM players"))
            other.rollback()
            slowest = max(slowest, time.monotonic() - start)
            time.sleep(0.05)
        assert not migrating.done()
        backup.rollback()
        assert migrating.result(60) == ["0003"]
    assert slowest < 5, "the migration gave way"
