"""Records of tournaments that were kept, under older versions of the rules and today's, verify in both verifiers."""

import json
from pathlib import Path

import pytest

from domain.tournament.tournament_plan import RULES
from tests.draws import first_of
from tests.proof.test_second_verifier import node
from tests.proof.test_tournament_records import Document, both, linked, written
from tests.tournament.evenings import Evening

__all__ = ["node"]

KEPT = sorted((Path(__file__).parents[1] / "records" / "tournaments").glob("*.ndjson"))


def read(path: Path) -> Document:
    about, *events = map(json.loads, path.read_text().splitlines())
    return {"about": about, "events": events, "tables": []}


def rules_of(path: Path) -> int:
    return int(read(path)["events"][0]["data"].get("rules", 1))


TODAY = [path for path in KEPT if rules_of(path) == RULES]


@pytest.mark.parametrize("path", TODAY, ids=lambda path: path.stem)
def test_what_was_kept_by_the_rules_of_today_is_judged_as_it_was(node: str, path: Path) -> None:
    ((*_, (_, rules, *_)),) = both(node, [read(path)])
    assert rules == ("rules", True, False, None)


def test_a_record_of_todays_rules_is_kept() -> None:
    assert TODAY


@pytest.mark.parametrize("path", first_of(path for path in KEPT if path not in TODAY), ids=lambda path: path.stem)
def test_what_was_seated_ranked_and_awarded_then_is_judged_by_the_rules_of_then(node: str, path: Path) -> None:
    old = read(path)
    today = json.loads(json.dumps(old))
    today["events"][0] |= {"v": 2, "data": old["events"][0]["data"] | {"rules": RULES}}
    (*_, (_, rules, *_)), (*_, (_, others, *_)) = both(node, [old, linked(today)])
    assert rules == ("rules", True, False, None)
    assert not others[1]


def test_rules_of_a_later_version_are_skipped(node: str) -> None:
    made = written(Evening().begun(4).play().events)
    made["events"][0]["data"]["rules"] = RULES + 1
    ((*_, (chain, rules, *_)),) = both(node, [linked(made)])
    assert chain[1:3] == (True, False)
    assert rules == ("rules", True, True, None)


@pytest.mark.parametrize("rules", [0, -1])
def test_there_are_no_rules_before_the_first(node: str, rules: int) -> None:
    made = written(Evening().begun(4).play().events)
    made["events"][0]["data"]["rules"] = rules
    ((*_, (_, found, *_)),) = both(node, [linked(made)])
    assert found[1:] == (False, False, 1)
