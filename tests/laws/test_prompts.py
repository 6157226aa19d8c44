"""Tests that every game of the catalogue has its own prompt for each decision."""

import pytest

from domain.core.game import no_prompt
from domain.games.catalogue import GAMES


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_has_prompts(game):
    assert game.words.prompt is not no_prompt
