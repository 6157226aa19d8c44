"""The schema that migrations make is the one that queries see; migrating twice, or two at once, is harmless."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Dialect, Engine, create_engine, inspect, text
from sqlalchemy.pool import NullPool

import events.store.migrate
from events.store import tables
from events.store.migrate import MIGRATIONS, UnknownMigration, current, migrate, refuse_unknown
from events.store.opening import open_store
from events.store.schema import (
    REVISIONS,
    commits,
    metadata,
)
from events.store.sql_files import FOLDER
from tests.services import Database
from tests.store.commits import begin
from tests.store.migration_sql import DIALECTS, tables_sql

pytestmark = pytest.mark.both_databases


@pytest.fixture(params=["postgresql", "sqlite"])
def owner_url(request: pytest.FixtureRequest) -> str:
    """The owner's address of a database in which there is nothing yet."""
    if request.param == "sqlite":
        return f"sqlite:///{request.getfixturevalue('sqlite_path')}"
    bare: Database = request.getfixturevalue("bare")
    return bare.owner_url


@pytest.fixture
def engine(owner_url: str) -> Iterator[Engine]:
    made = create_engine(owner_url, poolclass=NullPool)
    yield made
    made.dispose()


def test_an_empty_database_is_not_ready(owner_url: str, engine: Engine):
    with closing(open_store(owner_url)) as store:
        assert not store.ready()
        assert not current(engine)
        migrate(owner_url)
        assert current(engine)
        assert store.ready()


def test_a_database_of_another_version_is_not_ready(owner_url: str, engine: Engine):
    migrate(owner_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert not current(engine)


def test_a_database_that_cannot_be_reached_is_not_ready(tmp_path: Path):
    with closing(open_store("postgresql+psycopg://nobody@127.0.0.1:1/nothing")) as store:
        assert not store.ready()
    with closing(open_store(f"sqlite:///{tmp_path}/no/such/folder/x")) as store:
        assert not store.ready()


def test_migrating_again_keeps_everything(owner_url: str):
    migrate(owner_url)
    with closing(open_store(owner_url)) as store:
        begin(store)
        before = tables.stream_rows.load(store, "match-1")
        migrate(owner_url)
        assert tables.stream_rows.load(store, "match-1") == before


def test_closing_another_store_keeps_the_open_log(sqlite_path: Path):
    """A process that migrates with a store open keeps its locks: no other one may delete its write-ahead log."""
    url = f"sqlite:///{sqlite_path}"
    with closing(open_store(url)) as store:
        assert not store.is_current()
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


def test_two_concurrent_migrations_succeed(owner_url: str, engine: Engine):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: migrate(owner_url), range(4)))
    assert current(engine)


def test_migrations_are_those_that_the_code_names():
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(found)) == REVISIONS


def test_the_tables_are_those_that_queries_see(owner_url: str, engine: Engine):
    migrate(owner_url)

    def all_but_how_commits_is_keyed(thing: object, name: str | None, kind: str, *_: object) -> bool:
        """SQLite has the position as its key there."""
        return not (kind == "table" and name == "commits")

    with engine.connect() as connection:
        options = {"include_object": all_but_how_commits_is_keyed, "compare_type": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
        columns = {column["name"] for column in inspect(connection).get_columns("commits")}
    assert columns == {column.name for column in commits.columns}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_first_migration_makes_tables_as_schema_describes_them(dialect: Dialect):
    written = (FOLDER / f"0001_tables_{dialect.name}.sql").read_text()
    assert written == tables_sql(dialect), "`python -m tests.store.migration_sql` writes it anew"


def test_there_are_no_other_tables(owner_url: str, engine: Engine):
    migrate(owner_url)
    names = set(inspect(engine).get_table_names())
    assert names == {table.name for table in metadata.sorted_tables} | {"alembic_version"}


def test_database_of_another_version_is_refused_unchanged(owner_url: str, engine: Engine):
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num text)")
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES ('0099')")
    with pytest.raises(UnknownMigration, match=r"migration 0099.*name an empty database"):
        migrate(owner_url)
    assert inspect(engine).get_table_names() == ["alembic_version"]
    with pytest.raises(UnknownMigration):
        refuse_unknown(owner_url)


def test_database_without_a_migration_or_with_todays_is_not_refused(owner_url: str):
    refuse_unknown(owner_url)
    migrate(owner_url)
    refuse_unknown(owner_url)
    refuse_unknown("postgresql+psycopg://nobody@127.0.0.1:1/nothing")


SECOND = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade():
    op.add_column("players", sa.Column("rung", sa.Integer, nullable=False, server_default="7"))
"""


def test_second_migration_keeps_what_is_there_and_earlier_code_refuses_the_database(
    owner_url: str, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Add a synthetic migration to those that there are."""
    migrate(owner_url)
    with closing(open_store(owner_url)) as store:
        begin(store)
        before = tables.stream_rows.load(store, "match-1")
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO players (player_id, name, created_ms) VALUES ('ann', 'Ann', 0)")
    later = Path(shutil.copytree(MIGRATIONS, tmp_path / "migrations"))
    (later / "versions" / "0002_rung.py").write_text(SECOND)
    with monkeypatch.context() as patched:
        patched.setattr(events.store.migrate, "MIGRATIONS", later)
        patched.setattr(events.store.migrate, "REVISIONS", (*REVISIONS, "0002"))
        assert not current(engine)
        migrate(owner_url)
        assert current(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT player_id, rung FROM players")).all() == [("ann", 7)]
    with closing(open_store(owner_url)) as store:
        assert tables.stream_rows.load(store, "match-1") == before
    with pytest.raises(UnknownMigration, match="migration 0002"):
        migrate(owner_url)
