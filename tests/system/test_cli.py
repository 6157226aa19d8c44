"""Tests the command `dealt`, except serving."""

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click import ClickException
from click.testing import CliRunner
from sqlalchemy import create_engine, delete, insert
from sqlalchemy.pool import NullPool

from api.cli.database import safe_url, with_usable_database
from api.cli.main import AUDIENCES, main
from api.cli.service_commands import all_in_one
from api.cli.start_checks import alone_in
from events.errors import Unavailable
from events.settings import Settings, settings
from events.store.opening import open_store
from events.store.player_records import RatingRow
from events.store.records import DueRow, Projected, ResultRow, TurnRow
from events.store.schema.match_schema import deal_groups
from events.store.schema.tournament_schema import ratings
from events.store.tables import (
    deal_group_rows,
    inbox_rows,
    match_rows,
    pending_rows,
    player_rows,
    projection_rows,
    seat_rows,
    stream_rows,
)
from tests.driven import begin, matches, now  # noqa: F401 -- fixtures
from tests.recorded import FINISHED
from tests.service.test_groups import ANN, asked, places
from tests.store.result_rows import read_results
from tests.workers.conftest import store  # noqa: F401 -- a fixture
from workers.tasks.bot_turn_tasks import play_bot_turns

DEALT = Path(sys.executable).with_name("dealt")

COMMANDS = [
    "serve",
    "api",
    "worker",
    "scheduler",
    "audit",
    "archive",
    "backup",
    "restore",
    "migrate",
    "projections",
    "projections rebuild",
    "import",
    "keys",
    "keys list",
    "keys rotate",
    "matches",
    "matches annul",
    "settings",
    "ratings",
    "ratings flagged",
    "replay",
    "bench",
]


@pytest.fixture
def dealt(sqlite_path, monkeypatch):
    monkeypatch.setattr("api.http.log_setup.set_up_logging", lambda *_: None)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{sqlite_path}")
    monkeypatch.delenv("BROKER_URL", raising=False)
    return lambda *args: CliRunner().invoke(main, args)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_printed(command, dealt):
    shown = dealt(*command.split(), "--help")
    assert shown.exit_code == 0
    assert shown.output.startswith(("Usage: ", "dealt bench"))


def test_help_lists_each_command_for_one_audience_in_one_line(dealt):
    names = [name for row in AUDIENCES.values() for name in row]
    assert sorted(names) == main.list_commands(click.Context(main))
    lines = dealt("--help").output.splitlines()
    for name in names:
        (line,) = (line for line in lines if line.startswith(f"  {name} "))
        assert line.endswith(".")
        assert not line.endswith("...")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_80_columns_and_cuts_no_summary(command, dealt):
    lines = dealt(*command.split(), "--help").output.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line.startswith("  ") and line.endswith("...")] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_an_example(command, dealt):
    assert (
        isinstance(named(command), click.Group)
        or f"Example: dealt {command}" in dealt(*command.split(), "--help").output
    )


def named(command):
    """Return the command with these words."""
    found = main
    for name in command.split():
        found = found.get_command(click.Context(found), name)
    return found


NOT_ADMITTED = "The game of mine, entry point mine is not admitted. It is no Game."


@pytest.fixture
def refused_game(monkeypatch):
    monkeypatch.setattr("domain.games.catalogue.REFUSED", [NOT_ADMITTED])


@pytest.mark.parametrize("command", ["serve", "api", "worker", "scheduler"])
def test_services_refuse_to_start_with_an_unadmitted_game(command, dealt, refused_game):
    refused = dealt(command)
    assert (refused.exit_code, refused.output) == (1, f"Error: {NOT_ADMITTED}\n")


@pytest.mark.parametrize("command", [*COMMANDS, "cards", "play", "verify"])
def test_help_works_while_a_game_is_not_admitted(command, dealt, refused_game):
    shown = dealt(*command.split(), "--help")
    assert (shown.exit_code, shown.stdout[:6]) == (0, "Usage:" if command != "bench" else "dealt ")


@pytest.mark.long
def test_other_games_can_be_read_and_verified_while_a_game_is_not_admitted(dealt, refused_game, played, tmp_path):
    record, made = tmp_path / "record.json", FINISHED["hearts"]().record()
    record.write_text(json.dumps(made))
    head = f"{made['match']['version']}:{made['match']['head']}"
    for command in (["verify", str(record), "--head", head], ["settings"], ["audit", "--all", "--jobs", "1"]):
        shown = dealt(*command)
        assert (shown.exit_code, shown.stderr.splitlines()[0]) == (0, f"Warning: {NOT_ADMITTED}")
        assert NOT_ADMITTED not in shown.stdout


@pytest.mark.parametrize("command", ["worker", "scheduler"])
def test_broker_commands_need_a_broker_url(command, dealt):
    refused = dealt(command)
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: BROKER_URL is not set")


def test_invalid_setting_is_named(dealt, monkeypatch):
    monkeypatch.setenv("DEALT_THREADS", "many")
    assert "DEALT_THREADS must be a whole number" in dealt("settings").output


def test_settings_are_listed_without_addresses(dealt, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://me:secret@here/x")
    shown = dealt("settings").output
    assert "secret" not in shown
    assert re.search(r"^DEALT_THREADS = \d+\n    \w", shown, re.MULTILINE)


def test_migration_can_be_repeated(dealt, sqlite_path):
    for _ in range(2):
        assert dealt("migrate").output.endswith(" is up to date.\n")
    assert open_store(f"sqlite:///{sqlite_path}").ready()


def test_unreachable_database_is_reported(dealt, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql+psycopg://nobody:secret@127.0.0.1:1/x")
    refused = dealt("migrate")
    assert refused.exit_code == 1
    assert "cannot be migrated" in refused.output
    assert re.search(r"\w[.?]\n$", refused.output)
    assert refused.output.count("\n") == 1
    assert "secret" not in refused.output


@pytest.mark.parametrize(
    "command",
    ["serve", "api", "worker", "scheduler", "migrate", "projections rebuild", "audit x", "import x"],
)
def test_invalid_database_url_is_reported(command, dealt, monkeypatch):
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
        assert "DATABASE_URL is not the URL of a database that Dealt can use. Write it like" in refused.output
        assert "secret" not in refused.output


@pytest.mark.parametrize("database", ["postgresql", "sqlite"])
def test_database_of_another_version_is_refused(database, dealt, monkeypatch, sqlite_path, tmp_path, request):
    url = f"sqlite:///{sqlite_path}" if database == "sqlite" else request.getfixturevalue("bare").owner_url
    with create_engine(url, poolclass=NullPool).begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num text)")
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES ('0099')")
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
        assert "was made by another version of Dealt" in refused.output
        assert "or name an empty database" in refused.output


@pytest.mark.parametrize("names", [(), ("match", "seats"), ("due",)])
def test_rebuilt_projections_have_the_same_rows(names, dealt, begin, matches, store):  # noqa: F811
    seen = [begin("me", "bot", "bot", "bot"), begin(*["bot"] * 4), begin("me", "open", "open", "open")]
    while play_bot_turns(matches, seen[1].match_id):
        pass
    play_bot_turns(matches, seen[0].match_id)

    def rows():
        asked = (
            match_rows.row,
            inbox_rows.read_turns,
            pending_rows.read_pending,
            lambda store, _: read_results(store, "ann"),
        )
        return [ask(store, one.match_no) for one in seen for ask in asked], seat_rows.of_matches(
            store, [s.match_no for s in seen]
        )

    before = rows()
    if not names:
        for one in seen:
            projection_rows.rebuild(store, one.match_no, rows_of_nothing)
        assert rows() != before
    assert "3 matches rebuilt" in dealt("projections", "rebuild", *names).output
    assert rows() == before


def rows_of_nothing(head, rows):
    """Insert rows without a log; return them."""
    return Projected(
        turns=[TurnRow(0, "ann", 1, 0)],
        results=[ResultRow(0, "ann", "hearts", 1, 0, 0)],
        due=[DueRow("bot", 0), DueRow("clock", 0)],
    )


def test_rebuilding_projections_needs_a_database(dealt, sqlite_path):
    refused = dealt("projections", "rebuild")
    assert (refused.exit_code, refused.output[:7]) == (1, "Error: ")
    assert "dealt migrate" in refused.output
    assert str(sqlite_path) in refused.output


def test_serve_refuses_a_directory_that_cannot_be_created(dealt, tmp_path):
    (tmp_path / "file").touch()
    refused = dealt("serve", "--data", str(tmp_path / "file" / "data"))
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert "cannot be used as the data directory: Not a directory" in refused.output


def test_serve_prints_its_data_directory(tmp_path, sqlite_path):
    elsewhere = f"sqlite:///{sqlite_path}"
    for given, where in (
        (Settings(dealt_data=str(tmp_path)), str(tmp_path)),
        (Settings(dealt_data=str(tmp_path), database_url=elsewhere), elsewhere),
    ):
        served = all_in_one(given, "http://here")
        served.app.extensions["dealt"].store.close()
        assert f"All data is in {where}. Press Ctrl-C to stop." in served.greeting
    named = safe_url(Settings(database_url="postgresql+psycopg://me:secret@here/x?password=secret"))
    assert named == "postgresql+psycopg://me:***@here/x"


# --- Audits -------------------------------------------------------------------------------------------------


@pytest.fixture
def played(begin, matches, store):  # noqa: F811
    """Create three matches, one of them finished."""
    seen = [begin("me", "bot", "bot", "bot"), begin(*["bot"] * 4), begin("me", "open", "open", "open")]
    while play_bot_turns(matches, seen[1].match_id):
        pass
    return seen


def test_suspicious_players_are_listed(dealt, store):  # noqa: F811
    assert dealt("ratings", "flagged").output == "No player is flagged.\n"
    player_rows.add_player(store, "ann", "Ann", b"a", 0, "ann")
    rows = [
        RatingRow("g:usual:live", player, 1500, 500, 500, 9, 1, 0, n, "0221222", gifts, "0022222")
        for player, n, gifts in (("ann", 6, 0), ("bob", 0, 0), ("cem", 17, 0), ("dan", 0, 5))
    ]
    with store.engine.begin() as connection:
        connection.execute(insert(ratings), [row._asdict() for row in rows])
    said = dealt("ratings", "flagged").output.splitlines()
    assert [line.partition(",")[0] for line in said] == [
        "cem  g:usual:live  17 quick losses", "ann  g:usual:live  6 quick losses", "dan  g:usual:live  0 quick losses",
    ]  # fmt: skip
    assert "latest 7 matches: 5 resigned, 1 lost early, 5 handed to the player" in said[0]
    assert "5 wins handed over in all" in said[2]
    as_json = [json.loads(line) for line in dealt("ratings", "flagged", "--json").output.splitlines()]
    assert [(one["player"], one["handle"], one["quick_losses"], one["gifts"]) for one in as_json] == [
        ("cem", None, 17, 0),
        ("ann", "ann", 6, 0),
        ("dan", None, 0, 5),
    ]
    assert as_json[0]["latest"] == {"matches": 7, "lost": 1, "given_up": 5, "gifts": 5}


def test_match_can_be_voided_once(dealt, played, store):  # noqa: F811
    running, over = played[0].match_id, played[1].match_id
    version = stream_rows.head(store, over).version
    done = dealt("matches", "annul", over, "--reason", "A test\n of  ours.")
    assert (done.exit_code, done.output) == (0, f"The match {over} was voided by event {version + 1}.\n")
    assert '"A test of ours."' in stream_rows.rows(store, stream_rows.head(store, over).match_no)[-1].events
    for match_id, why in ((over, "only once"), (running, "only once"), ("0" * 20, "no match"), ("x", "no match")):
        refused = dealt("matches", "annul", match_id, "--reason", "Once more.")
        assert (refused.exit_code, why in refused.output) == (1, True)
    for reason in ("", " ", "x" * 201, "\x1b[2J"):
        assert dealt("matches", "annul", over, "--reason", reason).exit_code == 1
    assert dealt("audit", over).output.splitlines()[-1] == "All checks passed."


def test_audit_command_audits_a_match(dealt, played, store):  # noqa: F811
    match_id = played[1].match_id
    head = stream_rows.head(store, match_id)
    shown = dealt("audit", match_id)
    assert (shown.exit_code, shown.output.splitlines()[-1]) == (0, "All checks passed.")
    held = [line.split()[1] for line in shown.output.splitlines() if line.strip().startswith("✓")]
    assert held == ["chain", "seals", "shuffles", "rules", "result", "moves", "codes", "projections"]
    answer = json.loads(dealt("audit", match_id, "--json").output)
    assert (answer["ok"], answer["version"], answer["head"]) == (True, head.version, head.head.hex())
    kept = f"{head.version}:{'0' * 64}"
    shown = dealt("audit", match_id, "--head", kept)
    assert shown.exit_code == 1
    assert f"✗ chain       Event {head.version}: The digest differs from the head that you kept" in shown.output


def test_audit_of_a_missing_match_fails(dealt, played):
    shown = dealt("audit", "nothing")
    assert (shown.exit_code, shown.output) == (1, "There is no match nothing.\n")
    for wrong in ([], ["x", "--all"], ["--all", "--head", f"1:{'0' * 64}"], ["x", "--jobs", "2"]):
        assert dealt("audit", *wrong).exit_code == 2


@pytest.mark.long
def test_audit_command_resumes_an_audit_of_all_matches(dealt, played, matches, store, tmp_path):  # noqa: F811
    journal = tmp_path / "journal"
    shown = dealt("audit", "--all", "--jobs", "1", "--journal", str(journal))
    assert shown.exit_code == 0, shown.output
    assert "3 matches audited: " in shown.output
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert {line["id"]: line["version"] for line in lines} == {
        one.match_id: stream_rows.head(store, one.match_id).version for one in played
    }
    play_bot_turns(matches, played[0].match_id)
    journal.write_bytes(journal.read_bytes() + b'{"id":"cut of')
    again = dealt("audit", "--all", "--jobs", "1", "--journal", str(journal))
    assert (again.exit_code, "3 matches audited, 2 of them in earlier runs: " in again.output) == (0, True)
    assert len(journal.read_text().splitlines()) == 5


@pytest.mark.long
def test_group_can_be_audited_and_rebuilt_with_its_tables(dealt, matches, store):  # noqa: F811
    made = matches.create_group(ANN, asked(), [places("me", "bot"), places("open", "bot")])
    group_id = made.group.group_id
    assert "3 streams audited: " in dealt("audit", "--all", "--jobs", "1").output
    assert f"deal group {group_id}, 1 events" in dealt("audit", group_id).output
    before = deal_group_rows.find_deal_group(store, group_id)
    store.change(delete(deal_groups))
    shown = dealt("audit", group_id)
    assert (shown.exit_code, "✗ projections" in shown.output) == (1, True)
    assert "1 deal_groups rebuilt" in dealt("projections", "rebuild", "deal_groups").output
    assert deal_group_rows.find_deal_group(store, group_id) == before
    assert dealt("audit", group_id).exit_code == 0


@pytest.mark.long
def test_audit_journal_finds_deleted_matches(dealt, played, tmp_path):
    """The heads of an earlier audit reveal a changed history and a missing match."""
    journal = tmp_path / "journal"
    kept = {"ok": True, "failed": [], "head": "00" * 32}
    journal.write_bytes(
        b"".join(
            json.dumps({"id": name, "version": 1, **kept}).encode() + b"\n" for name in (played[0].match_id, "gone")
        )
    )
    shown = dealt("audit", "--all", "--jobs", "1", "--journal", str(journal))
    assert shown.exit_code == 1
    assert "chain: event 1: The digest differs from the head that you kept" in shown.output
    assert "It is in the journal, but no longer in the database." in shown.output
    assert "2 matches failed" in shown.output


@pytest.mark.long
def test_matches_with_failed_work_are_listed(dealt, played, store):  # noqa: F811
    projection_rows.rebuild(store, played[0].match_no, rows_of_nothing)
    shown = dealt("audit", "--all", "--jobs", "1")
    assert shown.exit_code == 1
    assert f"{played[0].match_id} (" in shown.output
    assert "✗ projections: event " in shown.output
    assert ", 1 match failed." in shown.output


@pytest.mark.long
def test_an_audit_of_all_ends_cleanly_when_interrupted(dealt, played, monkeypatch, tmp_path):
    def pressed(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("api.cli.audit_all.wait", pressed)
    shown = dealt("audit", "--all", "--jobs", "1", "--journal", str(tmp_path / "journal"))
    assert shown.exit_code == 130
    assert "Interrupted: the remaining streams were not audited. Run it again to continue." in shown.output
    assert "Traceback" not in shown.output


@pytest.mark.parametrize("wrong", ["http://x", "localhost", "amqp://h:port", "sqs://x", "redis://///", "redis://h/x"])
@pytest.mark.parametrize("command", ["serve", "api", "worker", "scheduler"])
def test_invalid_broker_url_is_reported(command, wrong, dealt, monkeypatch, tmp_path):
    monkeypatch.setenv("BROKER_URL", wrong)
    monkeypatch.setenv("DEALT_DATA", str(tmp_path))
    refused = dealt(command)
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert refused.output.startswith("Error: BROKER_URL is not the URL of a broker that Dealt can use")


def test_unknown_setting_is_refused_with_a_suggestion(dealt, monkeypatch):
    monkeypatch.setenv("DEALT_TREADS", "4")
    refused = dealt("settings")
    assert refused.exit_code == 1
    assert refused.output == "Error: DEALT_TREADS is not a setting; did you mean DEALT_THREADS?\n"
    monkeypatch.delenv("DEALT_TREADS")
    monkeypatch.setenv("DEALT_TOKEN", "a player's own")
    assert dealt("settings").exit_code == 0


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("DATABSE_URL", "DATABASE_URL"),
        ("DATABASE_ULR", "DATABASE_URL"),
        ("DATABASEURL", "DATABASE_URL"),
        ("DATABASE_UR", "DATABASE_URL"),
        ("database_url", "DATABASE_URL"),
        ("BROKEN_URL", "BROKER_URL"),
        ("BROOKER_URL", "BROKER_URL"),
        ("MIGRATIONS_DATABASE_URL", "MIGRATION_DATABASE_URL"),
        ("DAELT_DATA", "DEALT_DATA"),
        ("dealt_data", "DEALT_DATA"),
    ],
)
def test_misspelt_setting_is_refused(wrong, meant):
    with pytest.raises(ValueError, match=f"^{wrong} is not a setting; did you mean {meant}[?]$"):
        settings({wrong: "sqlite:///x"})


def test_similar_variable_is_accepted_if_the_setting_is_set_too():
    assert settings({"DATABASES_URL": "x", "DATABASE_URL": "sqlite:///y"}).url == "sqlite:///y"


@pytest.mark.parametrize(
    "name",
    ["PGDATABASE", "DATABASE_URLS", "DATABASE_URI", "DATABASE2_URL", "_DATABASE_URL", "SHADOW_DATABASE_URL", "DB_URL",
     "TEST_DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "BROKER_URLS", "DATABASE", "DELTA_DATA"],
)  # fmt: skip
def test_foreign_environment_variables_are_ignored(name):
    assert settings({name: "postgresql://elsewhere/another"}) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEALT_MAX_BODY", "0"),
        ("DEALT_READ_SECONDS", "0"),
        ("DEALT_BOTS_AT_ONCE", "0"),
        ("DEALT_RATE_PER_SECOND", "9" * 20),
        ("DEALT_MATCHES_AN_HOUR", "9" * 5_000),
    ],
)
def test_unusable_number_is_refused(name, value):
    with pytest.raises(ValueError, match=f"^{name} must (be a number from|have at most)"):
        settings({name: value})


def test_default_database_that_cannot_be_migrated_is_reported_as_unnamed(dealt, monkeypatch, tmp_path):
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("DEALT_DATA", str(tmp_path / "none"))
    file = f"sqlite:///{tmp_path}/none/dealt.sqlite3"
    refused = dealt("migrate")
    assert refused.exit_code == 1
    assert refused.output.startswith(f"Error: {file} (DATABASE_URL is not set) cannot be migrated: ")


def test_migrate_names_the_database(dealt, monkeypatch, tmp_path):
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("DEALT_DATA", str(tmp_path))
    named = f"sqlite:///{tmp_path}/dealt.sqlite3 (DATABASE_URL is not set)"
    assert dealt("migrate").output == f"The schema of {named} is up to date.\n"


@pytest.mark.parametrize(
    "command", ["api", "worker", "scheduler", "audit --all", "import x", "backup x", "projections rebuild"]
)
def test_database_is_created_only_if_it_is_named(command, dealt, monkeypatch, tmp_path):
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("DEALT_DATA", str(tmp_path))
    monkeypatch.setenv("BROKER_URL", "amqp://localhost")
    refused = dealt(*command.split())
    assert refused.exit_code == 1
    assert refused.output == (
        f"Error: DATABASE_URL is not set, and there is no {tmp_path}/dealt.sqlite3, the database of `dealt serve`.\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command", ["serve", "api", "worker", "scheduler", "migrate", "audit --all", "import x", "backup x"]
)
def test_error_names_a_file_that_is_not_a_database(command, dealt, monkeypatch, tmp_path):
    monkeypatch.setenv("BROKER_URL", "amqp://localhost")
    monkeypatch.setenv("DEALT_DATA", str(tmp_path / "data"))
    (tmp_path / "garbage").write_bytes(bytes(range(256)) * 9)
    for file in (tmp_path / "garbage", tmp_path):
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
        refused = dealt(*command.split())
        assert (refused.exit_code, refused.output) == (1, f"Error: sqlite:///{file} is not an SQLite database.\n")


@pytest.mark.parametrize("given", [b"\xff\xfe", b"[{}]", b""])
def test_invalid_keys_are_reported_before_start(given, dealt, tmp_path):
    (tmp_path / "keys.json").write_bytes(given)
    for command in ("keys list", "keys rotate", "serve --port 0"):
        refused = dealt(*command.split(), "--data", str(tmp_path))
        assert refused.exit_code == 1
        assert refused.output == "Error: The signing keys are not in the form that `dealt keys rotate` writes.\n"


@pytest.mark.parametrize(
    ("setting", "wrong", "why"),
    [
        ("DEALT_THREADS", "0", "a number from 1"),
        ("DEALT_PROCESSES", "0", "a number from 1"),
        ("DEALT_RATE_STORAGE", "foo://x", "memory://, or"),
        ("DEALT_RATE_STORAGE", "redis://///", "memory://, or"),
        ("DEALT_PUBLIC_URL", "cards.example", "an address like https://cards.example"),
        ("DEALT_MAIL_TLS", "ssl", "starttls, tls or none"),
        ("DEALT_MAIL_HOST", "mail.example", "no mail is sent without them"),
        ("DEALT_MAIL_PORT", "0", "a number from 1 to 65535"),
        ("DEALT_MAIL_PORT", "65536", "a number from 1 to 65535"),
        ("DEALT_MAIL_FROM", "nonsense", "one address"),
        ("DEALT_MAIL_FROM", "Dealt, cards <cards@cards.example>", "one address"),
        ("DEALT_MAIL_FROM", "Dealt cards@cards.example", "one address"),
        ("DEALT_MAIL_FROM", "cards@cards.example\r\nBcc: a@b.example", "one address"),
        ("DEALT_WEBHOOK_NETWORKS", "zzz", "does not appear to be"),
        ("DEALT_WEBHOOK_PORTS", "a-b", "must be ports and ranges"),
        ("DEALT_SERVER_NAME", "two words", "letters, digits"),
    ],
)
def test_invalid_setting_is_reported_before_start(setting, wrong, why, dealt, monkeypatch):
    monkeypatch.setenv(setting, wrong)
    refused = dealt("api", "--port", "0")
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert setting in refused.output
    assert why in refused.output


@pytest.mark.parametrize("sender", ["cards@cards.example", '"Dealt, at home" <cards@localhost>', "Dält <c@x.example>"])
def test_mail_sender_can_have_a_name(sender):
    assert settings({"DEALT_MAIL_FROM": sender, "DEALT_MAIL_PORT": "65535"}).dealt_mail_from == sender


@pytest.mark.parametrize("command", ["serve --port 0", "worker"])
@pytest.mark.parametrize("written", [b"", b"\nword\n", b"\xff\xfe", None])
def test_unreadable_password_is_reported_before_start(written, command, dealt, monkeypatch, tmp_path):
    file = tmp_path / "password"
    if written is not None:
        file.write_bytes(written)
    monkeypatch.setenv("BROKER_URL", "amqp://localhost")
    monkeypatch.setenv("DEALT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DEALT_MAIL_PASSWORD_FILE", str(file))
    refused = dealt(*command.split())
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert refused.output.startswith("Error: DEALT_MAIL_PASSWORD_FILE")
    assert str(file) in refused.output


@pytest.mark.parametrize(
    "command",
    ["--help", "settings", *(pytest.param(command, marks=pytest.mark.long) for command in ("--version", "openapi"))],
)
def test_write_failure_is_one_sentence(command):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([DEALT, command], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "Error: No space left on device.\n")


@pytest.mark.long
def test_command_works_without_standard_output():
    closed = subprocess.run(f"{DEALT} openapi >&-", shell=True, stderr=subprocess.PIPE, text=True, check=False)
    assert (closed.returncode, closed.stderr) == (0, "")


@pytest.mark.parametrize("command", ["--help", "--version"])
def test_help_and_version_import_few_modules(command):
    asks = "import sys; from api.cli.main import main; main(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asks, command], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"sqlalchemy", "flask", "celery", "rich", "cryptography", "alembic", "yaml"}
    assert "domain.games" not in done.stdout


def test_a_data_directory_that_cannot_be_used_is_named(dealt, tmp_path):
    (tmp_path / "lock").mkdir()
    refused = dealt("serve", "--data", str(tmp_path))
    assert refused.exit_code == 1
    assert refused.output == f"Error: {tmp_path} cannot be used as the data directory: Is a directory.\n"


def test_unwritable_database_is_reported_in_one_sentence(monkeypatch, tmp_path):
    def refused(*_):
        raise Unavailable("attempt to write a readonly database")

    monkeypatch.setattr("events.notify.claims.end_all", refused)
    with pytest.raises(ClickException) as ended:
        all_in_one(Settings(dealt_data=str(tmp_path)), "http://here")
    file = f"sqlite:///{tmp_path}/dealt.sqlite3"
    assert ended.value.message == f"{file} cannot be written to: attempt to write a readonly database."


def test_unavailable_address_is_reported_with_the_reason(dealt, tmp_path):
    refused = dealt("serve", "--host", "nowhere.invalid", "--data", str(tmp_path))
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: cannot listen on nowhere.invalid:8000: ")
    assert "Unknown error" not in refused.output


def test_checking_a_database_does_not_create_it(tmp_path):
    """Other users could read it until it is migrated."""
    with_usable_database(Settings(dealt_data=str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


def test_stored_files_are_readable_only_by_their_owner(dealt, sqlite_path, monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{sqlite_path}")
    dealt("migrate")
    assert sqlite_path.stat().st_mode & 0o777 == 0o600
    sqlite_path.chmod(0o644)
    dealt("migrate")
    assert sqlite_path.stat().st_mode & 0o777 == 0o600
    with alone_in(tmp_path / "data"):
        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_backup_and_restore_refuse_to_overwrite(dealt, store, begin, monkeypatch, tmp_path):  # noqa: F811
    seen = begin("me", "bot", "bot", "bot")
    file, restored = tmp_path / "backup", f"sqlite:///{tmp_path}/restored/dealt.sqlite3"
    made = dealt("backup", str(file), "--jobs", "1")
    assert made.exit_code == 0, made.output
    assert "1 streams of" in made.output
    assert "1 match audited" in made.output
    assert sorted(path.name for path in tmp_path.glob("backup*")) == ["backup", "backup.manifest"]
    again = dealt("backup", str(file))
    assert again.exit_code == 1
    assert again.output == f"Error: {file} already exists.\n"
    here = dealt("restore", str(file))
    assert here.exit_code == 1
    assert "is not empty, so nothing was written" in here.output
    monkeypatch.setenv("DATABASE_URL", restored)
    back = dealt("restore", str(file), "--jobs", "1")
    assert back.exit_code == 0, back.output
    assert "1 match audited" in back.output
    assert dealt("audit", seen.match_id).exit_code == 0


@pytest.mark.long
def test_failed_backup_is_kept_under_another_name(dealt, played, store, monkeypatch, tmp_path):  # noqa: F811
    projection_rows.rebuild(store, played[0].match_no, rows_of_nothing)
    file, failed = tmp_path / "backup", tmp_path / "backup.failed"
    made = dealt("backup", str(file), "--jobs", "1")
    assert made.exit_code == 1
    assert f"so the backup is in {file}.failed, not in {file}.\n" in made.output
    assert sorted(path.name for path in tmp_path.glob("backup*")) == ["backup.failed", "backup.failed.manifest"]
    assert dealt("backup", str(file)).output == f"Error: {failed} already exists.\n"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/restored.sqlite3")
    assert dealt("restore", str(file)).exit_code == 1
    back = dealt("restore", str(failed), "--jobs", "1")
    assert (back.exit_code, ", 1 match failed." in back.output) == (1, True)


@pytest.mark.long
def test_a_backup_that_is_interrupted_leaves_nothing(dealt, played, monkeypatch, tmp_path):
    def pressed(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("api.cli.audit_all.wait", pressed)
    made = dealt("backup", str(tmp_path / "backup"), "--jobs", "1")
    assert (made.exit_code, "was not written." in made.output) == (130, True)
    assert list(tmp_path.glob("backup*")) == []


@pytest.mark.long
def test_archive_is_opened_only_by_restore(dealt, store, begin, monkeypatch, tmp_path):  # noqa: F811
    begin("me", "bot", "bot", "bot")
    file = tmp_path / "backup"
    dealt("backup", str(file), "--jobs", "1")
    before = file.read_bytes()
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
    monkeypatch.setenv("DEALT_DATA", str(tmp_path / "data"))
    for command in ("serve --port 1", "migrate", "audit --all", "projections rebuild"):
        refused = dealt(*command.split())
        assert refused.exit_code == 1, command
        assert "is an archive of `dealt backup`, and archives are never changed." in refused.output, command
        assert file.read_bytes() == before, command
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/restored.sqlite3")
    assert dealt("restore", str(file), "--jobs", "1").exit_code == 0


@pytest.mark.long
def test_a_backup_that_was_changed_is_not_restored(dealt, store, begin, monkeypatch, tmp_path):  # noqa: F811
    begin("me", "bot", "bot", "bot")
    file = tmp_path / "backup"
    dealt("backup", str(file), "--jobs", "1")
    with file.open("ab") as end:
        end.write(b"x")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/restored.sqlite3")
    refused = dealt("restore", str(file))
    assert refused.exit_code == 1
    assert "does not match" in refused.output
    assert not (tmp_path / "restored.sqlite3").exists()
    manifest = file.with_name("backup.manifest")
    manifest.unlink()
    assert dealt("restore", str(file)).output == f"Error: {manifest}: No such file or directory.\n"


@pytest.mark.long
def test_restore_can_require_a_signing_key(dealt, store, begin, monkeypatch, tmp_path):  # noqa: F811
    begin("me", "bot", "bot", "bot")
    monkeypatch.setenv("DEALT_SIGNING_KEYS_FILE", str(tmp_path / "keys.json"))
    assert dealt("keys", "rotate").exit_code == 0
    key = next(word for word in dealt("keys", "list").output.split() if len(word) == 64)
    file, unsigned = tmp_path / "signed", tmp_path / "unsigned"
    assert dealt("backup", str(file), "--jobs", "1").exit_code == 0
    monkeypatch.delenv("DEALT_SIGNING_KEYS_FILE")
    assert dealt("backup", str(unsigned), "--jobs", "1").exit_code == 0
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/restored.sqlite3")
    for refused in (dealt("restore", str(unsigned), "--key", key), dealt("restore", str(file), "--key", "0" * 64)):
        assert refused.exit_code == 1
        assert "None of the keys in --key has signed it." in refused.output
    assert not (tmp_path / "restored.sqlite3").exists()
    assert dealt("restore", str(file), "--key", key, "--jobs", "1").exit_code == 0
