"""Tests that each way to back up a database gives back the same heads, and a database that passes the audit."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from signal import SIGINT
from types import SimpleNamespace

import pytest
from sqlalchemy import make_url

from events.operations import manifests
from events.operations.audit_streams import audit_stream
from events.proof.keys import KeyRing
from events.store import archive, archive_mark
from events.store.migrate import migrate
from events.store.opening import open_store
from tests import services
from tests.operations.filled import filled
from tests.services import Database

__all__ = ["filled"]


def program(name: str) -> Path:
    """Return a program of PostgreSQL; skip the test if there is none."""
    found = next((folder / name for folder in services.postgres_programs() if (folder / name).exists()), None)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def check_restored(url: str, filled: tuple[Path, list[str]]) -> None:
    """Compare all heads with the original, and audit every stream."""
    lines = list(manifests.lines_of(url))
    assert lines == list(manifests.lines_of(f"sqlite:///{filled[0]}"))
    with closing(open_store(url)) as store:
        for line in lines:
            made = audit_stream(store, line.id)
            assert made is not None
            assert made.ok, made.checks
        assert {line.id for line in lines} > set(filled[1])


def test_sqlite_vacuum_into_file_is_complete(filled: tuple[Path, list[str]], tmp_path: Path):
    shutil.copyfile(filled[0], tmp_path / "running.sqlite3")
    with closing(sqlite3.connect(tmp_path / "running.sqlite3")) as source:
        source.execute("VACUUM INTO ?", [str(tmp_path / "copy.sqlite3")])
    check_restored(f"sqlite:///{tmp_path / 'copy.sqlite3'}", filled)


def test_backup_is_complete(filled: tuple[Path, list[str]], tmp_path: Path):
    backup, restored = tmp_path / "backup", tmp_path / "restored.sqlite3"
    archive.write_archive(f"sqlite:///{filled[0]}", backup)
    archive_mark.mark(backup)
    manifests.write_manifest(tmp_path / "backup.manifest", backup, KeyRing("cards.example"))
    _, lines = manifests.read_manifest(tmp_path / "backup.manifest")
    archive.load_archive(backup, f"sqlite:///{restored}")
    manifests.compare(lines, f"sqlite:///{restored}")
    check_restored(f"sqlite:///{restored}", filled)


def plain(url: str) -> str:
    """Return an address as PostgreSQL's programs read it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def run(*command: str | Path, **user: object) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **user)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr


def test_dump_is_complete(filled: tuple[Path, list[str]], postgres: Database, tmp_path: Path):
    original, restored = postgres.new_database(), postgres.new_database()
    migrate(original.owner_url, make_url(original.app_url).username)
    archive.load_archive(filled[0], original.owner_url)
    run(program("pg_dump"), "-Fc", "-f", tmp_path / "dump", plain(original.owner_url))
    run(program("pg_restore"), "-d", plain(restored.admin_url), "--clean", "--if-exists", tmp_path / "dump")
    check_restored(restored.app_url, filled)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[SimpleNamespace]:
    """Start a server whose files `pg_basebackup` can copy; `start` starts another on such a copy."""
    basebackup, user = program("pg_basebackup"), services.ordinary_user()
    with ExitStack() as servers:
        database = servers.enter_context(services.own_postgres(basebackup.parent))
        folder = Path(str(make_url(database.admin_url).query["host"]))

        def start(data: Path) -> str:
            command: list[str | Path] = [
                basebackup.parent / "postgres",
                "-D",
                data,
                "-k",
                data,
                "-c",
                "listen_addresses=",
            ]
            owner = make_url(database.owner_url)
            url = services.render(owner.set(host=None, query={"host": str(data)}))
            servers.enter_context(services.running(command, data, SIGINT, lambda: services.connect(url).close(), user))
            return url

        yield SimpleNamespace(database=database, folder=folder, program=basebackup, user=user, start=start)


@pytest.mark.long
def test_copy_of_the_servers_files_is_complete(filled: tuple[Path, list[str]], own_server: SimpleNamespace):
    database, copy = own_server.database, own_server.folder / "copied"
    migrate(database.owner_url, make_url(database.app_url).username)
    archive.load_archive(filled[0], database.owner_url)
    start: Callable[[Path], str] = own_server.start
    run(
        own_server.program, "-h", own_server.folder, "-U", "postgres", "-D", copy, "-c", "fast", "-X", "stream",
        cwd=own_server.folder, **own_server.user,
    )  # fmt: skip
    check_restored(start(copy), filled)
