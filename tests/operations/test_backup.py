"""Tests that a backup contains everything at one moment, and can be restored to either database, which sends nothing
twice."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import insert, make_url, select

from api.cli import backup_commands as cli
from domain.core.clock import Clock
from events.follow.follower import Follower
from events.notify import ledger, webhooks
from events.notify.handler import NoticeHandler
from events.notify.notices import DEADLINE_NEAR, KINDS
from events.notify.restored import quieten
from events.operations import manifests
from events.operations.audit import audit
from events.operations.manifests import Unfit
from events.proof import keys
from events.service.access import Caller
from events.store import archive, archive_mark
from events.store.follow_records import START
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.schema import notice_schema
from events.store.tables import checkpoint_rows, player_rows
from tests.bound import Matches
from tests.driven import at_work, begin, matches, now
from tests.notify.log import follow, noted
from workers.tasks.bot_turn_tasks import play_bot_turns

__all__ = ["at_work", "begin", "matches", "now"]

pytestmark = pytest.mark.both_databases

DAY = 24 * 3600
SLOW = Clock(per_decision_seconds=DAY)
RING = keys.KeyRing("cards.example", keys.add_new_key((), b"k" * 32, "2026-11-22T00:00:00.000Z"))
BOTS = ("me", "bot", "bot", "bot")


@pytest.fixture
def store(url):
    with closing(open_store(url)) as opened:
        player_rows.add_player(opened, "ann", "Ann", b"a", 0)
        yield opened


@pytest.fixture
def played(begin, matches):
    """Return a match in which the bots have passed their cards."""
    seen = begin(*BOTS)
    play_bot_turns(matches, seen.match_id)
    return seen.match_id


def everything(url):
    """Return all rows of all tables, except those that a backup omits and the unused slots of pending work."""
    with archive._connected(url) as connection:
        found = {table.name: connection.execute(select(table)).mappings().all() for table in archive.COPIED}
    found["due"] = [row for row in found["due"] if row["claimable_ms"] is not None]
    return {name: sorted(map(str, rows)) for name, rows in found.items()}


@pytest.fixture
def backup(url, played, tmp_path):
    file = tmp_path / "backup"
    archive.write_archive(url, file)
    archive_mark.mark(file)
    manifests.write_manifest(cli.manifest_of(file), file, RING)
    return file


def test_archive_is_one_private_file_with_all_data(url, backup):
    assert backup.stat().st_mode & 0o777 == 0o600
    assert cli.manifest_of(backup).stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in backup.parent.glob("backup*")) == ["backup", "backup.manifest"]
    assert everything(f"sqlite:///{backup}") == everything(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def restored_to(request, tmp_path):
    """Return where a backup can be restored to: the address of the application, and its owner's."""
    if request.param == "sqlite":
        address = f"sqlite:///{tmp_path / 'restored.sqlite3'}"
        return SimpleNamespace(app_url=address, owner_url=address)
    fresh = request.getfixturevalue("postgres").new_database()
    migrate(fresh.owner_url, make_url(fresh.app_url).username)
    return fresh


def test_backup_can_be_restored_to_either_database_audited_and_played_on(restored_to, backup, played, now):
    address, owner = restored_to.app_url, restored_to.owner_url
    about, lines = manifests.read_manifest(cli.manifest_of(backup))
    assert about.sha256 == manifests.digest(backup)
    archive.load_archive(backup, owner)
    manifests.compare(lines, owner)
    assert everything(owner) == everything(f"sqlite:///{backup}")
    with closing(open_store(address)) as restored:
        quieten(restored, now())
        again = Matches(restored, now=now)
        assert audit(restored, played).ok
        seen = again.see(played, Caller("ann"))
        moved = again.move(played, Caller("ann"), None, seen.match.game.timing.default(seen.match.table, 0))
        assert moved.version > lines[0].version
        assert audit(restored, played).ok
        with pytest.raises(archive.NotEmpty):
            archive.load_archive(backup, owner)


@pytest.mark.long
def test_restored_server_sends_no_pending_notifications(restored_to, backup):
    archive.load_archive(backup, restored_to.owner_url)
    with closing(open_store(restored_to.app_url)) as restored:
        restored.change(
            insert(notice_schema.deliveries).values(
                webhook_id="w", notice_no=1, match_no=1, state="pending", attempts=0
            )
        )
        restored.change(
            insert(notice_schema.lanes).values(webhook_id="w", match_no=1, host="h", claimable_ms=0, lease_ms=0)
        )
        restored.change(insert(notice_schema.mail_queue).values(player_id="ann", notice_no=1))
        checkpoint_rows.save_position(restored, "telling", START)
        assert quieten(restored, 0) == (1, 1)
        assert restored.read(select(notice_schema.deliveries.c.state))[0][0] == "missed"
        assert restored.read(select(notice_schema.lanes)) == restored.read(select(notice_schema.mail_queue)) == []
        last = checkpoint_rows.read_position(restored, "telling")
        assert restored.follow(last, 10) == []


@pytest.mark.long
def test_unsent_notifications_can_be_replayed_but_are_not_sent_automatically(
    restored_to, store, begin, matches, now, tmp_path
):
    """Neither events unread at the backup, nor a reminder that fell due in between, are delivered."""
    wanted = webhooks.Subscription("https://a.example", "a.example", " ".join(KINDS))
    webhooks.add(store, "hook", "ann", wanted, "s", now())
    checkpoint_rows.save_position(store, NoticeHandler.name, store.end())
    seen = begin("me", "bot", "bot", "bot", clock=SLOW)
    follow(store, Follower(store, NoticeHandler(store, now=now), now=now).step)
    told = [notice.kind for notice in noted(store)]
    play_bot_turns(matches, seen.match_id)
    again = matches.see(seen.match_id, Caller("ann"))
    matches.move(seen.match_id, Caller("ann"), None, again.match.game.timing.default(again.match.table, 0))
    play_bot_turns(matches, seen.match_id)
    archive.write_archive(str(store.engine.url.render_as_string(hide_password=False)), tmp_path / "late")
    archive.load_archive(tmp_path / "late", restored_to.owner_url)
    now.passes(DAY * 1000 * 9 // 10)
    with closing(open_store(restored_to.app_url)) as restored:
        assert quieten(restored, now()).deliveries == len(noted(restored))
        kinds = [notice.kind for notice in noted(restored)]
        assert kinds[: len(told)] == told
        assert len(kinds) > len(told)
        assert kinds[-1] == DEADLINE_NEAR
        assert restored.read(select(notice_schema.lanes)) == []
        follow(restored, Follower(restored, NoticeHandler(restored, now=now), now=now).step)
        ledger.write_due_notices(restored, now(), 0)
        assert [notice.kind for notice in noted(restored)] == kinds
        assert webhooks.replay(restored, "hook", now(), since=0) == len(kinds)


def test_plain_file_copy_lacks_recent_commits(sqlite_path, tmp_path):
    """Recent writes are in the write-ahead log, a separate file."""
    migrate(f"sqlite:///{sqlite_path}")
    with closing(open_store(f"sqlite:///{sqlite_path}")) as store:
        player_rows.add_player(store, "ann", "Ann", b"a", 0)
        shutil.copyfile(sqlite_path, tmp_path / "copy")
        archive.write_archive(f"sqlite:///{sqlite_path}", tmp_path / "backup")

    def players(path):
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute("SELECT count(*) FROM players").fetchone()[0]

    assert players(tmp_path / "copy") == 0
    assert players(tmp_path / "backup") == 1


def test_changed_backup_and_changed_restored_database_are_found(backup, tmp_path):
    _, lines = manifests.read_manifest(cli.manifest_of(backup))
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("UPDATE stream SET version = version - 1")
        connection.commit()
    about, _ = manifests.read_manifest(cli.manifest_of(backup))
    assert manifests.digest(backup) != about.sha256
    with pytest.raises(Unfit, match="does not match the manifest"):
        manifests.compare(lines, f"sqlite:///{backup}")
    with pytest.raises(Unfit, match="is not in the manifest"):
        manifests.compare([], f"sqlite:///{backup}")


@pytest.mark.parametrize("text", [b"", b"{}", b"nothing", b'{"format": "dealt-backup/1"}'])
def test_invalid_manifest_is_refused(tmp_path: Path, text):
    path = tmp_path / "x.manifest"
    path.write_bytes(text)
    with pytest.raises(Unfit):
        manifests.read_manifest(path)


def test_truncated_manifest_is_refused(backup):
    path = cli.manifest_of(backup)
    first, *_ = path.read_bytes().splitlines()
    assert json.loads(first)["streams"] == 1
    path.write_bytes(first)
    with pytest.raises(Unfit, match="complete"):
        manifests.read_manifest(path)


def test_manifest_is_signed_and_its_first_line_names_no_match(backup, played):
    path = cli.manifest_of(backup)
    about, lines = manifests.read_manifest(path)
    assert (about.signed.server, about.signed.key) == (RING.server, RING.keys[0].key)
    first, *rest = path.read_text().splitlines()
    assert played not in first
    assert [line.id for line in lines] == [played]
    for old, new, why in (
        (f'"version":{lines[0].version}', f'"version":{lines[0].version + 1}', "does not match the others"),
        (about.made_at, "2020-01-01T00:00:00.000Z", "its signature"),
        (about.sha256, "0" * 64, "its signature"),
        (RING.server, "else.example", "its signature"),
        (about.signed.signature, "0" * 128, "its signature"),
    ):
        path.write_text("\n".join([first, *rest, ""]).replace(old, new))
        with pytest.raises(Unfit, match=why):
            manifests.read_manifest(path)


def test_a_server_without_a_key_signs_no_manifest(url, played, tmp_path):
    archive.write_archive(url, tmp_path / "unsigned")
    assert (
        manifests.write_manifest(tmp_path / "unsigned.manifest", tmp_path / "unsigned", keys.KeyRing("x")).signed
        is None
    )
    assert manifests.read_manifest(tmp_path / "unsigned.manifest")[0].signed is None


def test_archive_cannot_be_opened_as_a_store_or_changed(backup):
    before, address = manifests.digest(backup), f"sqlite:///{backup}"
    for opens in (open_store, migrate):
        with pytest.raises(archive_mark.IsArchive, match="dealt restore"):
            opens(address)
    assert manifests.digest(backup) == before
    assert sorted(path.name for path in backup.parent.glob("backup*")) == ["backup", "backup.manifest"]
