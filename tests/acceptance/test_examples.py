"""Worked examples, one test each, against the real rules.

The examples of a game and its kinds of checks are in its folder: `KINDS` of tests/games/<game>/examples.py, each a
function of the example. `--examples PATH` runs another file of the same format. An unknown kind fails.
"""

from importlib import import_module
from pathlib import Path

import pytest
import yaml

from domain.games.catalogue import GAMES
from tests.acceptance import general
from tests.poker import examples as poker
from tests.tournament import examples as tournament

ROOT = Path(__file__).parents[2]
SHARED = [ROOT / folder / "examples.yaml" for folder in ("tests/acceptance", "domain/poker", "domain/tournament")]
OF_GAMES = {game: ROOT / "domain/games" / game / "examples.yaml" for game in GAMES}
KINDS = {**general.KINDS, **poker.KINDS, **tournament.KINDS}
for game in GAMES:
    KINDS |= import_module(f"tests.games.{game}.examples").KINDS


def read(config):
    # Where a game has none, a test of the games' folders says so.
    built = [path for path in OF_GAMES.values() if path.is_file()]
    paths = [config.getoption("examples")] if config.getoption("examples") else [*SHARED, *built]
    return [example for path in paths for example in yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)]


def pytest_generate_tests(metafunc):
    if "example" in metafunc.fixturenames:
        metafunc.parametrize("example", read(metafunc.config), ids=lambda e: f"{e['id']}-{e['check']}")


def test_example_has_its_expected_outcome(example):
    check = KINDS.get(example["check"])
    assert check is not None, f"nobody knows how to check {example['check']!r}"
    check(example)


def test_an_unknown_kind_fails():
    with pytest.raises(AssertionError, match="nonsense"):
        test_example_has_its_expected_outcome({"id": "99", "check": "nonsense"})


def for_the_runner(kind):
    """Return the examples that test the runner itself, next to the checks: valid ones in other notations, or wrong
    ones."""
    files = [yaml.load(path.read_text(), yaml.CSafeLoader) for path in sorted((ROOT / "tests").rglob("written.yaml"))]
    return pytest.mark.parametrize(
        "it", [row for file in files for row in file.get(kind, [])], ids=lambda e: e["check"]
    )


@for_the_runner("written")
def test_values_have_several_accepted_spellings(it):
    test_example_has_its_expected_outcome(it)


@for_the_runner("wrong")
def test_a_wrong_expectation_fails(it):
    with pytest.raises(AssertionError):
        test_example_has_its_expected_outcome(it)
