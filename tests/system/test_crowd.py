"""Tests crowds at one or two addresses: callers at other addresses neither wait longer nor are refused."""

import json
import subprocess
import sys
from collections import Counter
from typing import Self

import pytest
import requests

from tests import reaper
from tests.system.processes import ROOT, running, until
from tests.system.test_open_connections import MOST, Alone, Table, slower_in_all

ASKS = ("asks", "/v1/games", "/healthz", "/play", "/docs")
SENDS = ("sends", "/v1/records/verify")
JSON = {"Content-Type": "application/json"}

RETURNS = 1.5
"""The maximum memory of a server after a crowd has gone, as a multiple of that before."""


class Crowd:
    """The program `tests.system.crowd`."""

    def __init__(self, api: Alone, address: str, connections: int, kind: str, *paths: str) -> None:
        arguments = (str(api.port), address, str(connections), kind, *paths)
        self._popen = subprocess.Popen(
            [sys.executable, "-m", "tests.system.crowd", *arguments],
            cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        self._take_back = reaper.note("process group", self._popen.pid)

    def _end(self) -> None:
        self._popen.kill()
        self._popen.wait(60)
        self._take_back()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def has_answers(self) -> None:
        """Wait until the crowd gets answers."""
        assert self._popen.stdout is not None
        while not json.loads(self._popen.stdout.readline()):
            pass

    def leave(self) -> Counter[str]:
        """End the crowd; return the number of its answers by status."""
        self._end()
        said, _ = self._popen.communicate()
        return sum((Counter(json.loads(line)) for line in said.splitlines() if line.endswith("}")), Counter())


@pytest.mark.long
@pytest.mark.parametrize(
    ("addresses", "connections", "crowd"),
    [(["127.0.0.5"], 1000, ASKS), (["127.0.0.5", "127.0.0.6"], 300, SENDS)],
    ids=["asks", "sends"],
)
def test_crowd_does_not_slow_others_down(tmp_path, held, addresses, connections, crowd):
    crowded, quiet = Alone(tmp_path / "crowded.sqlite3"), Alone(tmp_path / "quiet.sqlite3")
    held.enter_context(running(crowded.process, quiet.process))
    here, elsewhere = Table(crowded, held), Table(quiet, held)
    here.moves(5)
    elsewhere.moves(5)
    before = crowded.megabytes()
    crowds = [held.enter_context(Crowd(crowded, address, connections, *crowd)) for address in addresses]
    for each in crowds:
        each.has_answers()
    ratio = slower_in_all(here, elsewhere)
    upload = requests.post(f"{crowded.base}/v1/records/verify", data=b"{" * 500_000, headers=JSON, timeout=60)
    alive = requests.get(f"{crowded.base}/healthz", timeout=60)
    answers = [each.leave() for each in crowds]
    errors = [line for line in crowded.process.said if " ERROR " in line][:3]
    size = f"{before:.0f} MB before, {crowded.megabytes():.0f} MB with it"
    figures = f"moves take x{ratio:.2f}; {size}; {answers}; {errors}"
    print(f"\n{len(crowds)} x {connections} connections: {figures}")  # noqa: T201
    assert ratio <= MOST, figures
    assert alive.status_code == 200
    assert upload.status_code == 422
    assert all(set(found) <= {"200", "408", "429"} for found in answers), figures
    until(lambda: crowded.megabytes() <= RETURNS * before, 60)
