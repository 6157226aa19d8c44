"""Tests the search common to all games."""

from collections import Counter
from random import Random

import pytest

from domain.core.monte_carlo import HiddenCards, SearchBudget, SearchPace, best_option

PACE = SearchPace(10.0, 1.0)


def searched(options, means, budget, seed=0, pace=PACE):
    """Search options with these mean values under noise; return the choice and the number of playouts."""
    made = Counter()

    def play_on(world, option, rng):
        made[option] += 1
        return means[option] + world + rng.gauss(0, 1)

    chosen = best_option(options, lambda rng: rng.gauss(0, 5), play_on, budget, pace, Random(seed))
    return chosen, made


@pytest.mark.parametrize("seed", range(5))
def test_search_finds_the_best_option_despite_noise(seed):
    means = dict(enumerate((0.0, 0.5, 1.5, 0.2, -1.0, 0.9, 0.1)))
    assert searched(list(means), means, SearchBudget(0, playouts=2000), seed)[0] == 2


def test_search_makes_no_more_playouts_than_its_budget():
    made = searched(range(13), dict.fromkeys(range(13), 0.0), SearchBudget(0, playouts=400))[1]
    assert 200 <= made.total() <= 400


def test_time_budget_is_converted_to_playouts_by_the_speed_of_the_game():
    means = dict.fromkeys(range(4), 0.0)
    by_time = searched(range(4), means, SearchBudget(20))
    assert by_time == searched(range(4), means, SearchBudget(0, playouts=200))


def test_better_options_are_played_more_often():
    means = dict(enumerate((0.0, 0.0, 3.0, 0.0)))
    made = searched(range(4), means, SearchBudget(0, playouts=400))[1]
    assert made[2] > 1.5 * min(made.values())


def test_rule_based_option_is_chosen_without_a_budget():
    over = SearchBudget(100, is_over=lambda: True)
    assert searched("abc", dict.fromkeys("abc", 0.0), over) == ("a", Counter())


def test_single_option_is_not_searched():
    assert searched("a", {"a": 0.0}, SearchBudget(100)) == ("a", Counter())


def test_hidden_cards_are_dealt_by_free_places_and_weight():
    weights = dict.fromkeys(range(4), (1.0, 1.0, 0.0)) | {4: (0.0, 0.0, 1.0)}
    hidden = HiddenCards(range(5), (2, 2, 1), weights.__getitem__)
    for seed in range(50):
        first, second, third = hidden.deal(Random(seed))
        assert (len(first), len(second), third) == (2, 2, [4])


def test_unlikely_cards_are_rarely_dealt():
    hidden = HiddenCards(range(4), (2, 2), lambda c: (0.05, 1.0) if c == 0 else (1.0, 1.0))
    dealt = [0 in hidden.deal(Random(seed))[0] for seed in range(400)]
    assert 0 < sum(dealt) < 90


def test_cards_that_fit_nowhere_are_not_dealt():
    assert HiddenCards([0], (0, 1), lambda c: (1.0, 0.0)).deal(Random(0)) is None


def test_rule_based_option_is_kept_if_no_other_is_clearly_better():
    """A small lead with much noise does not count; a clear one does."""
    doubtful = SearchPace(10.0, 1.0, doubt=3.0)
    small, clear = ([0.0, lead, 0.0, 0.0] for lead in (0.05, 3.0))
    chosen = {searched(range(4), small, SearchBudget(0, playouts=200), seed, doubtful)[0] for seed in range(10)}
    assert chosen == {0}
    assert searched(range(4), clear, SearchBudget(0, playouts=200), 1, doubtful)[0] == 1
