"""Tests that every game has its pages, its worked examples, and the files needed to test it."""

from pathlib import Path

import pytest

from domain.games.catalogue import BUILT_IN, folder_of

BROUGHT = ("rulebook.md", "proof.md", "examples.yaml", "verify.mjs")
FOR_TESTS = ("law.py", "examples.py", "phases.txt")


@pytest.mark.parametrize("name", BROUGHT)
@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_folder_of_a_game_has_its_pages(game, name):
    assert (folder_of(game) / name).is_file(), f"{game.words.title} has no {name} in {folder_of(game)}"


@pytest.mark.parametrize("name", FOR_TESTS)
@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_tests_of_a_game_include_the_files_for_common_tests(game, name):
    folder = Path(__file__).parent / game.name
    assert (folder / name).is_file(), f"{game.words.title} has no {name} in {folder}"
