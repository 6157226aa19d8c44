"""Tests that kept records of matches still verify completely; `python -m tests.kept` writes them."""

import json
from typing import Any

import pytest

from domain.games.catalogue import BUILT_IN
from events.proof.findings import Report
from tests.kept import RECORDS
from tests.tampered import failing, verified

PATHS = {path.stem: path for path in sorted(RECORDS.glob("*.json"))}


def read(name: str) -> dict[str, Any]:
    """Return a record as it was exported."""
    made: dict[str, Any] = json.loads(PATHS[name].read_text())
    return made


def skipped(report: Report) -> set[str]:
    """Return the skipped checks."""
    return {check.name for check in report.checks if check.skipped}


def test_kept_records_cover_every_game() -> None:
    assert {read(name)["match"]["game"] for name in PATHS} == {game.name for game in BUILT_IN}


@pytest.mark.parametrize("name", PATHS)
def test_kept_record_still_verifies(name: str) -> None:
    report = verified(read(name))
    sealed = {"rules", "shuffles"} if read(name)["match"]["status"] in ("lobby", "playing") else set()
    assert (failing(report), skipped(report) - {"signatures"}) == ([], sealed)
