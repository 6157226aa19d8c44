"""Tests that the verifier in TypeScript verifies every honest match, and no lie that the one in Python finds."""

from random import Random
from typing import Any

import pytest

from tests.draws import draws
from tests.proof.forger import Forgery, forged, forgeries
from tests.proof.lives import lived
from tests.proof.test_second_verifier import PARTS, node, reports
from tests.tampered import verified

__all__ = ["node"]

GAMES = sorted(PARTS)
LONGEST = 120
"""Maximum number of events in a match that is forged."""
LIES = 14
"""The number of lies about each game in a short run."""


def held(made: Any) -> tuple[Any, Any]:
    """Return a record with its head as a kept head, since no server has signed it."""
    return made, [(made["match"]["version"], made["match"]["head"])]


def honest(game: str, number: int, first: int = 0) -> list[Any]:
    """Return records of finished matches whose cards are all disclosed."""
    found: list[Any] = []
    seed = first
    while len(found) < number:
        table = lived(game, seed, 80)
        if table.match.result is not None and len(table.said) < LONGEST:
            found.append(table.record())
        seed += 1
    return found


def lies(game: str, number: int, first: int = 0) -> list[Forgery]:
    rng, found = Random(f"{game} {first}"), list[Forgery]()
    for one in honest(game, 2, first):
        chosen = rng.sample(list(forgeries(one)), number)
        found += [lie for lie in (forged(one, change) for change in chosen) if lie]
    return found


def believed(node: str, told: list[Forgery]) -> list[tuple[str, str, Any]]:
    """Return the lies that the second verifier accepts and ours does not."""
    theirs = reports(node, [held(lie.record) for lie in told])
    doubtful = [lie for lie, report in zip(told, theirs, strict=True) if report.get("verdict") == "verified"]
    return [(lie.how, lie.type, lie.path) for lie in doubtful if verified(lie.record).verdict != "verified"]


def test_second_verifier_verifies_every_honest_match(node: str) -> None:
    made = [one for game in GAMES for one in honest(game, draws(1))]
    theirs = reports(node, [held(one) for one in made])
    doubted = [report for report in theirs if report["verdict"] != "verified"]
    assert [[check for check in report["checks"] if check["skipped"] or not check["ok"]] for report in doubted] == []


@pytest.mark.parametrize("game", GAMES)
def test_both_verifiers_verify_a_match_stopped_at_any_point(node: str, game: str) -> None:
    tables = [lived(game, seed, 10 * seed, is_stopped=True) for seed in range(draws(4))]
    made = [table.record() for table in tables if table.match.status == "stopped"]
    assert made
    assert {verified(one).verdict for one in made} == {"verified"}
    theirs = reports(node, [held(one) for one in made])
    assert [report["checks"] for report in theirs if report["verdict"] != "verified"] == []


SPECIAL = {
    "a draw offer stays open after a resignation": ("fivewells_draft", 1012, 150),
    "a Canadian bank is used up to the millisecond": ("two_handed_hearts", 1013, 300),
    "a move out of turn does not use the clock": ("fivewells", 1019, 300),
}
"""Matches with rare events: the game, the seed and the maximum number of events."""


@pytest.mark.parametrize("name", SPECIAL)
def test_second_verifier_verifies_honest_matches_with_rare_events(node: str, name: str) -> None:
    (report,) = reports(node, [held(lived(*SPECIAL[name]).record())])
    assert report["verdict"] == "verified", report["checks"]


def is_subtle(lie: Any) -> bool:
    """Return whether a lie is one that random draws rarely produce, and that no other event contradicts."""
    how, kind, path, _ = lie
    return (
        (kind == "GameEnded" and how.startswith("cause"))
        or (kind == "MatchEnded" and how == "remove event")
        or path[-1:] == ("take_backs",)
        or (how == "add field" and len(path) > 3)
    )


@pytest.mark.parametrize("game", GAMES)
def test_second_verifier_verifies_no_subtly_forged_match(node: str, game: str) -> None:
    (one,) = honest(game, 1, first=40)
    subtle = list(filter(is_subtle, forgeries(one)))
    chosen = {(lie[0], lie[1], *(name for name in lie[2] if isinstance(name, str))): lie for lie in subtle}.values()
    told = [lie for lie in (forged(one, change) for change in chosen) if lie]
    assert {"GameEnded", "MatchEnded"} <= {lie.type for lie in told}
    assert believed(node, told) == []


@pytest.mark.parametrize("game", GAMES)
def test_second_verifier_verifies_no_forged_match(node: str, game: str) -> None:
    assert believed(node, lies(game, draws(LIES))) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_second_verifier_verifies_none_of_many_forged_matches(node: str, game: str) -> None:
    assert believed(node, lies(game, draws(10), first=40)) == []
