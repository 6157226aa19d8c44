"""Tests that the remains of a killed test process are removed: its servers, folders and databases."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.reaper import ROOT
from tests.services import Database, connect
from tests.system.processes import until

KILLED = """
import subprocess, sys, time
from tests import reaper, services
server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
reaper.note("process group", server.pid)
reaper.note("folder", sys.argv[1])
with services.postgres() as database, reaper.noted("folder", sys.argv[2]):
    print(server.pid, database.server.run, flush=True)
    time.sleep(600)
"""


@pytest.mark.long
def test_resources_of_a_killed_process_are_removed(tmp_path: Path, postgres: Database):
    left, other = tmp_path / "left", tmp_path / "other"
    for folder in (left / "inner", other):
        folder.mkdir(parents=True)
    command = [sys.executable, "-c", KILLED, str(left), str(tmp_path / "never made")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        server, run = process.stdout.readline().split()
        assert run in names(postgres)
        process.kill()
    until(lambda: not Path(f"/proc/{server}").exists() and not left.exists() and run not in names(postgres), 60)
    assert other.exists()


def names(postgres: Database) -> str:
    """Return the names of all databases and roles."""
    with connect(postgres.admin_url) as admin:
        query = "SELECT datname FROM pg_database UNION ALL SELECT rolname FROM pg_roles"
        return " ".join(name for (name,) in admin.execute(query).fetchall())


def test_missing_resource_is_not_removed_again(tmp_path: Path):
    """Another process may have its number, and another run its folder."""
    stays = tmp_path / "stays"
    stays.mkdir()
    with subprocess.Popen([sys.executable, "-m", "tests.reaper"], cwd=ROOT, stdin=subprocess.PIPE) as beside:
        assert beside.stdin
        beside.stdin.write(f'[0, "folder", "{stays}"]\n[0]\n'.encode())
        beside.stdin.close()
        assert beside.wait(20) == 0
    assert stays.exists()
