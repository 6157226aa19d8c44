"""Tests `dealt backup` of a running server, and a server on a database made by `dealt restore`."""

import pytest

from tests.system.processes import SHORT, Process, running
from tests.system.test_serve import Served, served

__all__ = ["served"]


def run(*args: str, **env: str) -> str:
    """Run a command to its end; return its output."""
    process = Process(*args, env=env)
    with running(process):
        assert process.popen.wait(60) == 0, process.output
    return process.output


@pytest.mark.long
def test_match_continues_from_a_backup_made_during_play(served, tmp_path):
    process = served.start()
    ann = served.person()
    match = ann.create(**SHORT)
    for _ in range(3):
        ann.create(**SHORT, seats=[{"kind": "bot", "level": "easy"}] * 4)
    ann.turns(match, 2)
    said = run("backup", str(tmp_path / "backup"), "--jobs", "1", DATABASE_URL=served.database)
    assert "4 matches audited" in said
    version = ann.see(match)["version"]
    process.kill()

    elsewhere = Served(tmp_path / "elsewhere")
    elsewhere.port, elsewhere.base = served.port, served.base
    run("restore", str(tmp_path / "backup"), "--jobs", "1", DEALT_DATA=str(elsewhere.data))
    assert elsewhere.data.stat().st_mode & 0o777 == 0o700
    served.processes.append(elsewhere.start())
    assert ann.see(match)["version"] <= version
    ann.turns(match, 2)
    assert "0 matches failed" in run("audit", "--all", "--jobs", "1", DATABASE_URL=elsewhere.database)
