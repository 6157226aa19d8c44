"""The verifiers in Python and in TypeScript accept the same records, forged ones and those of the corpus."""

import json
import subprocess
from base64 import b64encode
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from events.proof import record
from tests import built
from tests.recorded import FINISHED, OTHERS
from tests.referee.compiled import REFEREES
from tests.tampered import changed, places, resealed, verified

FORGERIES = 250
"""The number of forgeries of a run."""
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
    """Return the verdict in TypeScript on each record, and whether its check of the rules held or was skipped."""
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
    """Return pairs of a change and the record after it, sealed and chained again."""
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
    forged = _forgeries(FORGERIES, Random("forged"))
    verdicts = [verdict for verdict, _, _ in _verdicts([twin for _, twin in forged])]
    wrong = [(what, _ours(twin)[0], theirs) for (what, twin), theirs in zip(forged, verdicts, strict=True)]
    # By the rules alone, the verifier in TypeScript accuses nobody.
    doubted = ("failed", "unverifiable")
    assert [one for one in wrong if one[1] != one[2] and one[1:] != doubted] == []
