"""Gives the entrants of a table their seats, so that each has had every seat about as often (tournament 3.6)."""

from collections.abc import Mapping, Sequence

from domain.tournament.played_rounds import BOT, Seating

Had = Mapping[tuple[int, int], int]
"""How often each entrant has had each seat, as `sat_where` counts it."""


def seated(table: Sequence[int], had: Had, seats: int) -> Seating:
    """Seat the entrants of a table, given in their order; bots fill the seats left."""
    order = _best_order(table, had)
    return (*order, *[BOT] * (seats - len(order)))


def seats_had(order: Sequence[int], had: Had, seats: int) -> Mapping[int, Sequence[int]]:
    """Return how often each entrant has had each seat, for the search for tables."""
    return {one: [had.get((one, seat), 0) for seat in range(seats)] for one in order}


def _best_order(table: Sequence[int], had: Had) -> list[int]:
    """Give the order in which what each has had of its seat adds up least; of several, the first in their order.

    So the squares of how often each has had each seat add up least as well. It is looked for from the last seat: for
    each set of entrants, how little they can have had of the last seats, which are as many as they are.
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
