"""Defines the events of rounds and of their tables: how they are paired, and how they end."""

from typing import Literal

from domain.core.staking import TableStakes
from domain.core.values import value
from domain.tournament.rounds import Seating, TableResult
from domain.tournament.tournament_fields import Absent, Ended, EntrantNo, Reason, RoundNo, TableNo


@value
class RoundPaired:
    """A round is paired."""

    round: RoundNo
    stage: Literal["main", "elimination"]
    """Whether a table of it is played on until it is decided."""
    link: int
    """The place of the seed in the chain."""
    seed: str
    """The seed: hashed as often as `link` says, it is the commitment."""
    tables: tuple[Seating, ...]
    """The entrants of each table, seat by seat; null is a bot."""


@value
class TablesPaired:
    """More tables of the open round of an arena are paired, of those who are free."""

    round: RoundNo
    link: int
    """The place of the seed in the chain."""
    seed: str
    """The seed: hashed as often as `link` says, it is the commitment."""
    tables: tuple[Seating, ...]
    """The entrants of each table, seat by seat; they are numbered behind those that there are."""


@value
class PairingEnded:
    """The time of an arena is over: nobody is paired any more, and the tables that are open are played to their end."""


@value
class StackMoved:
    """An entrant is moved to another table with a stack, to the place that posts the big blind soonest."""

    round: RoundNo
    entrant: EntrantNo
    stack: int
    """The chips that the entrant brings."""
    before: TableNo
    """The number of the table in the round before, from 0."""
    table: TableNo


@value
class TableBroken:
    """The entrants of a table have moved to others, which seat them all; `table` is its number in the round before."""

    round: RoundNo
    table: TableNo


@value
class TableStaked:
    """A table goes on with these stacks, and is played for this number of hands."""

    round: RoundNo
    table: TableNo
    stakes: TableStakes
    """The stacks, and how long is played with them."""


@value
class ByeGiven:
    """An entrant has no table in a round, and counts as the winner of one."""

    round: RoundNo
    entrant: EntrantNo


@value
class TableFinished:
    """The match of a table is over."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event, which binds all of it."""
    result: Ended
    absent: Absent = ()


@value
class TableDrawn:
    """The match of a table is over, and has no winner where there must be one: it is played once more."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event, which binds all of it."""
    result: Ended
    attempt: int
    """The number of the match that follows at this table, from 1."""
    absent: Absent = ()


@value
class TableForfeited:
    """The match of a table has not begun, since not all have come; in a duplicate, to any table of the round."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event, which binds all of it."""
    absent: tuple[int, ...]
    """The entrants who have not come."""
    result: TableResult | None
    """The result that counts; null if the table is replayed: as a duplicate, or since nobody advances by the result."""
    attempt: int
    """The number of the match that counts at this table, from 0."""


@value
class TableAdjudicated:
    """The match of a table was not over at the deadline."""

    round: RoundNo
    table: TableNo
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event at the deadline, which binds all of it."""
    late: tuple[int, ...]
    """The entrants who were to move, or have never come."""
    result: Ended
    absent: Absent = ()


@value
class TableRuled:
    """The result of a table was ruled."""

    round: RoundNo
    table: TableNo
    result: Ended
    reason: Reason
    by: str
    """The id of the organiser or helper who has ruled it."""


@value
class RoundClosed:
    """All tables of a round are over."""

    round: RoundNo
    ranked: tuple[int, ...]
    """All entrants, the first in the standings first."""
    places: tuple[int, ...]
    """The place of each of them, from 1; who is level shares it."""
