"""A game brings its pages, its worked examples, and what others need to test it."""

from pathlib import Path

import pytest

from domain.games.catalogue import BUILT_IN, folder_of

BROUGHT = ("rulebook.md", "proof.md", "examples.yaml", "verify.mjs")
FOR_TESTS = ("law.py", "examples.py", "phases.txt")


@pytest.mark.parametrize("name", BROUGHT)
@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_a_games_folder_has_its_pages(game, name):
    assert (folder_of(game) / name).is_file(), f"{game.words.title} has no {name} in {folder_of(game)}"


@pytest.mark.parametrize("name", FOR_TESTS)
@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_a_games_tests_have_what_the_common_ones_need(game, name):
    folder = Path(__file__).parent / game.name
    assert (folder / name).is_file(), f"{game.words.title} has no {name} in {folder}"
