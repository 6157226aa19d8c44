"""This module says from what tables were paired: the points of each seat, and who had met before."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from domain.tournament.rounds import BOT, Seating, TableResult, points_of


class Pairing(NamedTuple):
    """This says from what a table was paired: the points of each seat before it, and which pairs had met."""

    points: tuple[int | None, ...]
    met: tuple[tuple[int, int, int], ...]
    """Two entrants who had met before, and how often."""


def pairing_of(seats: Seating, points: Mapping[int, int], met: Mapping[tuple[int, int], int]) -> Pairing:
    """Say from what a table was paired, by what was known then."""
    again = ((*pair, met.get(pair, 0)) for pair in _pairs(seats))
    return Pairing(
        tuple(None if one is BOT else points.get(one, 0) for one in seats), tuple(each for each in again if each[2])
    )


def _pairs(seats: Seating) -> list[tuple[int, int]]:
    return list(combinations(sorted(one for one in seats if one is not BOT), 2))


class ArenaTally:
    """This is what is known of an arena as it goes on, when tables count as they end: points, and who has met."""

    def __init__(self) -> None:
        self._points: Counter[int] = Counter()
        self._met: Counter[tuple[int, int]] = Counter()

    def paired(self, tables: Sequence[Seating]) -> list[Pairing]:
        """Say from what these tables are paired; from then on their entrants have met."""
        found = [pairing_of(seats, self._points, self._met) for seats in tables]
        for seats in tables:
            self._met.update(_pairs(seats))
        return found

    def ended(self, before: TableResult | None, after: TableResult | None) -> None:
        """Count how a table has ended, and no longer how it had ended before it was ruled."""
        for sign, result in ((-1, before), (1, after)):
            for seat, one in enumerate(result.seats if result else ()):
                if one is not BOT and result is not None:
                    self._points[one] += sign * points_of(result, seat)
