"""Seats entrants at tables of more than two: a local search from the order of the standings (tournament 3.5).

The cost of a table is what its entrants have met before, then the spread of their points, then who are of one club.
The search begins with slices of the standings' order. It swaps two entrants of two tables as long as that makes both
tables together cheaper, the best swap first. Where repeated meetings are left it swaps two entrants that chance names
and searches again, and keeps the best that it has found. It counts its tries and knows no clock, so that the same
standings, history and draws give the same tables everywhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from domain.core.fairness import below
from domain.core.values import value

REPEAT: Final = 1_000_000
"""The cost of two entrants at a table who have met once; it grows with the square of their meetings."""

SPREAD: Final = 100
"""The cost of each point between the first and the last of a table."""

CLUB: Final = 1
"""The cost of two entrants of one club at a table."""

KICKS: Final = 200
"""The most swaps by chance from which the search begins anew."""

NEAR: Final = 6
"""How far apart two tables are, in the order of the standings, of which two entrants are swapped for the spread."""

TRIES: Final = 60_000
"""The most swaps whose cost is compared after the first search, so that a round of many tables takes no longer."""

Meetings = Mapping[tuple[int, int], int]
"""How often two entrants have met, the lower number first; pairs that have not met are left out."""


@value
class Field:
    """The facts about the entrants of a round: their points, who has met whom, and the clubs of those who have one."""

    points: Mapping[int, int]
    met: Meetings
    clubs: Mapping[int, str]

    def times(self, a: int, b: int) -> int:
        """Say how often two entrants have met."""
        return self.met.get((a, b) if a < b else (b, a), 0)

    def cost(self, table: Sequence[int]) -> int:
        """Give the cost of a table: the sum over its pairs, and the spread of its points."""
        met, clubs, total = self.met, self.clubs, 0
        for a, b in combinations(table, 2):
            total += REPEAT * met.get((a, b) if a < b else (b, a), 0) ** 2
            if a in clubs and clubs[a] == clubs.get(b):
                total += CLUB
        points = [self.points[one] for one in table]
        return total + SPREAD * (max(points) - min(points))


def tables_of(order: Sequence[int], sizes: Sequence[int], field: Field, draws: Iterator[int] | None) -> list[list[int]]:
    """Give the tables of these sizes for entrants in the order of the standings.

    `draws` are 32-bit words of chance; None: no swaps by chance are tried.
    """
    search = _TableSearch(order, sizes, field)
    search.improve(range(len(sizes)), REPEAT)
    if len(sizes) > 1 and draws is not None:
        search.kick(draws)
    search.improve(range(len(sizes)), 1)
    places = {one: i for i, one in enumerate(order)}
    return [sorted(table, key=places.__getitem__) for table in search.tables]


class _TableSearch:
    """The tables as they are during a search, and the cost of each."""

    def __init__(self, order: Sequence[int], sizes: Sequence[int], field: Field) -> None:
        rest = iter(order)
        self.field = field
        self.tables = [[next(rest) for _ in range(size)] for size in sizes]
        self.costs = [field.cost(table) for table in self.tables]
        self.tries = 0

    def improve(self, begin: Sequence[int], least: int) -> None:
        """Make the best swap for each table that costs `least` or more, and for those it changes, until none helps."""
        waiting = [i for i in begin if self.costs[i] >= least]
        while waiting:
            i = waiting.pop(0)
            if self.costs[i] < least or (best := self._best(i)) is None:
                continue
            self._swap(*best)
            waiting += [at for at in (i, best[2]) if self.costs[at] >= least and at not in waiting]

    def kick(self, draws: Iterator[int]) -> None:
        """Swap by chance where repeated meetings are left, and keep what is best."""
        best = (sum(self.costs), [list(table) for table in self.tables], list(self.costs))
        begin = self.tries
        for _ in range(KICKS):
            bad = [i for i, cost in enumerate(self.costs) if cost >= REPEAT]
            if not bad or self.tries - begin > TRIES:
                break
            i = bad[below(draws, len(bad))]
            j = (i + 1 + below(draws, len(self.tables) - 1)) % len(self.tables)
            self._swap(i, below(draws, len(self.tables[i])), j, below(draws, len(self.tables[j])))
            self.improve(range(len(self.tables)), REPEAT)
            if sum(self.costs) < best[0]:
                best = (sum(self.costs), [list(table) for table in self.tables], list(self.costs))
            else:
                self.tables, self.costs = [list(table) for table in best[1]], list(best[2])
        self.tables, self.costs = best[1], best[2]

    def _best(self, i: int) -> tuple[int, int, int, int] | None:
        """Give the swap that saves most for a table, the nearest of those that save the same; None if none saves."""
        found, saved = None, 0
        repeats = self.costs[i] >= REPEAT
        for j in sorted(range(len(self.tables)), key=lambda j: abs(j - i)):
            if j == i:
                continue
            if not repeats and abs(j - i) > NEAR:
                break
            before = self.costs[i] + self.costs[j]
            for a in range(len(self.tables[i])):
                for b in range(len(self.tables[j])):
                    self.tries += 1
                    after = sum(self._swapped(i, a, j, b))
                    if before - after > saved:
                        found, saved = (i, a, j, b), before - after
            if found is not None and self.costs[i] - saved < REPEAT:
                break  # none farther away is wanted
        return found

    def _swapped(self, i: int, a: int, j: int, b: int) -> tuple[int, int]:
        """Give the costs of two tables after a swap, which is undone."""
        one, other = self.tables[i], self.tables[j]
        one[a], other[b] = other[b], one[a]
        costs = self.field.cost(one), self.field.cost(other)
        one[a], other[b] = other[b], one[a]
        return costs

    def _swap(self, i: int, a: int, j: int, b: int) -> None:
        one, other = self.tables[i], self.tables[j]
        one[a], other[b] = other[b], one[a]
        self.costs[i], self.costs[j] = self.field.cost(one), self.field.cost(other)
