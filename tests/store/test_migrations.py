"""The schema that migrations make is the one that queries see; migrating twice, or two at once, is harmless."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect, select, text
from sqlalchemy.pool import NullPool

import events.store.migrate
from events.errors import HandleTaken
from events.notify import ledger
from events.notify.signatures import signing_old_secrets
from events.operations.audit import audit
from events.service import rulings
from events.store import tables
from events.store.migrate import MadeEarlier, current, migrate, refuse_earlier
from events.store.opening import open_store
from events.store.player_records import Player
from events.store.schema import (
    REVISION,
    checkpoint,
    commits,
    matches,
    metadata,
    rated_matches,
    rating_changes,
    rating_state,
    ratings,
    webhooks,
)
from tests.bound import Matches
from tests.laws.games import OF
from tests.service.whole_matches import WholeMatch, resigns
from tests.services import Database
from tests.store.commits import begin
from tests.store.earlier import migrate_to

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


def test_what_others_close_leaves_the_log_of_a_store_that_is_open(sqlite_path: Path):
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


def test_a_database_of_the_state_before_keeps_the_wishes_of_players_and_the_place_of_the_notices(
    owner_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    migrate_to("2026_11_2", owner_url, monkeypatch)
    assert not current(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO telling (player_id, near_seconds) VALUES ('ann', 60)")
        connection.exec_driver_sql("INSERT INTO checkpoint (name, xid, position) VALUES ('telling', 3, 7)")
    migrate(owner_url)
    assert current(engine)
    with closing(open_store(owner_url)) as store:
        assert ledger.near_seconds_of(store, "ann") == 60
        assert store.read(select(checkpoint.c.position).where(checkpoint.c.name == ledger.FOLLOWER)) == [(7,)]


def test_players_of_the_state_before_get_handles_made_from_their_names(
    owner_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    migrate_to("2026_11_6", owner_url, monkeypatch)
    names = {"ann": "Ann B.", "other": "Ann B.", "li": "李", "erased": None, "foreign": "Zoe"}
    rows = [
        {"id": player, "name": name, "token": player.encode() if player in ("ann", "other", "li") else None}
        for player, name in names.items()
    ]
    with engine.begin() as connection:
        made = "INSERT INTO players (player_id, name, token_hash, created_ms) VALUES (:id, :name, :token, 0)"
        connection.execute(text(made), rows)
    migrate(owner_url)
    with closing(open_store(owner_url)) as store:
        given = {player: one.handle for player, one in tables.player_rows.identities(store, names).items()}
        ann = given["ann"]
        assert ann is not None
        assert tables.player_rows.by_handle(store, ann) == Player("ann", "Ann B.", ann)
        with pytest.raises(HandleTaken):
            tables.player_rows.change(store, "other", None, ann)
    assert [(given[player] or "")[:-6] for player in names] == ["ann-b-", "ann-b-", "player-", "", ""]
    assert given["ann"] != given["other"]


def test_matches_that_were_annulled_before_lists_said_so_say_it_afterwards(owner_url: str, engine: Engine):
    migrate(owner_url)
    entry = OF["crazy_eights"][0]
    chosen = next(iter(entry.blocks.values()))[0]
    with closing(open_store(owner_url)) as store:
        played = [WholeMatch(store, entry, chosen, Random(n), kinds=("me", "me"), haste=True) for n in range(2)]
        for one in played:
            resigns(one)
        rulings.annul(played[0].matches, played[0].id, "It was “arranged”.")
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE checkpoint ADD COLUMN xid BIGINT NOT NULL DEFAULT 0")
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("DROP INDEX commits_follow")
            connection.exec_driver_sql("ALTER TABLE commits ADD COLUMN xid xid8 NOT NULL DEFAULT '7'")
        connection.exec_driver_sql("ALTER TABLE webhooks DROP COLUMN old_secrets")
        connection.exec_driver_sql("ALTER TABLE webhooks ADD COLUMN old_secret TEXT")
        connection.exec_driver_sql("ALTER TABLE webhooks ADD COLUMN old_until_ms BIGINT")
        connection.exec_driver_sql("ALTER TABLE rated_matches DROP COLUMN reading")
        for table, column in (("ratings", "lately"), ("ratings", "gifts"), ("ratings", "presents")):
            connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")
        for column in ("rated", "trusts"):
            connection.exec_driver_sql(f"ALTER TABLE rating_changes DROP COLUMN {column}")
        connection.exec_driver_sql("DROP TABLE rating_trusts")
        connection.exec_driver_sql("ALTER TABLE matches DROP COLUMN annulled")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '2026_11_17'")
    migrate(owner_url)
    with closing(open_store(owner_url)) as store:
        noted = dict(store.read(select(matches.c.match_id, matches.c.annulled)))
        assert noted == {played[0].id: "It was “arranged”.", played[1].id: None}
        found = [audit(store, one.id) for one in played]
        assert [check for one in found if one for check in one.checks if not check.ok] == []
        rulings.annul(Matches(store), played[1].id, "So was this.")
        assert dict(store.read(select(matches.c.match_id, matches.c.annulled)))[played[1].id] == "So was this."


def test_ratings_of_before_are_found_anew_in_the_logs(owner_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch):
    migrate_to("2026_11_18", owner_url, monkeypatch)
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO rated_matches VALUES (1, 1, 0, '{}')")
        connection.exec_driver_sql("INSERT INTO rating_changes VALUES (1, 'g:usual:live', '{}')")
        connection.exec_driver_sql("INSERT INTO ratings VALUES ('g:usual:live', 'ann', 1, 1, 1, 1, 1, 1, 0)")
        connection.exec_driver_sql("INSERT INTO rating_state VALUES (1, '4', 7, 1)")
        connection.exec_driver_sql("INSERT INTO checkpoint (name, xid, position) VALUES ('ratings', 3, 7)")
    migrate(owner_url)
    with closing(open_store(owner_url)) as store:
        assert [store.read(select(table)) for table in (rated_matches, rating_changes, ratings, checkpoint)] == [[]] * 4
        assert [tuple(row) for row in store.read(select(rating_state))] == [(1, "4", 9, 0)]


def test_a_webhooks_earlier_secret_still_signs_after_the_migration(
    owner_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    migrate_to("2026_11_20", owner_url, monkeypatch)
    columns = "webhook_id, player_id, url, host, events, secret, old_secret, old_until_ms, state, created_ms"
    made = f"INSERT INTO webhooks ({columns})"
    with engine.begin() as connection:
        connection.exec_driver_sql(f"{made} VALUES ('one', 'ann', '', '', '', 'new', 'old', 7, 'enabled', 1)")
        connection.exec_driver_sql(f"{made} VALUES ('two', 'ann', '', '', '', 'first', NULL, NULL, 'enabled', 1)")
    migrate(owner_url)
    with closing(open_store(owner_url)) as store:
        kept = {row.webhook_id: row.old_secrets for row in store.read(select(webhooks))}
    assert {name: signing_old_secrets(old, 6) for name, old in kept.items()} == {"one": [("old", 7)], "two": []}


def test_two_who_migrate_at_once(owner_url: str, engine: Engine):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: migrate(owner_url), range(4)))
    assert current(engine)


def test_the_newest_migration_is_the_one_the_code_names():
    config = Config()
    config.set_main_option("script_location", str(Path(events.store.migrate.__file__).with_name("migrations")))
    assert ScriptDirectory.from_config(config).get_current_head() == REVISION


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


def test_there_are_no_other_tables(owner_url: str, engine: Engine):
    migrate(owner_url)
    names = set(inspect(engine).get_table_names())
    assert names == {table.name for table in metadata.sorted_tables} | {"alembic_version"}


def test_a_database_of_an_earlier_state_is_refused_and_left_alone(owner_url: str, engine: Engine):
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num text)")
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES ('0009')")
    with pytest.raises(MadeEarlier, match=r"migration 0009.*Name an empty database"):
        migrate(owner_url)
    assert inspect(engine).get_table_names() == ["alembic_version"]
    with pytest.raises(MadeEarlier):
        refuse_earlier(owner_url)


def test_no_other_database_is_refused(owner_url: str):
    refuse_earlier(owner_url)
    migrate(owner_url)
    refuse_earlier(owner_url)
    refuse_earlier("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
