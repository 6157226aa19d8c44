"""Seats entrants at tables of more than two: a local search from the order of the standings (tournament 3.5).

The cost of a table is, in this order: earlier meetings of its entrants, the spread of their points, repeated seats, and
entrants of the same club. The search begins with slices of the standings. It swaps two entrants of two tables as long
as both tables together get cheaper, the best swap first. If repeated meetings are left, it swaps two random entrants,
searches again, and keeps the best result. It counts its steps, which are bounded, and uses no clock. So the same
standings, history and draws give the same tables everywhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import mul
from typing import Final

from domain.core.fairness import draw_below
from domain.core.values import value
from domain.tournament.rounds import BOT, Seating
from domain.tournament.tournament_plan import TournamentPlan

REPEAT: Final = 1_000_000
"""The cost of two entrants at a table who have met once; it grows with the square of their meetings."""


SPREAD: Final = 100
"""The cost of each point between the first and the last of a table."""


SEATS: Final = 10
"""The cost of a seat that two entrants at a table have both had; it is multiplied by both of their counts.

So a table is cheap if its entrants together have had all seats equally often, and each can get a seat that they had
less often.
"""


CLUB: Final = 1
"""The cost of two entrants of one club at a table."""


KICKS: Final = 200
"""The maximum number of random swaps from which the search begins again."""


NEAR: Final = 6
"""The maximum distance of two tables, in the order of the standings, that swap entrants to reduce the spread."""


TRIES: Final = 60_000
"""Maximum number of swaps to compare during random swaps, so that large rounds take no longer."""


MOST_TRIES: Final = 750_000
"""The maximum number of swaps compared in the first search, and in the last."""


MANY: Final = 1_000_000
"""More points than any entrant has."""


Meetings = Mapping[tuple[int, int], int]
"""How often two entrants have met, the lower number first; pairs that have not met are left out."""


@value
class Field:
    """Facts about the entrants of a round: their points, earlier meetings, clubs, and the seats they have had."""

    points: Mapping[int, int]
    met: Meetings
    clubs: Mapping[int, str]
    had: Mapping[int, Sequence[int]]
    """How often each entrant has had each seat, in the order of the seats."""


def tables_of(order: Sequence[int], sizes: Sequence[int], field: Field, draws: Iterator[int] | None) -> list[list[int]]:
    """Return the tables of these sizes for entrants in the order of the standings.

    `draws` are 32-bit words of chance; without them, no random swaps are tried.
    """
    search = TableSearch(order, sizes, field)
    search.improve(REPEAT, MOST_TRIES)
    if len(sizes) > 1 and draws is not None:
        search.kick(draws)
    search.improve(1, MOST_TRIES)
    places = {one: i for i, one in enumerate(order)}
    return [sorted(table, key=places.__getitem__) for table in search.tables]


def pair_cost(a: int, b: int, field: Field) -> int:
    """Return the cost of two entrants at one table, for earlier meetings, seats that both had, and a common club."""
    met = field.met.get((a, b) if a < b else (b, a), 0)
    seats: int = sum(map(mul, field.had.get(a, ()), field.had.get(b, ())))
    clubs = field.clubs
    return REPEAT * met**2 + SEATS * seats + (CLUB if a in clubs and clubs[a] == clubs.get(b) else 0)


class TableSearch:
    """The tables during a search, and the cost of each."""

    def __init__(self, order: Sequence[int], sizes: Sequence[int], field: Field) -> None:
        rest = iter(order)
        self.field = field
        self.pairs: dict[int, dict[int, int]] = {one: {one: 0} for one in order}
        self.tables = [[next(rest) for _ in range(size)] for size in sizes]
        self.costs = [self._cost(table) for table in self.tables]
        self.tries = 0

    def improve(self, least: int, most: int) -> None:
        """Make the best swap for each table that costs `least` or more, also for changed tables, until none helps.

        Do not begin with another table after comparing `most` swaps.
        """
        begin = self.tries
        waiting = [i for i, cost in enumerate(self.costs) if cost >= least]
        while waiting and self.tries - begin <= most:
            i = waiting.pop(0)
            if self.costs[i] < least or (best := self._best(i)) is None:
                continue
            self._swap(*best)
            waiting += [at for at in (i, best[2]) if self.costs[at] >= least and at not in waiting]

    def kick(self, draws: Iterator[int]) -> None:
        """Make random swaps at tables with repeated meetings, search again after each, and keep the best result."""
        best = (sum(self.costs), [list(table) for table in self.tables], list(self.costs))
        begin = self.tries
        for _ in range(KICKS):
            bad = [i for i, cost in enumerate(self.costs) if cost >= REPEAT]
            tried = self.tries - begin
            if not bad or tried > TRIES:
                break
            i = bad[draw_below(draws, len(bad))]
            j = (i + 1 + draw_below(draws, len(self.tables) - 1)) % len(self.tables)
            self._swap(i, draw_below(draws, len(self.tables[i])), j, draw_below(draws, len(self.tables[j])))
            self.improve(REPEAT, TRIES - tried)
            if sum(self.costs) < best[0]:
                best = (sum(self.costs), [list(table) for table in self.tables], list(self.costs))
            else:
                self.tables, self.costs = [list(table) for table in best[1]], list(best[2])
        self.tables, self.costs = best[1], best[2]

    def _best(self, i: int) -> tuple[int, int, int, int] | None:
        """Return the swap that saves most for a table, with the nearest table of several; None if none saves."""
        found, saved = None, 0
        repeats = self.costs[i] >= REPEAT
        for j in sorted(range(len(self.tables)), key=lambda j: abs(j - i)):
            if j == i:
                continue
            if not repeats and abs(j - i) > NEAR:
                break
            for a, b, saves in self._savings(i, j):
                if saves > saved:
                    found, saved = (i, a, j, b), saves
            if found is not None and self.costs[i] - saved < REPEAT:
                break  # The nearest such table is enough.
        return found

    def _savings(self, i: int, j: int) -> Iterator[tuple[int, int, int]]:
        """Yield each swap of two places between two tables with its saving, computed from the changed costs only."""
        one, other = self.tables[i], self.tables[j]
        self.tries += len(one) * len(other)
        gone, came = [self._link(a, one) for a in one], [self._link(b, one) for b in other]
        left, arrived = [self._link(b, other) for b in other], [self._link(a, other) for a in one]
        spreads, others = (
            [self._rest(one, a) for a in range(len(one))],
            [self._rest(other, b) for b in range(len(other))],
        )
        now = self._spread(one) + self._spread(other)
        points = self.field.points
        for a, mine in enumerate(one):
            low, high = spreads[a]
            for b, theirs in enumerate(other):
                ours, its = points[theirs], points[mine]
                less, more = others[b]
                after = max(high, ours) - min(low, ours) + max(more, its) - min(less, its)
                pairs = gone[a] + left[b] - came[b] - arrived[a] + 2 * self._pair(mine, theirs)
                yield a, b, pairs + SPREAD * (now - after)

    def _pair(self, a: int, b: int) -> int:
        """Return the cost of two entrants at one table, computed once; 0 for an entrant and themselves."""
        known = self.pairs[a].get(b)
        if known is None:
            known = self.pairs[a][b] = self.pairs[b][a] = pair_cost(a, b, self.field)
        return known

    def _link(self, one: int, table: Sequence[int]) -> int:
        """Return the cost of an entrant with all others at a table."""
        return sum([self._pair(one, other) for other in table])

    def _rest(self, table: Sequence[int], at: int) -> tuple[int, int]:
        """Return the fewest and the most points at a table without one place; extremes if it has no other."""
        points = [self.field.points[one] for i, one in enumerate(table) if i != at]
        return (min(points), max(points)) if points else (MANY, -MANY)

    def _spread(self, table: Sequence[int]) -> int:
        points = [self.field.points[one] for one in table]
        return max(points) - min(points)

    def _cost(self, table: Sequence[int]) -> int:
        """Return the cost of a table: the sum over its pairs, and the spread of its points."""
        return sum(self._link(one, table) for one in table) // 2 + SPREAD * self._spread(table)

    def _swap(self, i: int, a: int, j: int, b: int) -> None:
        one, other = self.tables[i], self.tables[j]
        one[a], other[b] = other[b], one[a]
        self.costs[i], self.costs[j] = self._cost(one), self._cost(other)


# --- Sizes of tables ---------------------------------------------------------------------------------------


def left_over(entrants: int, plan: TournamentPlan) -> int:
    """Return the number of entrants who get no table."""
    if plan.fill == "bots":
        return 0
    if plan.fill == "bye":
        return entrants % plan.seats
    return 0 if table_sizes(entrants, plan) else entrants % plan.seats


def table_sizes(entrants: int, plan: TournamentPlan) -> list[int]:
    """Return the sizes of the tables for this number of entrants, the largest first; none if no division is allowed.

    Seats of bots are not counted; an entrant who would be the only person at a table is joined by one from the table
    before. As few tables as possible are smaller, and none has fewer seats than the game allows.
    """
    full, rest = divmod(entrants, plan.seats)
    if not rest:
        return [plan.seats] * full
    if plan.fill == "bots":
        if rest == 1 and full:
            return [plan.seats] * (full - 1) + [plan.seats - 1, 2]
        return [plan.seats] * full + [rest]
    tables = full + 1
    least, more = divmod(entrants, tables)
    if least < plan.fewest:
        return []
    if rest >= plan.fewest:
        return [plan.seats] * full + [rest]
    return [least + 1] * more + [least] * (tables - more)


# --- Seats -------------------------------------------------------------------------------------------------


Had = Mapping[tuple[int, int], int]
"""How often each entrant has had each seat, as `seat_counts` returns it."""


def seat_table(table: Sequence[int], had: Had, seats: int) -> Seating:
    """Seat the entrants of a table, given in order; bots fill the remaining seats."""
    order = _best_order(table, had)
    return (*order, *[BOT] * (seats - len(order)))


def seats_had(order: Sequence[int], had: Had, seats: int) -> Mapping[int, Sequence[int]]:
    """Return how often each entrant has had each seat, for the search for tables."""
    return {one: [had.get((one, seat), 0) for seat in range(seats)] for one in order}


def _best_order(table: Sequence[int], had: Had) -> list[int]:
    """Return the order in which entrants have had their seats least often, in total; of several, the first.

    So the sum of the squares of all these counts grows least as well. The search begins at the last seat: it finds the
    minimum total for each set of entrants in as many of the last seats.
    """
    n = len(table)
    costs = [[had.get((one, seat), 0) for seat in range(n)] for one in table]
    least = [0] * (1 << n)
    for those in range(1, 1 << n):
        seat = n - those.bit_count()
        least[those] = min(costs[i][seat] + least[those ^ 1 << i] for i in range(n) if those >> i & 1)
    order, rest = list[int](), (1 << n) - 1
    for seat in range(n):
        i = next(i for i in range(n) if rest >> i & 1 and costs[i][seat] + least[rest ^ 1 << i] == least[rest])
        rest ^= 1 << i
        order.append(table[i])
    return order
