"""The time of a simulation, and its scheduled actions."""

import heapq
from collections.abc import Callable, Sequence
from itertools import count

from domain.core.clock import Time

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

Interval = tuple[int, int]


class Timeline:
    """A clock that jumps from one action to the next."""

    def __init__(self, at: int) -> None:
        self.at = at
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._number = count()

    def __call__(self) -> Time:
        return Time(self.at)

    def then(self, at: int, what: Callable[[], None]) -> None:
        """Schedule an action; a past time means now."""
        heapq.heappush(self._agenda, (max(at, self.at), next(self._number), what))

    def upcoming(self) -> int | None:
        """Return the time of the next action."""
        return self._agenda[0][0] if self._agenda else None

    def step(self) -> None:
        """Advance to the next action, and run it."""
        at, _, what = heapq.heappop(self._agenda)
        self.at = max(self.at, at)
        what()


def merged(gaps: Sequence[Interval]) -> list[Interval]:
    """Merge overlapping intervals."""
    found: list[Interval] = []
    for a, b in sorted(gaps):
        if found and a <= found[-1][1]:
            found[-1] = (found[-1][0], max(b, found[-1][1]))
        elif b > a:
            found.append((a, b))
    return found


def outside(start: int, end: int, gaps: Sequence[Interval]) -> list[Interval]:
    """Return the parts of a period that lie in none of the gaps."""
    parts, at = [], start
    for a, b in merged(gaps):
        if a >= end:
            break
        if a > at:
            parts.append((at, a))
        at = max(at, b)
    return [*parts, (at, end)] if at < end else parts


def length(parts: Sequence[Interval]) -> int:
    return sum(b - a for a, b in parts)
