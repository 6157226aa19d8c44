"""Tests that entrants are ranked by points, and that ties are broken by the rules."""

from fractions import Fraction

import pytest

from domain.tournament.rounds import PlayedRound, TableResult, points_of
from domain.tournament.tournament_standings import standings

A, B, C, D = range(4)


def duel(one, other, wins, drawn=0):
    """Return a table of two that ended with these games won."""
    places = (1, 1) if wins[0] == wins[1] else (1, 2) if wins[0] > wins[1] else (2, 1)
    return TableResult((one, other), places, wins, sum(wins) + drawn, drawn)


def ranked(order, *rounds, seats=2):
    return standings(order, [PlayedRound(tuple(tables), tuple(byes)) for tables, byes in rounds], seats)


def test_worked_example_of_the_rulebook_is_correct():
    """There are four players and two rounds: A beats B 2–0, C beats D 2–1; A beats C 2–1, B draws with D 1–1."""
    rows = ranked(
        (D, C, B, A), ([duel(A, B, (2, 0)), duel(C, D, (2, 1))], ()), ([duel(A, C, (2, 1)), duel(B, D, (1, 1))], ())
    )
    assert [row.entrant for row in rows] == [A, C, B, D]
    assert [row.points for row in rows] == [6, 3, 1, 1]
    by = {row.entrant: row for row in rows}
    assert by[B].opponents == Fraction(2, 3)
    assert by[D].opponents == Fraction(5, 12)
    assert by[A].opponents == Fraction(5, 12)  # B has 1/6 and counts as 1/3, C has 1/2
    assert by[A].games == Fraction(4, 5)


def test_bye_counts_as_two_won_games_without_an_opponent():
    rows = ranked((A, B, C), ([duel(A, B, (2, 1))], (C,)))
    by = {row.entrant: row for row in rows}
    assert (by[C].points, by[C].games, by[C].opponents, by[C].byes) == (3, 1, 0, 1)
    assert [row.entrant for row in rows] == [A, C, B]  # A's opponent counts, if only as a third


def test_direct_result_breaks_a_tie_of_two():
    rows = ranked((B, A), ([duel(A, B, (1, 0))], ()), ([duel(B, A, (0, 0), 1)], ()))
    assert [row.entrant for row in rows] == [A, B]
    beaten = ranked((B, A), ([duel(A, B, (2, 1))], ()), ([duel(B, A, (2, 1))], ()))
    assert (beaten[0].points, beaten[0].games) == (beaten[1].points, beaten[1].games)
    assert [row.entrant for row in beaten] == [B, A]  # one each: the shuffle


def test_winner_of_the_direct_match_ranks_first_at_equal_rates():
    # B is first in the shuffle. A and B have one win and one loss each, and each has met the other and one of two
    # whose records are alike.
    rounds = ([duel(A, B, (1, 0)), duel(C, D, (0, 0), 1)], ()), ([duel(A, C, (0, 1)), duel(B, D, (1, 0))], ())
    third = ([duel(A, D, (0, 0), 1), duel(B, C, (0, 0), 1)], ())
    rows = ranked((B, A, C, D), *rounds, third)
    assert {row.entrant: row.points for row in rows} == {C: 5, A: 4, B: 4, D: 2}
    key = {row.entrant: (row.opponents, row.games, row.opponents_games) for row in rows}
    assert key[A] == key[B]
    assert [row.entrant for row in rows] == [C, A, B, D]


def test_three_way_tie_is_in_shuffle_order():
    circle = [([duel(A, B, (1, 0))], (C,)), ([duel(B, C, (1, 0))], (A,)), ([duel(C, A, (1, 0))], (B,))]
    assert [row.entrant for row in ranked((C, A, B), *circle)] == [C, A, B]


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), (3, 0)),
        ((1, 1), (1, 1)),
        ((2, 2), (0, 0)),
        ((1, 2, 3, 4), (6, 4, 2, 0)),
        ((2, 1, 2, 4), (3, 6, 3, 0)),
        ((1, 1, 1, 1), (3, 3, 3, 3)),
        ((4, 4, 4, 4), (0, 0, 0, 0)),
        ((3, 1, 2), (0, 4, 2)),
    ],
)
def test_points_depend_on_the_number_of_seats_behind(places, points):
    result = TableResult(tuple(range(len(places))), places, (0,) * len(places), 1, 0)
    assert tuple(points_of(result, seat) for seat in range(len(places))) == points


@pytest.mark.parametrize(
    ("places", "seats", "points"),
    [
        ((1, 2, 3), 4, (6, 3, 0)),
        ((1, 1, 3), 4, (4, 4, 0)),
        ((1, 2), 4, (6, 0)),
        ((1, 1), 4, (3, 3)),
        ((2, 2), 4, (0, 0)),
        ((1, 2, 3, 4), 5, (8, 5, 2, 0)),
        ((1, 2), 2, (3, 0)),
    ],
)
def test_smaller_table_counts_as_much_as_a_full_one(places, seats, points):
    result = TableResult(tuple(range(len(places))), places, (0,) * len(places), 1, 0)
    assert tuple(points_of(result, seat, seats) for seat in range(len(places))) == points


def test_winner_of_a_smaller_table_scores_like_a_full_one():
    full = TableResult((0, 1, 2, 3), (1, 2, 3, 4), (1, 0, 0, 0), 1, 0)
    small = TableResult((4, 5), (1, 2), (1, 0), 1, 0)
    played = [PlayedRound((full, small), ())]
    points = {row.entrant: row.points for row in standings(range(6), played, 4)}
    assert points == {0: 6, 1: 4, 2: 2, 3: 0, 4: 6, 5: 0}


def test_bots_count_as_beaten_but_not_as_opponents():
    table = TableResult((A, None, B, None), (1, 2, 3, 4), (1, 0, 0, 0), 1, 0)
    rows = ranked((A, B), ([table], ()), seats=4)
    assert [(row.entrant, row.points, row.opponents) for row in rows] == [(A, 6, Fraction(1, 3)), (B, 2, 1)]
