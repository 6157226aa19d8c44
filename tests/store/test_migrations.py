"""The schema that migrations make is the one that queries see; migrating twice, or two at once, is harmless."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect, text
from sqlalchemy.pool import NullPool

import events.store.migrate
from events.store.migrate import current, migrate
from events.store.opening import open_store
from events.store.records import Search
from events.store.schema import REVISION, commits, metadata
from tests.services import Database
from tests.store.commits import begin


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
        before = store.load("match-1")
        migrate(owner_url)
        assert store.load("match-1") == before


def test_two_who_migrate_at_once(owner_url: str, engine: Engine):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: migrate(owner_url), range(4)))
    assert current(engine)


def test_the_newest_migration_is_the_one_the_code_names():
    config = Config()
    config.set_main_option(
        "script_location", str(Path(events.store.migrate.__file__).with_name("migrations"))
    )
    assert ScriptDirectory.from_config(config).get_current_head() == REVISION


@pytest.mark.filterwarnings("ignore:Did not recognize type 'xid8'")
def test_the_tables_are_those_that_queries_see(owner_url: str, engine: Engine):
    migrate(owner_url)

    def all_but_how_commits_is_keyed(thing: object, name: str | None, kind: str, *_: object) -> bool:
        """PostgreSQL has the transaction's id there, and SQLite the position as its key."""
        return not (kind == "table" and name == "commits")

    with engine.connect() as connection:
        options = {"include_object": all_but_how_commits_is_keyed, "compare_type": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
        columns = {column["name"] for column in inspect(connection).get_columns("commits")}
    assert columns - {"xid"} == {column.name for column in commits.columns}


@pytest.mark.filterwarnings("ignore:Did not recognize type 'xid8'")
def test_there_are_no_other_tables(owner_url: str, engine: Engine):
    migrate(owner_url)
    names = set(inspect(engine).get_table_names())
    assert names == {table.name for table in metadata.sorted_tables} | {"alembic_version"}


def test_matches_that_are_there_already_can_be_searched(owner_url: str, monkeypatch: pytest.MonkeyPatch):
    """A partnership that has won, and a private match of its creator alone."""
    to_0002 = partial(command.upgrade, revision="0002")
    with monkeypatch.context() as before:
        before.setattr(command, "upgrade", lambda config, _: to_0002(config))
        migrate(owner_url)
    engine = create_engine(owner_url, poolclass=NullPool)
    with engine.begin() as connection:
        for statement in OF_EARLIER:
            connection.execute(text(statement))
    engine.dispose()
    migrate(owner_url)
    with closing(open_store(owner_url)) as store:

        def found(viewer: str | None, **wanted: Any) -> list[str]:
            return [row.match_id for row in store.list_matches(viewer, Search(**wanted)).rows]

        assert found(None, player="p2", result="won") == found(None, player="p0", result="won") == ["gin"]
        assert found(None, player="p1", result="lost") == ["gin"]
        assert found(None, game="gin_rummy", options={"preset": "club", "big": "null", "teams": "true"}) == [
            "gin"
        ]
        assert found("p0", game="gin_rummy", options={"preset": "club", "gin_bonus": "25"}) == ["gin"]
        assert (found("p1"), found("maker")) == (["gin"], ["gin", "own"])


OF_EARLIER = (
    "INSERT INTO stream (match_id, version, head, created_ms) VALUES ('own', 1, '', 1)",
    "INSERT INTO stream (match_id, version, head, created_ms) VALUES ('gin', 1, '', 2)",
    (
        "INSERT INTO matches (match_no, match_id, game, status, visibility, creator, options, created_ms, ended_ms)"
        " VALUES (1, 'own', 'hearts', 'playing', 'private', 'maker', '{}', 1, NULL), (2, 'gin', 'gin_rummy', 'finished',"
        " 'public', 'maker', '{\"big\"\\:null,\"gin_bonus\"\\:25,\"teams\"\\:true}', 2, 3)"
    ),
    *[
        f'INSERT INTO commits (match_no, first, n, at_ms, events) VALUES ({no}, 1, 1, 1, \'[{{"data"\\:{{"preset"\\:{preset}}}}}]\')'
        for no, preset in ((1, "null"), (2, '"club"'))
    ],
    *[
        f"INSERT INTO seats (match_no, seat, kind, player_id, live) VALUES (2, {s}, 'player', 'p{s}', false)"
        for s in range(4)
    ],
    *[
        f"INSERT INTO results (match_no, seat, player_id, game, place, score, ended_ms)"
        f" VALUES (2, {s}, 'p{s}', 'gin_rummy', {1 + s % 2}, 0, 3)"
        for s in range(4)
    ],
)
