"""Tests the winner of a series (rules 1.10)."""

import pytest

from domain.match.status import Verdict, judge_series


@pytest.mark.parametrize(
    ("best_of", "games", "verdict"),
    [
        (1, [2], Verdict(2)),
        (1, [None], None),
        (1, [None, None, None], Verdict(None)),
        (3, [0, None, 1], None),
        (3, [0, None, 1, 0], Verdict(0)),
        (3, [0, 1, 2], None),
        (3, [0, *[None] * 8], Verdict(0)),
        (3, [0, 1, *[None] * 7], Verdict(None)),
        (3, [0, 1, *[None] * 6], None),
        (5, [1, 1, 0, 1], Verdict(1)),
        (3, [], None),
    ],
)
def test_series_is_won_by_the_most_games(best_of, games, verdict):
    assert judge_series(best_of, games) == verdict
