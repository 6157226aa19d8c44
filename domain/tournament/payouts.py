"""Says what each place of a tournament of many tables wins of all that was put in (tournament 12.8)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

PAYOUTS: Final[tuple[tuple[int, tuple[int, ...]], ...]] = (
    (3, (100,)),
    (6, (65, 35)),
    (10, (50, 30, 20)),
    (20, (45, 28, 17, 10)),
    (30, (40, 25, 15, 12, 8)),
    (50, (35, 22, 15, 11, 8, 5, 4)),
    (100, (30, 20, 14, 10, 8, 6, 5, 4, 3)),
    (1024, (25, 16, 12, 9, 7, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1)),
)
"""The percentages that the places get, first place first, for at most this number of entrants."""


def payouts_of(entrants: int) -> tuple[int, ...]:
    """Give the parts of a hundred that the places get, from the first; places behind them get nothing."""
    return next(parts for most, parts in PAYOUTS if entrants <= most)


def shares_of(places: Mapping[int, int]) -> dict[int, Fraction]:
    """Give what each entrant gets, by places; who shares one gets an equal part of what its places get together."""
    parts = (*payouts_of(len(places)), *[0] * len(places))
    row = list(places.values())
    return {
        one: Fraction(sum(parts[place - 1 : place - 1 + row.count(place)]), row.count(place))
        for one, place in places.items()
    }
