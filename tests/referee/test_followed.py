"""Tests that a TypeScript referee, written only from the rulebooks, agrees with the engine on every move of its
matches."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.draws import draws, seeded
from tests.laws.games import OF
from tests.referee.compiled import REFEREES, Program, compile_once, needed
from tests.referee.played import drawn, every_value, followed

HANDS = 200
"""The number of hands of each game that a run follows."""
FACTS = 3_000
"""The number of facts after which a run of a game with long hands stops earlier."""


@pytest.fixture(scope="session")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with Program(needed(), compile_once(run_folder(tmp_path_factory)) / "follow.js") as program:
        yield program


def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the temporary folder that all processes of a run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.mark.parametrize("game", sorted(REFEREES))
def test_referee_agrees_with_the_engine_after_each_move(game: str, referee: Program) -> None:
    rng = seeded()
    hands = facts = 0
    while hands < draws(HANDS) and facts < draws(FACTS):
        entry, chosen = drawn(OF[game], rng)
        line = followed(entry, chosen, rng.randrange(2**32), most=2_000)
        found = referee.ask(line)
        assert "facts" in found, f"{entry.seats} seats, {json.dumps(chosen)}: {json.dumps(found)[:3000]}"
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
    assert (found["step"], found["why"]) == (step, "The field winner of TrickTaken does not follow from the rules.")


def test_referee_finds_a_table_that_differs(referee: Program) -> None:
    entry, chosen = drawn(OF["hearts"], Random(1))
    match = json.loads(followed(entry, chosen, 1, most=400))
    match["steps"][5]["view"]["scores"][0] += 1
    found = referee.ask(json.dumps(match))
    assert (found["step"], found["why"]) == (5, "The tables differ.")


MATCHES = 5_000
"""The matches for which options are drawn, about as many as a long run plays."""


@pytest.mark.parametrize("game", sorted(REFEREES))
def test_draws_have_every_value_of_every_option(game: str) -> None:
    rng = seeded()
    drawn_options = [drawn(OF[game], rng)[1] for _ in range(MATCHES)]
    often = Counter((name, str(value)) for chosen in drawn_options for name, value in chosen.items())
    every = {(name, str(value)) for name, values in every_value(game).items() for value in values}
    assert {one: often[one] for one in every if often[one] < MATCHES / 500} == {}


@pytest.mark.long
def test_draws_have_every_variant_of_hearts_with_and_without_the_jack() -> None:
    rng = seeded()
    drawn_options = [drawn(OF["hearts"], rng)[1] for _ in range(10 * MATCHES)]
    assert len({(chosen["variant"], chosen["jack_of_diamonds"]) for chosen in drawn_options}) == 2 * 256
