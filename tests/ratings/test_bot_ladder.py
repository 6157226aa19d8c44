"""Tests the comparison of bot levels: duplicate deals, and an early end once the better level is clearly ahead."""

from importlib.util import find_spec

import pytest

from bench import bots
from bench.bots import Found, compared_levels, options_of
from domain.games.catalogue import GAMES

SHORT = [game for game in GAMES.values() if game.setup.most_hands(options_of(game), game.setup.usual) == 1]
STEPS = [
    pytest.param(game, better, worse, id=f"{game.name}-{better}")
    for game in SHORT
    for better, worse in bots.LADDER
    if better != "strong" or find_spec(f"{game.words.rulebook}.search")
]
"""The steps of the ladder; in a game without a search, `strong` plays like `steady`."""


@pytest.mark.parametrize("game", SHORT, ids=lambda game: game.name)
def test_equal_levels_have_no_lead_on_duplicate_deals(game):
    """The luck of the cards cancels out, because every seat plays the same deal once."""
    found = compared_levels(game, "steady", "steady", 3)
    assert found.leads == pytest.approx([0.0] * 3)
    assert found.won == pytest.approx([0.0] * 3)
    assert len(found.seconds) > 3 * game.setup.usual


@pytest.mark.parametrize(("leads", "clear"), [([1.0, 2.0] * 10, True), ([5.0, -5.0] * 10, False), ([1.0, 2.0], False)])
def test_a_match_ends_early_only_once_the_lead_is_clear(leads, clear):
    assert Found(leads, [0.0, 0.1] * (len(leads) // 2) if clear else leads).is_clear() is clear


@pytest.mark.long
@pytest.mark.parametrize(("game", "better", "worse"), STEPS)
def test_each_bot_level_beats_the_level_below(game, better, worse, monkeypatch):
    monkeypatch.setattr(bots, "MILLISECONDS", 20)
    found = compared_levels(game, better, worse, 1_000)
    assert max(found.ahead(found.leads), found.ahead(found.won)) > 1.5
