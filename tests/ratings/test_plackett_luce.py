"""Tests the rating model: against another implementation, over all orders of a tie, and by invariants."""

import json
from collections.abc import Sequence
from itertools import permutations
from math import exp, isclose, log, prod, sqrt
from pathlib import Path
from random import Random

import pytest

from bench.foretold import drawn as drawn_places
from domain.core.clock import DAY
from domain.core.strengths import Figures
from domain.games.catalogue import BUILT_IN
from domain.ratings import plackett_luce as model
from domain.ratings.plackett_luce import SIGMA, Rating, expected_places, first_chances, rate_sides, rating_after_idle
from tests.draws import draws

BETA = 500.0

THEIRS = json.loads(Path(__file__).with_name("openskill.json").read_text())
"""Matches without ties, and the results of PlackettLuce in openskill 6.2.0: mu 1500, sigma 500, tau 0, gamma 1."""


POOLS = {
    f"{game.name}-{name}": (figures, game.setup.usual)
    for game in BUILT_IN
    if game.setup.winnable
    for name, figures in (("usual", game.setup.strengths.usual), *game.setup.strengths.apart.items())
}
"""The figures of every class of options, with the usual seats of its game."""


def alone(*mus: float, sigma: float = SIGMA) -> list[list[Rating]]:
    return [[Rating(float(mu), sigma)] for mu in mus]


def gains(sides: list[list[Rating]], places: Sequence[int], below: float = 1.0) -> list[float]:
    return [
        after[0].mu - before[0].mu for before, after in zip(sides, rate_sides(sides, places, BETA, below), strict=True)
    ]


def probable(mus: list[float], scale: float, order: Sequence[int], below: float) -> float:
    """Return the probability that players finish in this order, the first one first."""
    strengths = [exp(mus[one] / scale) for one in order]
    powers: list[float] = [strength**below for strength in strengths]
    behind = [powers[at] / sum(powers[at:]) for at in range(1, len(order))]
    return strengths[0] / sum(strengths) * prod(behind)


def drawn(rng: Random, n: int) -> list[list[Rating]]:
    return [[Rating(rng.gauss(1500, 300), rng.uniform(60, 500))] for _ in range(n)]


@pytest.mark.parametrize(
    "case", THEIRS, ids=lambda case: f"{len(case['sides'])}x{len(case['sides'][0])}-{case['beta']}"
)
def test_ratings_without_ties_match_another_library(case):
    sides = [[Rating(*rating) for rating in side] for side in case["sides"]]
    ours = rate_sides(sides, case["places"], case["beta"])
    for side, theirs in zip(ours, case["after"], strict=True):
        for rating, (mu, sigma) in zip(side, theirs, strict=True):
            assert isclose(rating.mu, mu, abs_tol=1e-5)
            assert isclose(rating.sigma, sigma, abs_tol=1e-5)


def test_three_tied_for_second_are_rated_above_the_last():
    first, *level, last = gains(alone(1500, 1500, 1500, 1500, 1500), [1, 2, 2, 2, 5])
    assert level == pytest.approx([level[0]] * 3)
    assert first > level[0] > 0 > last


@pytest.mark.parametrize("below", [0.0, 0.4, 1.0])
def test_rating_change_is_the_gradient_of_the_log_likelihood(below):
    mus, places = [1300.0, 1500.0, 1600.0, 1850.0], [3, 1, 4, 2]
    order, scale = [1, 3, 0, 2], sqrt(4 * 200**2 + 4 * BETA**2)
    changes = gains(alone(*mus, sigma=200), places, below)
    for at, change in enumerate(changes):
        more, less = (
            log(probable([mu + step * (other == at) for other, mu in enumerate(mus)], scale, order, below))
            for step in (0.01, -0.01)
        )
        assert change == pytest.approx(200**2 * (more - less) / 0.02, abs=1e-4)


def test_lower_places_with_weight_zero_have_no_effect():
    first, *others = gains(alone(1500, 1500, 1500, 1500), [1, 2, 3, 4], below=0.0)
    assert first > 0 > others[0]
    assert others == pytest.approx([others[0]] * 3)
    half, fully = (gains(alone(1500, 1500, 1500, 1500), [1, 2, 3, 4], below)[3] for below in (0.5, 1.0))
    assert others[0] > half > fully


@pytest.mark.parametrize("places", [[1, 1], [1, 1, 3], [1, 2, 2, 2], [1, 1, 1, 4, 4], [3, 1, 1, 3, 3, 6]])
def test_tie_changes_ratings_by_the_mean_of_all_orders(places):
    sides = drawn(Random(7), len(places))
    orders = [
        order
        for order in permutations(range(len(places)))
        if all(order[a] < order[b] for a, x in enumerate(places) for b, y in enumerate(places) if x < y)
    ]
    means = [sum(gains(sides, order)[s] for order in orders) / len(orders) for s in range(len(places))]
    assert gains(sides, places) == pytest.approx(means)


def test_many_ties_are_rated_close_to_the_average_of_all_orders(monkeypatch):
    sides, places = drawn(Random(3), 9), [1, 2, 2, 2, 2, 2, 2, 2, 9]
    nearly = gains(sides, places)
    monkeypatch.setattr(model, "FEW", 7)
    exactly = gains(sides, places)
    assert nearly == pytest.approx(exactly, abs=0.02 * max(map(abs, exactly)))


@pytest.mark.parametrize("n", [2, 4, 6, 7, 32])
def test_tie_of_equal_players_changes_no_rating(n):
    assert gains(alone(*[1500] * n), [1] * n) == pytest.approx([0] * n, abs=1e-9)


def test_seats_do_not_affect_ratings():
    for rng in (Random(n) for n in range(draws(20))):
        n = rng.randint(2, 8)
        sides, places = drawn(rng, n), [rng.randint(1, 4) for _ in range(n)]
        turned = rng.sample(range(n), n)
        there = rate_sides([sides[s] for s in turned], [places[s] for s in turned], BETA)
        for s, side in zip(turned, there, strict=True):
            mine = rate_sides(sides, places, BETA)[s][0]
            assert (side[0].mu, side[0].sigma) == pytest.approx((mine.mu, mine.sigma))


def test_more_surprising_result_changes_ratings_more():
    won = [gains(alone(mu, 1500), [1, 2])[0] for mu in (900, 1200, 1500, 1800)]
    assert won == sorted(won, reverse=True)
    assert min(won) > 0


def test_certain_rating_moves_less_and_every_match_counts():
    (sure,), (new,) = rate_sides([[Rating(1500, 80)], [Rating(1500, 500)]], [1, 2], BETA)
    assert sure.mu - 1500 < 1500 - new.mu
    assert sure.sigma < 80
    assert new.sigma < 500


def test_win_counts_more_in_a_game_with_less_luck():
    little, much = (rate_sides(alone(1500, 1500), [1, 2], beta)[0][0].mu for beta in (200.0, 2000.0))
    assert little > much > 1500


def test_partners_win_together_and_the_uncertain_partner_changes_more():
    (sure, new), _ = rate_sides([[Rating(1500, 100), Rating(1500, 400)], [Rating(), Rating()]], [1, 2], BETA)
    assert 0 < sure.mu - 1500 < new.mu - 1500


@pytest.mark.parametrize("below", [0.0, 0.4, 1.0])
def test_chances_of_a_table_add_up_to_one(below):
    sides = drawn(Random(5), 4)
    mus, scale = [side[0].mu for side in sides], sqrt(sum(side[0].sigma ** 2 for side in sides) + 4 * BETA**2)
    chances = {order: probable(mus, scale, order, below) for order in permutations(range(4))}
    assert sum(chances.values()) == pytest.approx(1)
    firsts = [sum(chance for order, chance in chances.items() if order[0] == s) for s in range(4)]
    assert first_chances(sides, BETA) == pytest.approx(firsts)
    places = [sum(chance * (order.index(s) + 1) for order, chance in chances.items()) for s in range(4)]
    assert expected_places(sides, BETA, below) == pytest.approx(places)


def test_inactive_player_becomes_less_certain_up_to_a_new_player():
    rating = Rating(1700, 100)
    month, year, ages = (rating_after_idle(rating, 1000 * DAY * days).sigma for days in (30, 365, 100_000))
    assert 100 < month < year < ages == SIGMA
    assert rating_after_idle(rating, 0) == rating_after_idle(rating, -1) == rating
    assert rating_after_idle(rating, 1000 * DAY * 365).mu == 1700


def a_match_a_day(figures: Figures, seats: int, days: int) -> Rating:
    """Return the rating of an average new player who plays one match a day; all are equally strong."""
    sigma = SIGMA
    for _ in range(days):
        table = alone(*[1500] * seats, sigma=rating_after_idle(Rating(1500, sigma), 1000 * DAY).sigma)
        after = rate_sides(table, range(1, seats + 1), figures.beta, figures.lower_places_weight)
        sigma = sum(rating.sigma for (rating,) in after) / seats
    return Rating(1500, sigma)


@pytest.mark.parametrize(("figures", "seats"), POOLS.values(), ids=POOLS)
def test_daily_player_is_established_within_ten_weeks_in_every_game(figures: Figures, seats: int):
    week, ten_weeks, year = (a_match_a_day(figures, seats, days) for days in (7, 70, 365))
    assert week.provisional or figures.beta <= 500
    assert not ten_weeks.provisional
    assert year.sigma < ten_weeks.sigma


@pytest.mark.parametrize(("beta", "seats", "below"), [(500, 4, 1.0), (700, 2, 1.0), (1700, 6, 1.0), (700, 4, 0.5)])
def test_deviation_matches_the_typical_error_of_ratings(beta: float, seats: int, below: float):
    """The strengths of the players are distributed as assumed for new ones. The deviation may be slightly too large."""
    rng, players, each = Random(1), 150, 80
    true = [rng.gauss(1500, SIGMA) for _ in range(players)]
    known = [Rating()] * players
    for _ in range(each * players // seats):
        who = rng.sample(range(players), seats)
        places = drawn_places(rng, [exp((true[one] - 1500) / beta / sqrt(seats)) for one in who], below=below)
        for one, (rating,) in zip(who, rate_sides([[known[one]] for one in who], places, beta, below), strict=True):
            known[one] = rating
    off = [(rating.mu - strength) / rating.sigma for rating, strength in zip(known, true, strict=True)]
    assert 0.6 < sum(one * one for one in off) / players < 1.2
