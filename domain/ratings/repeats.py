"""Counts how often two players have met lately: the more often, the less their matches count."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from domain.core.clock import DAY, Time

Pair = tuple[str, str]
"""Two players, the lesser id first."""

DAYS: Final = 30
"""The number of days for which a match between two players is counted."""

FREE: Final = 10
"""Up to this many matches between two players in that time count in full."""


class Repeats:
    """The matches of recent days, by pairs of players on different sides.

    The count follows only from the added matches, in order; days are those of UTC.
    """

    def __init__(self) -> None:
        self._by_day: defaultdict[int, Counter[Pair]] = defaultdict(Counter)
        self._all: Counter[Pair] = Counter()
        self._last = 0

    @staticmethod
    def since(last: Time) -> Time:
        """Return the earliest time that counts if the last added match ended at `last`."""
        return Time((_day(last) - DAYS + 1) * 1000 * DAY)

    def count_meetings(self, pair: Pair) -> int:
        """Return how often these two players have met in the counted days."""
        return self._all.get(pair, 0)

    def weight(self, pair: Pair) -> float:
        """Return the weight of the next match of these two players."""
        return weight_of(self.count_meetings(pair))

    def add(self, at: Time, pairs: Iterable[Pair]) -> None:
        """Count the pairs of a match that ended at this time."""
        day = _day(at)
        if day > self._last:
            self._last = day
            for old in [old for old in self._by_day if old <= day - DAYS]:
                self._all.subtract(gone := self._by_day.pop(old))
                for pair in gone:
                    if not self._all[pair]:
                        del self._all[pair]
        if day > self._last - DAYS:
            today, all_days = self._by_day[day], self._all
            for pair in pairs:
                today[pair] = today.get(pair, 0) + 1
                all_days[pair] = all_days.get(pair, 0) + 1


def weight_of(met: int) -> float:
    """Return the weight of the next match of two players who have met this often: 1, then less and less."""
    return 1.0 if met < FREE else FREE / (met + 1)


def _day(at: Time) -> int:
    return at // (1000 * DAY)
