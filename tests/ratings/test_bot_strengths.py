"""Tests luck and bots: each built-in game has its own figures, and the measurement recovers known strengths."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random

import pytest

import bench
from bench import bot_strengths
from bench.bot_strengths import SHARES, enough, likeliest, played, pools, population
from bench.foretold import (
    MOST_ERROR,
    MOST_LOSS,
    Played,
    best_late,
    calibration_error,
    error_by_luck,
    foretold,
    simulated,
    spread_of,
)
from bench.tables import Table
from domain.core.strengths import BOT_LEVELS, Figures
from domain.games.catalogue import BUILT_IN, GAMES
from tests.ratings.bot_tables import of_level, places, thinking

RATED = [game for game in BUILT_IN if game.setup.winnable]
FIGURES = {game.name: (game.setup.strengths.usual, *game.setup.strengths.apart.values()) for game in RATED}
KNOWN = {name: measured for name, figures in FIGURES.items() if (measured := [one for one in figures if one.bots])}


@pytest.mark.parametrize("game", KNOWN)
def test_steady_bot_is_as_strong_as_a_new_player_and_beats_erring_bots(game):
    for figures in KNOWN[game]:
        assert [*figures.bots] == [*BOT_LEVELS]
        assert all(worse <= better for worse, better in pairwise(figures.bots.values()))
        assert (figures.bots["steady"], figures.bots["strong"]) == (1500, 1500)


def test_a_game_of_chance_has_more_luck_than_a_game_of_skill():
    luck = {game.name: game.setup.strengths.usual.beta for game in RATED}
    assert luck["crazy_eights"] > 2 * luck["gin_rummy"] > luck["hearts"]


@pytest.mark.parametrize(
    "game", [game for game in RATED if game.name != "two_handed_hearts"], ids=lambda game: game.name
)
def test_bots_play_a_match_until_all_places_are_known(game):
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
def test_estimate_recovers_the_skills_behind_simulated_results():
    skills = [0.0, 0.5, 1.0, 1.5, 2.0]
    matches = simulated(Random(1), skills, 3, 3, 3_000)
    found = likeliest(matches, len(skills))
    assert [one - found[0] for one in found] == pytest.approx(skills, abs=0.2)
    winners = likeliest(matches, len(skills), below=0.0)
    assert [one - winners[0] for one in winners] == pytest.approx(skills, abs=0.3)
    less_below = likeliest(simulated(Random(1), skills, 3, 3, 3_000, below=0.3), len(skills), below=0.3)
    assert [one - less_below[0] for one in less_below] == pytest.approx(skills, abs=0.3)


def test_tied_sides_are_estimated_as_equally_skilled():
    first, second, third = likeliest([Played([[0], [1], [2]], [1, 1, 3])] * 50, 3)
    assert first == pytest.approx(second)
    assert first > third + 1


@pytest.mark.long
def test_simulated_matches_are_predicted_nearly_as_well_as_by_true_skills():
    rng = Random(2)
    skills = [rng.gauss(0, 0.6) for _ in range(60)]
    matches = simulated(rng, skills, 2, 2, 6_000)
    ours = foretold(matches, len(skills), Figures(500.0))
    assert 100 * (ours.late / best_late(matches, skills) - 1) <= MOST_LOSS
    assert ours.error <= 2 * MOST_ERROR
    # If the luck is set far too small, every match counts as a proof.
    assert foretold(matches, len(skills), Figures(50.0)).surprise > ours.surprise


def test_lower_weight_for_lower_places_does_not_spoil_the_forecast():
    rng = Random(3)
    skills = [rng.gauss(0, 0.8) for _ in range(20)]
    matches = simulated(rng, skills, 4, 4, 2_500, below=0.3)
    known, unknown = (
        foretold(matches, len(skills), Figures(500.0, lower_places_weight=below), redraws=5) for below in (0.3, 1.0)
    )
    assert known.surprise < unknown.surprise
    assert known.error < 2 * known.floor < unknown.error


def test_error_of_correct_chances_falls_with_the_number_of_matches():
    said = [(0.1, 0.3, 0.6)] * 1_000
    few, many = error_by_luck(said[:100], 40), error_by_luck(said, 40)
    assert 0 < many < few / 2
    assert calibration_error(said, [[0]] * 100 + [[1]] * 300 + [[2]] * 600) == pytest.approx(0)
    assert calibration_error(said, [[2]] * 1_000) == pytest.approx((0.1 + 0.3 + 0.4) / 3)


def test_calibration_error_counts_chances_that_are_too_high_or_too_low():
    """As in a game of luck, all chances are nearly a quarter, and none of them is right."""
    said, first = [(0.22, 0.24, 0.26, 0.28)] * 1_000, [[0]] * 280 + [[1]] * 260 + [[2]] * 240 + [[3]] * 220
    assert calibration_error(said, first) == pytest.approx((0.06 + 0.02 + 0.02 + 0.06) / 4)
    assert calibration_error(said, [[3 - side for side in one] for one in first]) == pytest.approx(0)


def test_equal_chances_are_grouped_together():
    assert calibration_error([(0.5, 0.5)] * 100, [[0]] * 50 + [[1]] * 50) == pytest.approx(0)
    assert calibration_error([(0.5, 0.5)] * 100, [[0]] * 100) == pytest.approx(0)
    assert calibration_error([], []) == 0


def test_spread_of_forecasts_is_reported():
    assert spread_of([(0.5, 0.5)] * 9) == 0
    assert spread_of([(0.4, 0.6), (0.7, 0.3)]) == pytest.approx(((0.01 + 0.04) / 2) ** 0.5)


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_half_of_the_allowed_error_is_luck(seats):
    rng = Random(4)
    later = [[rng.gauss(1 / seats, 0.001) for _ in range(seats)] for _ in range(enough(seats) // 2)]
    assert MOST_ERROR / 2 * 0.8 < error_by_luck(later, 40) < MOST_ERROR / 2 * 1.1


def test_simulated_match_does_not_depend_on_others():
    pool = next(pool for pool in pools() if pool.game == "crazy_eights")
    with ThreadPoolExecutor(1) as alone, ThreadPoolExecutor(2) as together:
        once, again = (list(played(who, pool, SHARES, population(pool, 50))) for who in (alone, together))
    assert once == again
    assert [match.sides for match in once] == [[[one] for one in table] for table in population(pool, 50)]
    assert len({tuple(match.places) for match in once}) > 1


def test_measured_games_can_be_chosen(monkeypatch, capsys):
    asked = {}
    monkeypatch.setattr(bot_strengths, "measure", lambda *, quick, games: asked.update(games=games) or Table("none"))
    assert bench.main(["--quick", "--game=trio", "bot_strengths"]) == 0
    assert asked == {"games": ["trio"]}
    assert bench.main(["--game=whist", "bot_strengths"]) == 2
    assert "trio" in capsys.readouterr().out
