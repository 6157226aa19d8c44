"""Tests the tutorial: its game obeys the contract, the laws and its examples, and its page shows the actual files."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import yaml
from click.testing import CliRunner
from high_card import GAME

from api.cli.check_game_command import check_game
from api.game_checks.checks import play_table
from api.game_checks.safe_calls import CheckFailed
from api.game_checks.secret_checks import check_secrets
from domain.core.scene import TURN
from tests.games.high_card.examples import ABOUT, KINDS
from tests.games.high_card.law import ENTRIES
from tests.laws import test_laws
from tests.laws.play import steps

PAGE = Path(__file__).parents[3] / "docs" / "tutorial" / "your-first-game.md"
PACKAGE = PAGE.parent / "high_card"
SHOWN = ("pyproject.toml", *(f"high_card/{path.name}" for path in sorted(PACKAGE.glob("high_card/*.py"))))
LAWS = {name: law.holds for name, law in vars(test_laws).items() if hasattr(law, "holds")}


def test_tutorial_shows_the_output_of_the_check(monkeypatch):
    monkeypatch.syspath_prepend(PACKAGE)
    checked = CliRunner().invoke(check_game, ["high_card"])
    assert checked.exit_code == 0
    assert f"```\n$ dealt check-game high_card\n{checked.output}```" in PAGE.read_text()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"for {entry.seats}")
def test_game_definition_is_built_from_play(entry):
    (options, *_), rng = next(iter(entry.blocks.values())), Random(entry.seats)
    play_table(entry, options, rng, moves=60)


def test_check_finds_events_that_show_hidden_cards_unless_declared_facts():
    """`RoundWon` turns up the laid cards, and is then not declared as a fact."""
    rows, rng = next(iter(ENTRIES[1].blocks.values())), Random(0)
    games = (steps(ENTRIES[1], rows[0], Random(seed)) for seed in range(20))
    with pytest.raises(CheckFailed, match="shows a spectator a card that it was not dealt"):
        [check_secrets(replace(ENTRIES[1], facts=frozenset()), game, None, rng) for game in games]


@pytest.mark.parametrize("name", sorted(LAWS))
def test_tutorial_game_obeys_the_laws(name):
    for entry in ENTRIES:
        for options in next(iter(entry.blocks.values())):
            rng = Random(f"{name} {options}")
            LAWS[name](entry, steps(entry, options, rng, 2), rng)


@pytest.mark.parametrize(
    "example", yaml.safe_load((PACKAGE / "high_card/examples.yaml").read_text()), ids=lambda e: e["id"]
)
def test_worked_example_of_the_rulebook_is_correct(example):
    KINDS[example["check"]](example)


@pytest.mark.parametrize(("seats", "options", "said"), ABOUT)
def test_every_option_is_described(seats, options, said):
    assert said in GAME.words.about(GAME.setup.options(**options), seats)


@pytest.mark.parametrize("name", SHOWN)
def test_tutorial_shows_the_files_unchanged(name):
    shown = re.findall(rf"`{re.escape(name)}`\n\n```\w+\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert lines("".join(shown)) == lines((PACKAGE / name).read_text())


def lines(text):
    """Return the lines that are not empty."""
    return [line for line in text.splitlines() if line.strip()]


def test_scene_shows_whose_turn_it_is():
    state = next(steps(ENTRIES[0], next(iter(ENTRIES[0].blocks.values()))[0], Random(1))).after
    assert [seat.seat for seat in GAME.scene(state, None).seats if TURN in seat.badges] == [0, 1]
