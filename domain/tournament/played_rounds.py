"""Defines what a tournament's rounds were, and what follows from them for pairing: who met, sat where, had a bye."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from domain.core.staking import LeavingStack
from domain.core.values import changed, value

BOT: Final = None
"""Stands at a table for a bot that fills a seat."""

Seating = tuple[int | None, ...]
"""The entrants at a table, seat by seat; `BOT` is where a bot fills a seat."""


@value
class TableResult:
    """How a table ended: its seats, and for each of them the place and the games won.

    Places count from 1, and seats that are level share one. Where nobody has the first place, all have lost.
    """

    seats: Seating
    """The entrants, seat by seat; null is a bot."""
    places: tuple[int, ...]
    """The place of each seat, from 1."""
    wins: tuple[int, ...]
    """The games that each seat has won."""
    games: int
    """The games that were played at the table."""
    drawn: int
    """Those of them that nobody won."""
    chips: tuple[LeavingStack, ...] | None = None
    """The stacks that have left the table, where they go from table to table; null: they do not."""
    scores: tuple[int, ...] | None = None
    """The score of each seat, where tables are compared; null elsewhere, and where it was not played to its end."""


def without_away(result: TableResult, away: Collection[int]) -> TableResult:
    """Give a result by which the seats of those who have never come are last, and have won no games (tournament 6.3).

    All others keep their order. Where all lose, they lose.
    """
    if not away or 1 not in result.places:
        return result
    ranks = [(seat in away, place) for seat, place in enumerate(result.places)]
    places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    wins = tuple(0 if seat in away else wins for seat, wins in enumerate(result.wins))
    return changed(result, places=places, wins=wins)


@value
class PlayedRound:
    """A round that is closed: how its tables ended, who had a bye, and who has not come."""

    tables: tuple[TableResult, ...]
    byes: tuple[int, ...]
    stood_in: tuple[int, ...] = ()


Rounds = Sequence[PlayedRound]


def is_last(tables: Sequence[object], byes: Sequence[int]) -> bool:
    """Say whether a round of an elimination is one whose only table seats all who are left, and is won by one."""
    return len(tables) == 1 and not byes


def best_points(seats: int) -> int:
    """Give the points for winning a table of this number of seats alone: 3 for two, else 2 for each other seat."""
    return 3 if seats == 2 else 2 * (seats - 1)


def points_of(result: TableResult, seat: int, seats: int | None = None) -> int:
    """Give the points of a seat: 3, 1 or 0 of two; else 2 for each seat that is behind it and 1 for each level with it.

    All seats that are behind nobody, where all have lost, have none. `seats` are those of a full table, where a smaller
    one counts as much: its points are in proportion, rounded down (tournament 1.5).
    """
    mine, places = result.places[seat], result.places
    if 1 not in places:
        return 0
    behind, level = sum(place > mine for place in places), places.count(mine) - 1
    if seats is not None and len(places) < seats:
        return (2 * behind + level) * (seats - 1) // (len(places) - 1)
    return 3 * behind + level if len(places) == 2 else 2 * behind + level


def met_of(rounds: Rounds) -> Counter[tuple[int, int]]:
    """Count how often two entrants have met, the lower number first."""
    met: Counter[tuple[int, int]] = Counter()
    for table in _tables(rounds):
        there = sorted(one for one in table.seats if one is not BOT)
        met.update(combinations(there, 2))
    return met


def byes_of(rounds: Rounds) -> Counter[int]:
    """Count the byes of each entrant."""
    return Counter(one for each in rounds for one in each.byes)


def bot_tables_of(rounds: Rounds) -> Counter[int]:
    """Count the tables of each entrant at which a bot filled a seat."""
    return Counter(one for table in _tables(rounds) if BOT in table.seats for one in table.seats if one is not BOT)


def points_by_entrant(rounds: Rounds, seats: int) -> Counter[int]:
    """Add up the points of each entrant; a bye is a table won."""
    points: Counter[int] = Counter()
    for one, count in byes_of(rounds).items():
        points[one] += count * best_points(seats)
    for table in _tables(rounds):
        for seat, entrant in enumerate(table.seats):
            if entrant is not BOT:
                points[entrant] += points_of(table, seat, seats)
    return points


def sat_where(rounds: Rounds) -> Mapping[tuple[int, int], int]:
    """Count how often each entrant has had each seat."""
    return Counter(
        (entrant, seat) for table in _tables(rounds) for seat, entrant in enumerate(table.seats) if entrant is not BOT
    )


def _tables(rounds: Rounds) -> Iterable[TableResult]:
    return (table for each in rounds for table in each.tables)
