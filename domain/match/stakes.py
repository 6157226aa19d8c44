"""Stakes: the seats of a tournament table bring stacks from other tables, and take them away again."""

from typing import Any, Final

from domain.core import text as words
from domain.core.staking import LeavingStack, TableStakes
from domain.core.values import value
from domain.match.match_part import MatchPart
from domain.match.state import Match


@value
class StacksArrived:
    """The stacks of the seats, from other tables of a tournament or from its start."""

    stakes: TableStakes
    """Their stacks and the stakes."""


@value
class StacksLeft:
    """The stacks of the seats at the end, which players take to other tables of the tournament."""

    stacks: tuple[LeavingStack, ...]
    """The stack of each seat, beginning with the one that posts the next blind."""


@value
class BringStacks:
    """Set the stacks from other tables, as part of the creation of a tournament match."""

    stakes: TableStakes


def are_played(m: Match, stakes: TableStakes) -> bool:
    """Return whether the match can use these stacks: it is a tournament match, and its game can continue with them."""
    staking, fit = m.game.lifecycle.staking, len(stakes.stacks) == len(m.seats) and min(stakes.stacks) > 0
    counted = stakes.hands_before >= 0 and stakes.hands >= 0 and m.created.series.best_of == 1
    if m.created.tournament is None or staking is None or not (fit and counted):
        return False
    return staking.stack(m.options) > 0 and staking.timed(m.options) == (stakes.timed_from is not None)


def take_stacks_away(m: Match) -> tuple[Any, ...]:
    """Return the event with the stacks that leave the table."""
    assert m.game.lifecycle.staking is not None
    return (StacksLeft(tuple(m.game.lifecycle.staking.leaving(m.table))),)


def evolve_stakes(m: Match, event: Any) -> None:
    """Assign the stacks that arrived, and those that left, to the match."""
    match event:
        case StacksArrived():
            m.stakes.arrived = event.stakes
        case StacksLeft():
            m.stakes.left = event.stacks


STAKES: Final = MatchPart(
    texts={
        StacksArrived: "The seats brought these stacks: {stakes}.",
        StacksLeft: "The seats took away these stacks: {stacks}.",
    },
    words={
        "stakes": lambda stakes: words.for_each_seat(stakes.stacks),
        "stacks": lambda rows: ", ".join(f"seat {row.seat} {row.stack}" for row in rows),
    },
    evolve=evolve_stakes,
    decide={BringStacks: lambda m, seat, c, now: (StacksArrived(c.stakes),)},
)
