"""Defines what a round is paired from, and what comes of it: tables, byes, and why."""

from collections.abc import Iterator, Mapping
from typing import Literal

from domain.core.clock import Time
from domain.core.staking import TableStakes
from domain.core.values import value
from domain.tournament.played_rounds import PlayedRound, Seating
from domain.tournament.tournament_plan import TournamentPlan

Words = Iterator[int]
"""The 32-bit words of one random result (rules 1.6)."""


@value
class Ground:
    """What a round is paired from: all that was played so far, and who plays on.

    `order` has all entrants in the order of the shuffle `seating`, and those who came late after them. `left` says of
    each who has left how many rounds had been paired by then. `clubs` has the club of each who has named one. `away`
    are those who are not paired for now. `missed` has an entrant for each table to which they have not come.
    `levels_from` is since when levels of many tables are counted, where they go by the clock. `barred` are
    those who were disqualified.
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
        """Give those who have not left and are not away, in the order of the shuffle."""
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
    """The tables of a round, the best first, and who has a bye, with the stage that the round belongs to."""

    tables: tuple[Seating, ...]
    byes: tuple[int, ...]
    stage: Literal["main", "elimination"] = "main"
    stakes: tuple[TableStakes, ...] = ()
    """What is brought to each table, where stacks go from table to table."""
    moves: tuple[StackMove, ...] = ()
    broken: tuple[int, ...] = ()
    """The numbers of the tables of the round before that are no more."""
