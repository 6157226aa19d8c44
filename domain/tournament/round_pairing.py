"""Defines what a round is paired from, and what comes of it: tables, byes, and why."""

from collections.abc import Iterator, Mapping
from typing import Literal

from domain.core.values import value
from domain.tournament.played_rounds import PlayedRound, Seating
from domain.tournament.tournament_plan import TournamentPlan

Words = Iterator[int]
"""The 32-bit words of one random result (rules 1.6)."""


@value
class Ground:
    """What a round is paired from: all that was played so far, and who plays on.

    `order` has all entrants in the order of the shuffle `seating`, and those who came late after them. `left` says of
    each who has left how many rounds had been paired by then. `clubs` has the club of each who has named one.
    """

    plan: TournamentPlan
    order: tuple[int, ...]
    rounds: tuple[PlayedRound, ...]
    left: Mapping[int, int]
    clubs: Mapping[int, str]

    @property
    def active(self) -> tuple[int, ...]:
        """Give those who have not left, in the order of the shuffle."""
        return tuple(one for one in self.order if one not in self.left)


@value
class PairedRound:
    """The tables of a round, the best first, and who has a bye, with the stage that the round belongs to."""

    tables: tuple[Seating, ...]
    byes: tuple[int, ...]
    stage: Literal["main", "elimination"] = "main"
