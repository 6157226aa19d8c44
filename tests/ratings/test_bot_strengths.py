"""Luck and bots: each built-in game has figures of its own, and what measures them finds what is there."""

from itertools import pairwise
from random import Random

import pytest

from bench.bot_strengths import likeliest, pools
from bench.foretold import MOST_ERROR, MOST_LOSS, Played, best_late, foretold, simulated
from domain.core.strengths import BOT_LEVELS
from domain.games.catalogue import BUILT_IN, GAMES
from tests.ratings.bot_tables import of_level, places, thinking

RATED = [game for game in BUILT_IN if game.setup.winnable]
KNOWN = [game for game in RATED if game.setup.strengths.usual.bots]


@pytest.mark.parametrize("game", KNOWN, ids=lambda game: game.name)
def test_the_sound_bot_is_as_strong_as_a_new_player_and_better_than_those_that_err(game):
    for figures in (game.setup.strengths.usual, *game.setup.strengths.apart.values()):
        if figures.bots:
            assert [*figures.bots] == [*BOT_LEVELS]
            assert all(worse <= better for worse, better in pairwise(figures.bots.values()))
            assert (figures.bots["steady"], figures.bots["strong"]) == (1500, 1500)


def test_a_game_of_chance_has_more_luck_than_a_game_of_skill():
    luck = {game.name: game.setup.strengths.usual.beta for game in KNOWN}
    assert luck["crazy_eights"] > 2 * luck["gin_rummy"] > luck["trio"]


@pytest.mark.parametrize(
    "game", [game for game in RATED if game.name != "two_handed_hearts"], ids=lambda game: game.name
)
def test_bots_play_a_match_to_its_places(game):
    seats, options = game.setup.usual, game.setup.options(**game.setup.resolve({}, game.setup.usual))
    players = [of_level(game, "random"), thinking(game, 1.0), *[thinking(game, 0.0)] * (seats - 2)]
    came_in = places(game, options, players, Random(1))
    assert len(came_in) == seats
    assert min(came_in) == 1


def test_every_class_of_options_of_a_preset_is_measured():
    found = {(pool.game, pool.name) for pool in pools()}
    assert {game.name for game in RATED} <= {name for name, _ in found}
    assert all(name == "usual" or GAMES[game].setup.presets for game, name in found)


@pytest.mark.long
def test_skills_that_made_results_are_found_in_them():
    skills = [0.0, 0.5, 1.0, 1.5, 2.0]
    matches = simulated(Random(1), skills, 3, 3, 3_000)
    found = likeliest(matches, len(skills))
    assert [one - found[0] for one in found] == pytest.approx(skills, abs=0.2)
    winners = likeliest(matches, len(skills), winners=True)
    assert [one - winners[0] for one in winners] == pytest.approx(skills, abs=0.3)


def test_sides_that_are_level_are_equally_skilled():
    first, second, third = likeliest([Played([[0], [1], [2]], [1, 1, 3])] * 50, 3)
    assert first == pytest.approx(second)
    assert first > third + 1


def test_simulated_matches_are_foretold_nearly_as_by_the_skills_themselves():
    rng = Random(2)
    skills = [rng.gauss(0, 0.6) for _ in range(60)]
    matches = simulated(rng, skills, 2, 2, 6_000)
    ours = foretold(matches, len(skills), 500.0)
    assert 100 * (ours.late / best_late(matches, skills) - 1) <= MOST_LOSS
    assert ours.error <= 2 * MOST_ERROR
    # With luck that is far too small, every match is taken for a proof.
    assert foretold(matches, len(skills), 50.0).surprise > ours.surprise
