"""The command `dealt`, but for what serves."""

import json
import re

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, delete
from sqlalchemy.pool import NullPool

from api.cli.database import shown
from api.cli.main import _all_in_one, look_round, main
from events.settings import Settings
from events.store import tables
from events.store.opening import open_store
from events.store.records import (
    DueRow,
    Projected,
    ResultRow,
    TurnRow,
)
from events.store.schema import deal_groups
from tests.driven import begin, matches, now  # noqa: F401 -- fixtures
from tests.service.test_groups import ANN, asked, places
from tests.workers.conftest import store  # noqa: F401 -- a fixture
from workers.tasks.bot_turns import play

COMMANDS = [
    "serve",
    "api",
    "worker",
    "scheduler",
    "audit",
    "migrate",
    "projections",
    "projections rebuild",
    "import",
    "settings",
    "replay",
    "bench",
]


@pytest.fixture
def dealt(sqlite_path, monkeypatch):
    monkeypatch.setattr("api.http.logs.set_up", lambda level: None)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{sqlite_path}")
    monkeypatch.delenv("BROKER_URL", raising=False)
    return lambda *args: CliRunner().invoke(main, args)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(command, dealt):
    shown = dealt(*command.split(), "--help")
    assert shown.exit_code == 0
    assert shown.output.startswith(("Usage: ", "dealt bench"))


@pytest.mark.parametrize("command", ["worker", "scheduler"])
def test_wants_a_broker(command, dealt):
    refused = dealt(command)
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: BROKER_URL is not set")


def test_names_a_setting_that_is_wrong(dealt, monkeypatch):
    monkeypatch.setenv("DEALT_THREADS", "many")
    assert "DEALT_THREADS must be a whole number" in dealt("settings").output


def test_lists_settings_and_keeps_addresses_to_itself(dealt, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://me:secret@here/x")
    shown = dealt("settings").output
    assert "secret" not in shown
    assert re.search(r"^DEALT_THREADS = \d+\n    \w", shown, re.MULTILINE)


def test_migrates_again_and_again(dealt, sqlite_path):
    for _ in range(2):
        assert dealt("migrate").output == "The schema is up to date.\n"
    assert open_store(f"sqlite:///{sqlite_path}").ready()


def test_says_that_the_database_is_away(dealt, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://nobody:secret@127.0.0.1:1/x")
    refused = dealt("migrate")
    assert refused.exit_code == 1
    assert "cannot be brought up to date" in refused.output
    assert "secret" not in refused.output


@pytest.mark.parametrize(
    "command",
    ["serve", "api", "worker", "scheduler", "migrate", "projections rebuild", "audit x", "import x"],
)
def test_says_that_the_address_of_the_database_is_wrong(command, dealt, monkeypatch):
    monkeypatch.setenv("BROKER_URL", "amqp://localhost")
    for wrong in (
        "bogus",
        "sqlite:///",
        "mysql://me:secret@here/x",
        "postgresql+psycopg://me:secret@here:port/x",
        "postgresql+none://me:secret@here/x",
    ):
        monkeypatch.setenv("DATABASE_URL", wrong)
        refused = dealt(*command.split())
        assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
        assert "DATABASE_URL names no database that Dealt can use; write it like" in refused.output
        assert "secret" not in refused.output


@pytest.mark.parametrize("database", ["postgresql", "sqlite"])
def test_refuses_a_database_of_an_earlier_state(database, dealt, monkeypatch, sqlite_path, tmp_path, request):
    url = f"sqlite:///{sqlite_path}" if database == "sqlite" else request.getfixturevalue("bare").owner_url
    with create_engine(url, poolclass=NullPool).begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num text)")
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES ('0009')")
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("DEALT_DATA", str(tmp_path))
    monkeypatch.setenv("BROKER_URL", "amqp://localhost")
    for command in (
        "serve",
        "api",
        "worker",
        "scheduler",
        "migrate",
        "projections rebuild",
        "audit x",
        "import x",
    ):
        refused = dealt(*command.split())
        assert (refused.exit_code, refused.output.count("\n")) == (1, 1), command
        assert "was made by an earlier state of Dealt" in refused.output
        assert "Name an empty database; what is to be kept, export as records" in refused.output


@pytest.mark.parametrize("names", [(), ("match", "seats"), ("due",)])
def test_rebuilds_projections_to_the_same_rows(names, dealt, begin, matches, store):  # noqa: F811
    seen = [begin("me", "bot", "bot", "bot"), begin(*["bot"] * 4), begin("me", "open", "open", "open")]
    while play(matches, seen[1].match_id):
        pass
    play(matches, seen[0].match_id)

    def rows():
        asked = (
            tables.matches.row,
            tables.inbox.of_match,
            tables.pending.of_match,
            lambda store, _: tables.results.of_player(store, "ann"),
        )
        return [ask(store, one.match_no) for one in seen for ask in asked], tables.seats.of_matches(
            store, [s.match_no for s in seen]
        )

    before = rows()
    if not names:
        for one in seen:
            tables.projections.rebuild(store, one.match_no, rows_of_nothing)
        assert rows() != before
    assert "3 matches rebuilt" in dealt("projections", "rebuild", *names).output
    assert rows() == before


def rows_of_nothing(head, rows):
    """Give rows that no log has made."""
    return Projected(
        turns=[TurnRow(0, "ann", 1, 0)],
        results=[ResultRow(0, "ann", "hearts", 1, 0, 0)],
        due=[DueRow("bot", 0), DueRow("clock", 0)],
    )


def test_projections_need_a_database(dealt, sqlite_path):
    refused = dealt("projections", "rebuild")
    assert (refused.exit_code, refused.output[:7]) == (1, "Error: ")
    assert "dealt migrate" in refused.output
    assert str(sqlite_path) in refused.output


def test_serves_from_no_directory_that_cannot_be_made(dealt, tmp_path):
    (tmp_path / "file").touch()
    refused = dealt("serve", "--data", str(tmp_path / "file" / "data"))
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert "cannot be the data directory: Not a directory" in refused.output


def test_serve_says_where_everything_is_kept(tmp_path, sqlite_path):
    elsewhere = f"sqlite:///{sqlite_path}"
    for given, where in (
        (Settings(dealt_data=str(tmp_path)), str(tmp_path)),
        (Settings(dealt_data=str(tmp_path), database_url=elsewhere), elsewhere),
    ):
        served = _all_in_one(given, "http://here")
        served.app.extensions["dealt"].store.close()
        assert f"Everything is kept in {where}. Ctrl-C stops it." in served.greeting
    named = shown(Settings(database_url="postgresql+psycopg://me:secret@here/x?password=secret"))
    assert named == "postgresql+psycopg://me:***@here/x"


@pytest.mark.parametrize("sound", [True, False])
def test_warns_of_an_order_that_was_lost(store, matches, sound, monkeypatch, caplog):  # noqa: F811
    monkeypatch.setattr(store, "follow_is_sound", lambda: sound)
    look_round(store, matches)
    assert ("run `dealt migrate`" in caplog.text) == (not sound)


# --- Audits -------------------------------------------------------------------------------------------------


@pytest.fixture
def played(begin, matches, store):  # noqa: F811
    """Three matches, one of them over."""
    seen = [begin("me", "bot", "bot", "bot"), begin(*["bot"] * 4), begin("me", "open", "open", "open")]
    while play(matches, seen[1].match_id):
        pass
    return seen


def test_audits_a_match(dealt, played, store):  # noqa: F811
    match_id = played[1].match_id
    head = tables.streams.head(store, match_id)
    shown = dealt("audit", match_id)
    assert (shown.exit_code, shown.output.splitlines()[-1]) == (0, "All of it holds.")
    assert shown.output.count("✓") == 7
    told = json.loads(dealt("audit", match_id, "--json").output)
    assert (told["ok"], told["version"], told["head"]) == (True, head.version, head.head.hex())
    kept = f"{head.version}:{'0' * 64}"
    shown = dealt("audit", match_id, "--head", kept)
    assert shown.exit_code == 1
    assert f"✗ chain       Event {head.version}: The digest is not the head that was kept" in shown.output


def test_audits_of_what_is_not_there(dealt, played):
    shown = dealt("audit", "nothing")
    assert (shown.exit_code, shown.output) == (1, "There is no match nothing.\n")
    for wrong in ([], ["x", "--all"], ["--all", "--head", f"1:{'0' * 64}"], ["x", "--jobs", "2"]):
        assert dealt("audit", *wrong).exit_code == 2


def test_audits_all_matches_and_goes_on_where_it_was(dealt, played, matches, store, tmp_path):  # noqa: F811
    journal = tmp_path / "journal"
    shown = dealt("audit", "--all", "--jobs", "1", "--journal", str(journal))
    assert shown.exit_code == 0, shown.output
    assert "3 matches audited: " in shown.output
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert {line["id"]: line["version"] for line in lines} == {
        one.match_id: tables.streams.head(store, one.match_id).version for one in played
    }
    play(matches, played[0].match_id)
    journal.write_bytes(journal.read_bytes() + b'{"id":"cut of')
    again = dealt("audit", "--all", "--jobs", "1", "--journal", str(journal))
    assert (again.exit_code, "3 matches audited, 2 of them before: " in again.output) == (0, True)
    assert len(journal.read_text().splitlines()) == 5


def test_a_group_is_audited_and_rebuilt_with_its_tables(dealt, matches, store):  # noqa: F811
    made = matches.create_group(ANN, asked(), [places("me", "bot"), places("open", "bot")])
    group_id = made.group.group_id
    assert "3 streams audited: " in dealt("audit", "--all", "--jobs", "1").output
    assert f"deal group {group_id}, 1 events" in dealt("audit", group_id).output
    before = tables.deal_groups.find(store, group_id)
    store.change(delete(deal_groups))
    shown = dealt("audit", group_id)
    assert (shown.exit_code, "✗ projections" in shown.output) == (1, True)
    assert "1 deal_groups rebuilt" in dealt("projections", "rebuild", "deal_groups").output
    assert tables.deal_groups.find(store, group_id) == before
    assert dealt("audit", group_id).exit_code == 0


def test_a_journal_knows_what_was_there(dealt, played, tmp_path):
    """Another history, and a match that is gone, are told by the heads of an earlier audit."""
    journal = tmp_path / "journal"
    kept = {"ok": True, "failed": [], "head": "00" * 32}
    journal.write_bytes(
        b"".join(
            json.dumps({"id": name, "version": 1, **kept}).encode() + b"\n" for name in (played[0].match_id, "gone")
        )
    )
    shown = dealt("audit", "--all", "--jobs", "1", "--journal", str(journal))
    assert shown.exit_code == 1
    assert "chain: event 1: The digest is not the head that was kept" in shown.output
    assert "The journal lists it, and it is no longer there." in shown.output
    assert "2 matches failed" in shown.output


def test_lists_what_failed(dealt, played, store):  # noqa: F811
    tables.projections.rebuild(store, played[0].match_no, rows_of_nothing)
    shown = dealt("audit", "--all", "--jobs", "1")
    assert shown.exit_code == 1
    assert f"{played[0].match_id} (" in shown.output
    assert "✗ projections: event " in shown.output
    assert ", 1 match failed." in shown.output


def test_an_audit_of_all_ends_cleanly_when_interrupted(dealt, played, monkeypatch, tmp_path):
    def pressed(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("api.cli.audit.wait", pressed)
    shown = dealt("audit", "--all", "--jobs", "1", "--journal", str(tmp_path / "journal"))
    assert shown.exit_code == 130
    assert "Interrupted; the rest was not audited. Run it again to go on." in shown.output
    assert "Traceback" not in shown.output
