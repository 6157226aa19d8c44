"""Tests pots, the button, and who shows first (poker 2.10, 3, 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.cards import NOBODY
from domain.poker.betting_play import order, shows
from domain.poker.button import Positions, first, move_button, posts_small
from domain.poker.pots import Pot, Share, form_pots, split_pot, uncalled_bet

# --- Pots ----------------------------------------------------------------------------------------------


def pots(contributions, folded=(), dead=0):
    live = [seat not in folded for seat in range(len(contributions))]
    return [(pot.amount, pot.eligible) for pot in form_pots(contributions, live, dead)]


def test_each_all_in_level_makes_a_pot():
    assert pots((50, 120, 200, 200, 30), folded=[4]) == [(230, (0, 1, 2, 3)), (210, (1, 2, 3)), (160, (2, 3))]


def test_folded_chips_above_the_top_level_join_the_last_pot():
    assert pots((20, 50, 50), folded=[1, 2]) == [(120, (0,))]
    assert pots((20, 40, 60, 60), folded=[2, 3]) == [(80, (0, 1)), (100, (1,))]


def test_dead_money_is_in_the_main_pot():
    assert pots((10, 40, 40), dead=5) == [(35, (0, 1, 2)), (60, (1, 2))]


def test_seat_without_a_contribution_opens_no_pot():
    assert pots((0, 1, 1), folded=[1, 2]) == [(2, (0,))]


@pytest.mark.parametrize(
    ("contributions", "share"),
    [
        ((100, 40), Share(0, 60)),
        ((40, 40, 7), None),
        ((1, 0, 0), Share(0, 1)),
        ((20, 60, 20), Share(1, 40)),
    ],
)
def test_unmatched_chips_are_returned(contributions, share):
    assert uncalled_bet(contributions) == share


@given(
    st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=2, max_size=10).filter(
        lambda seats: any(live for _, live in seats)
    ),
    st.integers(0, 9),
)
def test_pots_add_up_to_all_contributions_and_each_can_be_won(seats, dead):
    contributions, live = zip(*seats, strict=True)
    made = form_pots(contributions, live, dead)
    assert sum(pot.amount for pot in made) == sum(contributions) + dead
    for pot in made:
        assert pot.amount > 0
        assert pot.eligible
        assert all(live[seat] for seat in pot.eligible)
    assert len({pot.eligible for pot in made}) == len(made)


def test_odd_chips_go_to_the_left_of_the_button():
    shares = split_pot(Pot(101, (0, 2, 5)), {0: 1, 2: 1, 5: 1}, button=4, seats=6)
    assert [(s.seat, s.amount) for s in shares] == [(5, 34), (0, 34), (2, 33)]


def test_pot_goes_to_the_best_eligible_hand():
    assert split_pot(Pot(9, (1, 2)), {0: 9, 1: 3, 2: 5}, button=0, seats=3) == (Share(2, 9),)


# --- The button ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alive", "due"),
    [
        ([0, 1, 2, 3], (1, 2, 3)),
        ([0, 2, 3], (1, 2, 3)),  # nobody sits on the button
        ([0, 1, 3], (1, NOBODY, 3)),  # nobody posts the small blind
        ([1, 2, 3], (1, 2, 3)),
        ([0, 3], (0, 0, 3)),  # heads-up: the button posts the small blind
        ([1, 2], (2, 2, 1)),  # and whoever had the big blind does not have it again
        ([2, 3], (2, 2, 3)),
    ],
)
def test_big_blind_moves_left_and_the_other_positions_follow(alive, due):
    at = move_button(Positions(0, 1, 2), alive, 4)
    assert (at.button, posts_small(at, alive), at.big) == due


def test_button_passes_two_empty_seats_in_successive_hands():
    at = move_button(Positions(0, 1, 2), [0, 1, 3], 4)
    assert (at.button, at.small, at.big) == (1, 2, 3)
    at = move_button(at, [0, 1, 3], 4)
    assert (at.button, at.small, at.big) == (2, 3, 0)


@pytest.mark.parametrize(
    ("button", "alive", "due"), [(1, [0, 1, 2], (1, 2, 0)), (0, [0, 1], (0, 0, 1)), (3, [1, 3], (3, 3, 1))]
)
def test_first_hand_has_the_expected_positions(button, alive, due):
    at = first(button, alive, 4)
    assert (at.button, at.small, at.big) == due


@given(st.integers(2, 10), st.randoms(use_true_random=False))
def test_no_seat_posts_the_big_blind_twice_in_a_row(seats, rng):
    alive = list(range(seats))
    at = first(rng.choice(alive), alive, seats)
    while len(alive) > 2:
        if rng.random() < 0.5:
            alive.remove(rng.choice(alive))
        before = at.big
        at = move_button(at, alive, seats)
        assert at.big != before
        assert at.big in alive
        assert at.button != at.big
        assert posts_small(at, alive) in (NOBODY, *alive)


# --- Who shows ------------------------------------------------------------------------------------------


def test_last_bettor_shows_first():
    assert order([0, 2, 3], aggressor=2, button=0, seats=4) == [2, 3, 0]


@pytest.mark.parametrize("aggressor", [NOBODY, 1])
def test_first_seat_left_of_the_button_shows_first_without_a_bet(aggressor):
    """This holds even if the last aggressor has folded since."""
    assert order([0, 2, 3], aggressor, button=0, seats=4) == [2, 3, 0]
    assert order([0, 2, 3], aggressor, button=2, seats=4) == [3, 0, 2]


def test_beaten_hand_need_not_show_and_tied_hand_must():
    assert shows([2, 3, 0, 1], {2: 5, 3: 4, 0: 5, 1: 6}, [(0, 1, 2, 3)]) == {
        2: True,
        3: False,
        0: True,
        1: True,
    }


def test_a_hand_that_can_win_a_side_pot_is_shown():
    assert shows([0, 1, 2], {0: 9, 1: 3, 2: 2}, [(0, 1, 2), (1, 2)]) == {0: True, 1: True, 2: False}
