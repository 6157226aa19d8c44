"""A referee in TypeScript, written only from the rulebooks, agrees with the engine on every move of its matches."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.draws import draws
from tests.laws.games import OF
from tests.referee.compiled import REFEREES, Program, compile_referees, needed
from tests.referee.played import drawn, followed

HANDS = 200
"""The hands of each game that a run follows, with new seeds each time; a run of all tests has eight times as many."""
FACTS = 3_000
"""The facts after which a run of a game with long hands stops earlier."""


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needed()
    return compile_referees(tmp_path_factory.mktemp("referees"))


@pytest.fixture(scope="session")
def referee(programs: Path) -> Iterator[Program]:
    with Program(needed(), programs / "follow.js") as program:
        yield program


@pytest.mark.parametrize("game", sorted(REFEREES))
def test_referee_agrees_with_the_engine_after_each_move(game: str, referee: Program) -> None:
    seed = time.time_ns()
    rng = Random(seed)
    hands = facts = 0
    while hands < draws(HANDS) and facts < draws(FACTS):
        entry, chosen = drawn(OF[game], rng)
        line = followed(entry, chosen, rng.randrange(2**32), most=2_000)
        found = referee.ask(line)
        assert "facts" in found, f"seed {seed}, {entry.seats} seats, {json.dumps(chosen)}: {json.dumps(found)[:3000]}"
        hands += line.count('{"type":"HandStarted"')
        facts += int(str(found["facts"]))


def test_referee_finds_a_fact_that_breaks_the_rules(referee: Program) -> None:
    entry, chosen = drawn(OF["hearts"], Random(1))
    match = json.loads(followed(entry, chosen, 1, most=400))
    step, played = next(
        (i, fact) for i, one in enumerate(match["steps"]) for fact in one["facts"] if fact["type"] == "TrickTaken"
    )
    played["data"]["winner"] = (played["data"]["winner"] + 1) % 4
    found = referee.ask(json.dumps(match))
    assert (found["step"], found["why"]) == (step, "TrickTaken has another winner than the rules give.")


def test_referee_finds_a_table_that_differs(referee: Program) -> None:
    entry, chosen = drawn(OF["hearts"], Random(1))
    match = json.loads(followed(entry, chosen, 1, most=400))
    match["steps"][5]["view"]["scores"][0] += 1
    found = referee.ask(json.dumps(match))
    assert (found["step"], found["why"]) == (5, "The tables differ.")
