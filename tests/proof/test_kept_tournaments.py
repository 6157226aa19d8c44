"""Tests kept records of tournaments in both verifiers, and the version of the rules that they name."""

import json
from pathlib import Path

import pytest

from domain.tournament.tournament_events import EVENTS
from domain.tournament.tournament_plan import RULES
from events.log.codec import shapes_of
from tests.proof.test_second_verifier import node
from tests.proof.test_tournament_records import Document, both, linked, written
from tests.tampered import pretend
from tests.tournament.evenings import Evening

__all__ = ["node"]

KEPT = sorted((Path(__file__).parents[1] / "records" / "tournaments").glob("*.ndjson"))


def read(path: Path) -> Document:
    about, *events = map(json.loads, path.read_text().splitlines())
    return {"about": about, "events": events, "tables": []}


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_kept_record_still_verifies(node: str, path: Path) -> None:
    ((*_, (_, rules, *_)),) = both(node, [read(path)])
    assert rules == ("rules", True, False, None)


def test_later_version_of_the_rules_is_skipped(node: str) -> None:
    made = written(Evening().begun(4).play().events)
    made["events"][0]["data"]["rules"] = RULES + 1
    made["events"][0]["data"]["plan"]["an_option_of_later"] = True
    ((*_, (chain, rules, *_)),) = both(node, [linked(made)])
    assert chain[1:3] == (True, False)
    assert rules == ("rules", True, True, None)


def test_events_of_earlier_versions_are_judged_with_the_declared_defaults(
    node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Treat `reliability` as if version 2 of `PlayerEntered` had added it."""
    added = {"PlayerEntered": [{"reliability": None}]}
    pretend(monkeypatch, shapes_of(EVENTS), added)
    today = written(Evening().begun(4).play().events)
    entered = [event for event in today["events"] if event["type"] == "PlayerEntered"]
    for event in entered:
        event["v"] = 2
    forged = json.loads(json.dumps(linked(today)))
    entered[0]["v"] = 1
    del entered[0]["data"]["reliability"]
    forged["events"][entered[0]["seq"] - 1]["v"] = 1
    reports = both(node, [linked(today), linked(forged)], added)
    assert [rules for *_, (_, rules, *_) in reports] == [
        ("rules", True, False, None),
        ("rules", False, False, entered[0]["seq"]),
    ]


@pytest.mark.parametrize("rules", [0, -1])
def test_version_of_the_rules_below_the_first_fails(node: str, rules: int) -> None:
    made = written(Evening().begun(4).play().events)
    made["events"][0]["data"]["rules"] = rules
    ((*_, (_, found, *_)),) = both(node, [linked(made)])
    assert found[1:] == (False, False, 1)
