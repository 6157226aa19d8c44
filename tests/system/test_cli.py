"""The command `dealt`, but for what serves."""

import re

import pytest
from click.testing import CliRunner

from api.cli import check_order, main
from events.store import DueRow, Projected, ResultRow, TurnRow, open_store
from tests.workers.conftest import begin, matches, now, store  # noqa: F401 -- fixtures
from workers.bot_turns import play

COMMANDS = [
    "serve",
    "api",
    "worker",
    "scheduler",
    "migrate",
    "projections",
    "projections rebuild",
    "settings",
    "bench",
]


@pytest.fixture
def dealt(sqlite_path, monkeypatch):
    monkeypatch.setattr("api.logs.set_up", lambda level: None)
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


@pytest.mark.parametrize("names", [(), ("match", "seats"), ("due",)])
def test_rebuilds_projections_to_the_same_rows(names, dealt, begin, matches, store):  # noqa: F811
    seen = [begin("me", "bot", "bot", "bot"), begin(*["bot"] * 4), begin("me", "open", "open", "open")]
    while play(matches, seen[1].match_id):
        pass
    play(matches, seen[0].match_id)

    def rows():
        asked = (store.match_row, store.turn_rows, store.due_rows, lambda _: store.result_rows("ann"))
        return [ask(one.match_no) for one in seen for ask in asked], store.seat_rows(
            [s.match_no for s in seen]
        )

    before = rows()
    if not names:
        for one in seen:
            store.rebuild(one.match_no, rows_of_nothing)
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


@pytest.mark.parametrize("sound", [True, False])
def test_warns_of_an_order_that_was_lost(store, sound, monkeypatch, caplog):  # noqa: F811
    monkeypatch.setattr(store, "follow_is_sound", lambda: sound)
    check_order(store)
    assert ("run `dealt migrate`" in caplog.text) == (not sound)
