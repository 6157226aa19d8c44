"""Tests that archived matches leave the log without loss, and are read and audited from their files as before."""

import gzip
import json
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click import ClickException
from click.testing import CliRunner
from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import DBAPIError

from api.cli.archive_command import only_run_in
from api.cli.main import main
from events.errors import Unavailable
from events.follow.follower import Follower
from events.operations import archiving, manifests
from events.operations.archiving import Archived, archive_matches
from events.operations.audit import audit
from events.operations.audit_tree import audit_tree
from events.proof.findings import Report
from events.proof.keys import KeyRing
from events.service import rulings
from events.service.context import Context
from events.service.worker_health import FOLLOWERS
from events.store import archive, archive_files
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.records import ArchivedLog, CommitRow, Head
from events.store.schema.log_schema import archived, commits
from events.store.schema.match_schema import seats
from events.store.schema.tournament_schema import decisions, rated_matches
from events.store.tables import archived_rows, checkpoint_rows, rating_rows, stored_rows, stream_rows, tree_rows
from events.transparency.tree_handler import TreeHandler
from tests.operations.filled import filled, over, owned, owner_url, store

__all__ = ["filled", "over", "owned", "owner_url", "store"]

both_databases = pytest.mark.both_databases

RING = KeyRing("cards.example")
LATE = 2**50
"""A time after all matches of these tests."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "archive"
    path.mkdir()
    monkeypatch.setenv("DEALT_ARCHIVE", str(path))
    return path


def archive_all(store: Store) -> Archived:
    return ([Archived(), *archive_matches(store, LATE, RING)])[-1]


def logs(store: Store, ids: list[str]) -> dict[str, Any]:
    """Return everything that readers of streams can see of these matches."""
    found = {}
    for match_id in ids:
        head, rows = loaded(store, match_id)
        middle = rows[len(rows) // 2]
        found[match_id] = (
            head, rows, store.look(partial(stream_rows.load_within, match_id=match_id)),
            stream_rows.load(store, match_id, middle.first), stream_rows.load(store, match_id, head.version),
            stream_rows.rows(store, head.match_no, middle.first, limit=2),
            stream_rows.rows(store, head.match_no, 0, upto=middle.first),
            stream_rows.openings(store, [head.match_no]),
            stream_rows.rows_naming(store, head.match_no, "CardPlayed"),
            stream_rows.rows_naming(store, head.match_no, "CardPlayed", last=True),
            stored_rows.read_stored(store, match_id),
        )  # fmt: skip
    return found


def loaded(store: Store, match_id: str) -> tuple[Head, list[CommitRow]]:
    found = stream_rows.load(store, match_id)
    assert found is not None
    return found


def audited(store: Store, match_id: str) -> Report:
    made = audit(store, match_id)
    assert made is not None
    return made


def verdict(store: Store, match_id: str) -> str:
    return audited(store, match_id).verdict


def head_of(store: Store, match_id: str) -> Head:
    head = stream_rows.head(store, match_id)
    assert head is not None
    return head


def in_log(store: Store) -> int:
    """Return the number of matches with commits in the log."""
    return int(store.read(select(func.count(commits.c.match_no.distinct())))[0][0])


@both_databases
def test_archived_matches_are_read_and_audited_as_before(store: Store, owned: Store, over: list[str], folder: Path):
    before = logs(store, over)
    done = archive_all(owned)
    assert (done.matches, done.files, done.kept) == (2, ["matches-000001.ndjson.gz"], {})
    assert in_log(store) == 1
    assert logs(store, over) == before
    assert all(verdict(store, match_id) == "verified" for match_id in over)
    assert archive_all(owned) == Archived()
    assert sorted(path.name for path in folder.iterdir()) == [*done.files, f"{done.files[0]}.manifest"]
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    _, lines = manifests.read_lines(folder / f"{done.files[0]}.manifest", archive_files.FORMAT, manifests.ListedMatch)
    assert [(line.id, line.version) for line in lines] == [(of, before[of][0].version) for of in over]
    printed = gzip.decompress((folder / done.files[0]).read_bytes()).splitlines()
    assert [json.loads(line)["id"] for line in printed] == over


@pytest.mark.parametrize("unread", FOLLOWERS)
def test_match_stays_until_every_follower_has_read_it(store: Store, owned: Store, over: list[str], unread: str):
    checkpoint_rows.save_position(store, unread, 3)
    assert archive_all(owned) == Archived()
    assert in_log(store) == 3


@both_databases
def test_command_archives_old_matches(
    store: Store, url: str, owner_url: str, over: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATABASE_URL", url)
    said = CliRunner().invoke(main, ["archive", "--older-than", "36500"]).output
    if owner_url == url:
        assert said == f"0 matches were archived in {folder}.\n"
    else:
        assert said == (
            "Error: The role in DATABASE_URL cannot remove matches from the log. Set MIGRATION_DATABASE_URL.\n"
        )
    monkeypatch.setenv("MIGRATION_DATABASE_URL", owner_url)
    said = CliRunner().invoke(main, ["archive", "--older-than", "30"]).output
    assert said == f"matches-000001.ndjson.gz is complete.\n2 matches were archived in {folder}.\n"
    shown = CliRunner().invoke(main, ["audit", *over])
    assert shown.exit_code == 0
    assert in_log(store) == 1
    said = CliRunner().invoke(main, ["backup", "--jobs", "1", str(folder.parent / "backup")]).output
    assert said.endswith(f"The logs of 2 archived matches are not in it. Copy {folder} too.\n")


def test_second_run_at_the_same_time_is_refused(folder: Path):
    with (
        only_run_in(folder),
        pytest.raises(ClickException, match="another `dealt archive` is running"),
        only_run_in(folder),
    ):
        pass


def test_transparency_log_of_archived_matches_is_audited(store: Store, owned: Store, over: list[str]):
    checkpoint_rows.save_position(store, tree_rows.FOLLOWER, 0)
    follower = Follower(store, TreeHandler(store, tree_rows.begin_tree(store, "cards.example", b"s" * 32)))
    while follower.step():
        pass
    archive_all(owned)
    assert in_log(store) == 1
    assert audit_tree(store).ok


def test_recent_match_stays(store: Store, owned: Store, over: list[str]):
    assert list(archive_matches(owned, 1_000, RING)) == []
    assert in_log(store) == 3


STEPS: list[tuple[Any, str, int, str]] = [
    (archiving, "_write_match", 1, "after"),
    (archiving, "_settle", 1, "before"),
    (archiving, "_settle", 1, "after"),
    (archiving, "write_lines", 1, "after"),
    (archiving, "_settle", 2, "after"),
    (archived_rows, "detach", 1, "after"),
    (archived_rows, "detach", 2, "after"),
]
"""The calls of functions before or after which a run is killed."""


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step[3]} {step[1]} {step[2]}")
def test_killed_run_loses_nothing_and_is_continued(
    store: Store,
    owned: Store,
    over: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: tuple[Any, str, int, str],
):
    module, name, call, when = step
    before, real, calls = logs(store, over), getattr(module, name), []

    def killed(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == call and when == "before":
            raise KeyboardInterrupt
        done = real(*args)
        if len(calls) == call:
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr(module, name, killed)
    with pytest.raises(KeyboardInterrupt):
        archive_all(owned)
    monkeypatch.setattr(module, name, real)
    assert logs(store, over) == before
    archive_all(owned)
    assert in_log(store) == 1
    assert logs(store, over) == before
    assert all(path.suffix in (".gz", ".manifest") for path in folder.iterdir())


@pytest.mark.parametrize("change", ["removed", "changed", "cut"])
def test_missing_or_changed_file_is_named(store: Store, owned: Store, over: list[str], folder: Path, change: str):
    file = folder / archive_all(owned).files[0]
    whole = file.read_bytes()
    file.write_bytes({"removed": b"", "changed": whole.replace(whole[40:60], bytes(20)), "cut": whole[:40]}[change])
    if change == "removed":
        file.unlink()
    with pytest.raises(Unavailable, match=r"matches-000001\.ndjson\.gz"):
        stream_rows.load(store, over[0])
    made = audited(store, over[0])
    assert made.verdict == "failed"
    (check,) = (check for check in made.checks if check.name == "chain")
    assert "matches-000001.ndjson.gz" in check.detail


def test_match_that_fails_its_audit_stays(store: Store, owned: Store, over: list[str]):
    store.change(delete(seats).where(seats.c.match_no == head_of(store, over[0]).match_no))
    done = archive_all(owned)
    assert done.matches == 1
    assert "projections" in done.kept[over[0]]
    assert in_log(store) == 2


@both_databases
def test_archived_match_can_be_voided(store: Store, owned: Store, over: list[str]):
    archive_all(owned)
    head, rows = loaded(store, over[0])
    rulings.annul_match(Context(store), over[0], "A bug in the rules.")
    longer, all_rows = loaded(store, over[0])
    assert longer.version == head.version + 1
    assert all_rows[:-1] == rows
    assert stream_rows.rows(store, head.match_no, head.version - 1)[-1] == all_rows[-1]
    assert verdict(store, over[0]) == "verified"
    with pytest.raises(DBAPIError, match="append-only"):
        owned.change(delete(commits))


@both_databases
def test_backup_of_archived_matches_can_be_restored(
    store: Store, url: str, owned: Store, over: list[str], tmp_path: Path
):
    archive_all(owned)
    rulings.annul_match(Context(store), over[0], "A bug in the rules.")
    before = logs(store, over)
    archive.write_archive(url, tmp_path / "backup")
    archive.load_archive(tmp_path / "backup", f"sqlite:///{tmp_path / 'restored.sqlite3'}")
    with closing(open_store(f"sqlite:///{tmp_path / 'restored.sqlite3'}")) as restored:
        assert {of: rows[1] for of, rows in logs(restored, over).items()} == {
            of: rows[1] for of, rows in before.items()
        }
        assert all(verdict(restored, match_id) == "verified" for match_id in over)


def test_recomputed_ratings_keep_notes_of_archived_matches(store: Store, owned: Store, over: list[str]):
    archive_all(owned)
    for match_no in (1, 3):
        store.change(insert(rated_matches).values(match_no=match_no, place=match_no, ended_ms=1, facts="{}", reading=0))
        store.change(insert(decisions).values(match_no=match_no, player_id="ann", in_time=1, late=0, ended_ms=1))
    store.write(rating_rows.begin_with_the_log)
    for table in (rated_matches, decisions):
        assert [row.match_no for row in store.read(select(table.c.match_no))] == [1]


@pytest.fixture
def listed(store: Store, owned: Store, over: list[str]) -> Callable[[int, bytes | None], None]:
    """List the first match as archived at a version and head; None for its own."""

    def add(back: int, head: bytes | None) -> None:
        of = head_of(store, over[0])
        there = ArchivedLog(of.match_no, of.version - back, head or of.head, "no-file", 0, 1, b"")
        owned.change(insert(archived).values(there._asdict()))

    return add


@both_databases
@pytest.mark.parametrize(("back", "head"), [(1, None), (0, bytes(32))], ids=["older version", "other head"])
def test_commits_can_leave_only_with_the_current_head(owned: Store, listed: Any, back: int, head: bytes | None):
    listed(back, head)
    with pytest.raises(DBAPIError, match="commits is append-only"):
        owned.change(delete(commits).where(commits.c.match_no == 1))
    assert in_log(owned) == 3


@both_databases
def test_list_of_archived_matches_is_append_only(store: Store, owned: Store, listed: Any, url: str):
    listed(0, None)
    for change in (
        delete(archived),
        archived.update().values(version=1),
        insert(archived).prefix_with("OR REPLACE", dialect="sqlite").values(
            ArchivedLog(1, 1, b"", "other", 0, 1, b"")._asdict()
        ),
    ):  # fmt: skip
        with pytest.raises(DBAPIError, match=r"append-only|duplicate key"):
            owned.change(change)
        if url.startswith("postgresql"):
            with pytest.raises(DBAPIError, match="permission denied"):
                store.change(change)
