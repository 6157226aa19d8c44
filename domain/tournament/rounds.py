"""Defines rounds: played rounds, the data for pairing the next one, and its pairing."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal

from domain.core.clock import Time
from domain.core.staking import LeavingStack, TableStakes
from domain.core.values import value, with_fields
from domain.tournament.tournament_plan import TournamentPlan

BOT: Final = None
"""Stands for a bot in the seating of a table."""


Seating = tuple[int | None, ...]
"""The entrants at a table, seat by seat; `BOT` stands for a bot."""


@value
class TableResult:
    """The result of a table: its seats, and for each of them the place and the games won.

    Places count from 1, and tied seats share one. If no seat has the first place, all have lost.
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
    """The number of these games without a winner."""
    chips: tuple[LeavingStack, ...] | None = None
    """The stacks that left the table; null if stacks do not move from table to table."""
    scores: tuple[int, ...] | None = None
    """The score of each seat in a duplicate; null in other formats, and if the table was not finished."""


def put_absent_last(result: TableResult, away: Collection[int]) -> TableResult:
    """Return the result with the seats of no-shows last, and without games won by them (tournament 6.3).

    All others keep their order. If all lose, they lose.
    """
    if not away or 1 not in result.places:
        return result
    ranks = [(seat in away, place) for seat, place in enumerate(result.places)]
    places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    wins = tuple(0 if seat in away else wins for seat, wins in enumerate(result.wins))
    return with_fields(result, places=places, wins=wins)


@value
class PlayedRound:
    """A closed round: the results of its tables, the byes, and the entrants replaced by bots after a no-show."""

    tables: tuple[TableResult, ...]
    byes: tuple[int, ...]
    stood_in: tuple[int, ...] = ()


Rounds = Sequence[PlayedRound]


def is_last_table(tables: Sequence[object], byes: Sequence[int]) -> bool:
    """Return whether a round of an elimination is the final: one table, which seats all remaining entrants."""
    return len(tables) == 1 and not byes


def best_points(seats: int) -> int:
    """Return the points for an undivided win: 3 at a table of two, otherwise 2 for each other seat."""
    return 3 if seats == 2 else 2 * (seats - 1)


def points_of(result: TableResult, seat: int, seats: int | None = None) -> int:
    """Return the points of a seat: 3, 1 or 0 at a table of two, else 2 for each seat behind it and 1 for each tie.

    If all have lost, no seat has points. `seats` is the size of a full table, if smaller tables count as much: their
    points are scaled up in proportion, and rounded down (tournament 1.5).
    """
    mine, places = result.places[seat], result.places
    if 1 not in places:
        return 0
    behind, level = sum(place > mine for place in places), places.count(mine) - 1
    if seats is not None and len(places) < seats:
        return (2 * behind + level) * (seats - 1) // (len(places) - 1)
    return 3 * behind + level if len(places) == 2 else 2 * behind + level


def met_of(rounds: Rounds) -> Counter[tuple[int, int]]:
    """Return how often each pair of entrants met, the lower number first."""
    met: Counter[tuple[int, int]] = Counter()
    for table in _tables_of(rounds):
        there = sorted(one for one in table.seats if one is not BOT)
        met.update(combinations(there, 2))
    return met


def byes_of(rounds: Rounds) -> Counter[int]:
    """Count the byes of each entrant."""
    return Counter(one for each in rounds for one in each.byes)


def bot_tables_of(rounds: Rounds) -> Counter[int]:
    """Count the tables of each entrant at which a bot filled a seat."""
    return Counter(one for table in _tables_of(rounds) if BOT in table.seats for one in table.seats if one is not BOT)


def points_by_entrant(rounds: Rounds, seats: int) -> Counter[int]:
    """Add up the points of each entrant; a bye is a table won."""
    points: Counter[int] = Counter()
    for one, count in byes_of(rounds).items():
        points[one] += count * best_points(seats)
    for table in _tables_of(rounds):
        for seat, entrant in enumerate(table.seats):
            if entrant is not BOT:
                points[entrant] += points_of(table, seat, seats)
    return points


def seat_counts(rounds: Rounds) -> Mapping[tuple[int, int], int]:
    """Count how often each entrant has had each seat."""
    return Counter(
        (entrant, seat)
        for table in _tables_of(rounds)
        for seat, entrant in enumerate(table.seats)
        if entrant is not BOT
    )


def _tables_of(rounds: Rounds) -> Iterable[TableResult]:
    return (table for each in rounds for table in each.tables)


Words = Iterator[int]
"""The 32-bit words of one random result (rules 1.6)."""


@value
class Ground:
    """The data from which a round is paired: all previous rounds, and the active entrants.

    `order` has all entrants in the order of the shuffle `seating`, then the late entrants. `left` has the number of
    rounds that had been paired when an entrant left. `clubs` has the clubs of entrants who named one. `away` are the
    entrants who are not paired for now. `missed` lists an entrant once for each no-show. `levels_from` is the time from
    which the levels of many tables are counted, if they follow the clock. `barred` are the disqualified entrants.
    """

    plan: TournamentPlan
    order: tuple[int, ...]
    rounds: tuple[PlayedRound, ...]
    left: Mapping[int, int]
    clubs: Mapping[int, str]
    away: frozenset[int] = frozenset()
    missed: tuple[int, ...] = ()
    levels_from: Time | None = None
    barred: frozenset[int] = frozenset()

    @property
    def active(self) -> tuple[int, ...]:
        """Return the entrants who have not left and are not away, in the order of the shuffle."""
        return tuple(one for one in self.order if one not in self.left and one not in self.away)


@value
class StackMove:
    """A player goes to another table with a stack."""

    entrant: int
    stack: int
    before: int
    """The number of the table in the round before."""
    table: int
    """The number of the table in this round."""


@value
class PairedRound:
    """The tables of a round, the best first, the entrants with a bye, and the stage of the round."""

    tables: tuple[Seating, ...]
    byes: tuple[int, ...]
    stage: Literal["main", "elimination"] = "main"
    stakes: tuple[TableStakes, ...] = ()
    """The stacks brought to each table, if stacks move from table to table."""
    moves: tuple[StackMove, ...] = ()
    broken: tuple[int, ...] = ()
    """The numbers, in the round before, of the broken tables."""
