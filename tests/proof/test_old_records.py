"""Records that older versions of the rules have made still verify, as far as these rules may judge them."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain import match as life
from domain.games.catalogue import GAMES
from events.proof.findings import Report
from tests.tampered import failing, verified

RECORDS = {path.stem: path for path in sorted((Path(__file__).parents[1] / "records").glob("*.json"))}


def read(name: str) -> dict[str, Any]:
    """A record as it was exported."""
    made: dict[str, Any] = json.loads(RECORDS[name].read_text())
    return made


def open_to_all(made: dict[str, Any]) -> bool:
    """Whether every card of the match is disclosed in the record."""
    about = made["match"]
    return (about["status"], about["options"]["fairness_reveal"] == "never") == ("finished", False)


DISCLOSED = [name for name in RECORDS if open_to_all(read(name))]
OF_OLDER_RULES = [
    name for name in RECORDS if (about := read(name)["match"])["rules"] != life.rules_of(GAMES[about["game"]])
]


def skipped(report: Report) -> dict[str, str]:
    """The checks that were left out, and why."""
    return {check.name: check.detail for check in report.checks if check.skipped}


def test_their_games_are_still_known() -> None:
    assert {read(name)["match"]["game"] for name in RECORDS} <= set(GAMES)
    assert len({read(name)["match"]["game"] for name in DISCLOSED}) == 8


@pytest.mark.parametrize("name", RECORDS)
def test_no_check_fails(name: str) -> None:
    assert failing(verified(read(name))) == []


@pytest.mark.parametrize("name", DISCLOSED)
def test_all_is_checked_but_rules_of_another_version(name: str) -> None:
    assert skipped(verified(read(name))).keys() == ({"rules"} if name in OF_OLDER_RULES else set())


@pytest.mark.parametrize("name", OF_OLDER_RULES)
def test_it_is_said_why_rules_are_not_checked(name: str) -> None:
    made = read(name)
    theirs, ours = made["match"]["rules"], life.rules_of(GAMES[made["match"]["game"]])
    reason = skipped(verified(made))["rules"]
    assert reason == f"The match was judged by version {theirs} of the rules; these are version {ours}."
