"""Tests that the verifiers in Python and TypeScript accept the same records, including forged ones and the kept
ones."""

import json
import subprocess
from base64 import b64encode
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.core.clock import Clock
from domain.match.resignations import Resign
from domain.match.seating import Sit
from events.proof import record
from tests import built
from tests.draws import draws
from tests.recorded import FINISHED, OTHERS, Recorded
from tests.referee.compiled import REFEREES
from tests.tampered import changed, places, relinked, resealed, verified

FORGERIES = 60
"""The number of forgeries in a run."""
LONGEST = 130
"""Maximum number of events in a forged record."""
FORGED = ("data", "disclosed", "type", "cause", "commit", "at")
KEPT = sorted((Path(__file__).parents[1] / "records").glob("*.json"))


@cache
def _records() -> dict[str, Any]:
    """Return finished matches of the games that have a referee."""
    made = {name: make().record() for name, make in FINISHED.items()}
    return {
        name: one for name, one in made.items() if one["match"]["game"] in REFEREES and len(one["events"]) < LONGEST
    }


def _verdicts(made: list[Any]) -> list[tuple[str, bool, bool]]:
    """Return the verdict in TypeScript on each record, and whether its check of the rules passed or was skipped."""
    lines = [
        json.dumps({
            "record": b64encode(json.dumps(one).encode()).decode(),
            "heads": [[one["match"]["version"], one["match"]["head"]]],
        })
        for one in made
    ]  # fmt: skip
    program = [str(built.node()), str(built.WEB / "dist/verify.mjs"), "--batch"]
    done = subprocess.run(program, input="\n".join(lines), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    found = [(one["verdict"], next(c for c in one["checks"] if c["name"] == "rules")) for one in reports]
    return [(verdict, check["ok"], check["skipped"]) for verdict, check in found]


def _ours(made: Any) -> tuple[str, bool, bool]:
    report = verified(made)
    check = next(check for check in report.checks if check.name == "rules")
    return report.verdict, check.ok, check.skipped


def _forgeries(number: int, rng: Random) -> list[tuple[Any, Any]]:
    """Return pairs of a change and the record after it, resealed and rechained."""
    every = [
        (name, path, how)
        for name, one in _records().items()
        for path, how in places(one["events"], ("events",))
        if len(path) > 2 and path[2] in FORGED
    ]
    made: list[tuple[Any, Any]] = []
    while len(made) < number:
        name, path, how = rng.choice(every)
        try:
            twin = resealed(changed(_records()[name], path, how))
            record.read_record(json.dumps(twin).encode())
        except (record.Unreadable, KeyError, TypeError, ValueError, AttributeError):
            continue
        made.append(((name, path, how), twin))
    return made


def test_verifiers_verify_finished_matches() -> None:
    made = _records()
    assert dict(zip(made, _verdicts(list(made.values())), strict=True)) == dict.fromkeys(
        made, ("verified", True, False)
    )


def test_verifiers_skip_rules_while_cards_are_hidden() -> None:
    made = [make().record(reader) for make, reader in OTHERS.values()]
    made = [one for one in made if one["match"]["game"] in REFEREES]
    assert _verdicts(made) == list(map(_ours, made))


@pytest.mark.parametrize("path", [path for path in KEPT if json.loads(path.read_text())["match"]["game"] in REFEREES])
def test_verifiers_agree_on_kept_records(path: Path) -> None:
    made = json.loads(path.read_text())
    assert _verdicts([made]) == [_ours(made)]


def test_verifiers_agree_on_forged_records() -> None:
    forged = _forgeries(draws(FORGERIES), Random("forged"))
    verdicts = [verdict for verdict, _, _ in _verdicts([twin for _, twin in forged])]
    wrong = [(what, _ours(twin)[0], theirs) for (what, twin), theirs in zip(forged, verdicts, strict=True)]
    assert [one for one in wrong if one[1] != one[2]] == []


def _series_resigned(game: str) -> dict[str, Any]:
    """Return a series of three in which a player resigns the whole match in the first hand."""
    clock = Clock(per_decision_seconds=3600)
    table = Recorded(game, ("me", "open"), {}, clock=clock, best_of=3, seed=1)
    table.does(1, Sit("ben"))
    table.plays_on(until=lambda m: len(table.said) > 12)
    table.does(0, Resign(whole_match=True))
    table.plays_on()
    return table.record()


@pytest.mark.parametrize("game", ["holdem", "five_card_draw", "gin_rummy", "crazy_eights"])
def test_verifiers_verify_a_series_that_a_player_resigned(game: str) -> None:
    made = _series_resigned(game)
    assert made["events"][-1]["data"]["reason"] == "resignation"
    assert _verdicts([made]) == [_ours(made)] == [("verified", True, False)]


def test_verifiers_verify_drawn_games_with_unequal_scores() -> None:
    """Seats with equally many wins share the first place, whatever their scores (rules 1.10.2)."""
    made = next(one for one in map(_short_trio, range(80)) if _is_drawn_unevenly(one["events"][-1]["data"]["result"]))
    assert _verdicts([made]) == [_ours(made)] == [("verified", True, False)]


def _short_trio(seed: int) -> dict[str, Any]:
    table = Recorded("trio", ("bot",) * 3, {"max_turns": 6}, seed=seed)
    table.plays_on()
    return table.record()


def _is_drawn_unevenly(result: dict[str, Any]) -> bool:
    return len(set(result["scores"])) > 1 and not any(result["wins"])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("clock", "kind"), "zz"),
        (("clock", "on_expiry"), "zz"),
        (("clock", "kind"), "fischer"),
        (("clock", "increment_seconds"), 9),
        (("clock", "max_defaults"), -5),
        (("clock", "vacation"), None),
        (("series", "best_of"), 2),
        (("series", "best_of"), 0),
        (("options", "on_resign"), "zz"),
        (("options", "ante_mode"), "zz"),
        (("options", "small_blind"), 0),
        (("options", "take_backs"), "zz"),
        (("options", "nonce_seconds"), -1),
        (("options", "nonce_commit"), True),
    ],
)
def test_no_verifier_verifies_a_match_that_cannot_be_created(path: tuple[str, str], value: Any) -> None:
    made = _series_resigned("holdem")
    for event in made["events"]:
        if event["type"] in ("MatchCreated", "MatchStarted") and path[0] in event["data"]:
            event["data"][path[0]][path[1]] = value
    assert "verified" not in (_ours(relinked(made))[0], _verdicts([made])[0][0])


def test_no_verifier_verifies_an_automatic_event_with_the_cause_of_the_move() -> None:
    made = _series_resigned("holdem")
    commits: dict[int, list[Any]] = {}
    for event in made["events"]:
        commits.setdefault(event["commit"], []).append(event)
    late = next(e[-1] for e in commits.values() if [one["cause"] for one in e[-2:]] == ["auto", "auto"] and len(e) > 2)
    late["cause"] = "move"
    assert "verified" not in (_ours(relinked(made))[0], _verdicts([made])[0][0])


def test_no_verifier_verifies_a_record_without_a_possible_takeback() -> None:
    table = Recorded("crazy_eights", ("me", "bot"), {"take_backs": True, "target_score": None}, seed=3)
    table.plays_on()
    made = table.record()
    assert _verdicts([made]) == [_ours(made)] == [("verified", True, False)]
    dropped = next(i for i, event in enumerate(made["events"]) if event["type"] == "UndoKept")
    del made["events"][dropped]
    numbers = {event["seq"]: seq for seq, event in enumerate(made["events"], 1)}
    for event in made["events"]:
        event |= {"seq": numbers[event["seq"]], "commit": numbers[event["commit"]]}
    made["match"]["version"] = len(made["events"])
    assert "verified" not in (_ours(resealed(made))[0], _verdicts([made])[0][0])
    assert _verdicts([made])[0][1:] == (False, False)  # its check of the rules fails
