"""Defines games with stacks that move from table to table, as in a tournament of many tables."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.values import value

O = TypeVar("O")  # noqa: E741 -- options, beside S and E
S = TypeVar("S")  # state
E = TypeVar("E")  # event


@value
class TableStakes:
    """The stacks with which a table continues. Seat 0 posts the next blind; the last seat posted the previous one."""

    stacks: tuple[int, ...]
    """The chips of each seat, seat by seat."""
    hands_before: int
    """The hands that were played in the tournament before."""
    hands: int
    """The hands that are played with these stacks; 0: until one seat has all chips."""
    last_gone: bool
    """Whether the seat that last posted the big blind has left."""
    timed_from: Time | None = None
    """Start of the tournament, if its terms set the stakes; null if earlier hands set them."""


@value
class LeavingStack:
    """The stack of a seat that leaves a table: its chips, or the hand in which it went out and its chips before."""

    seat: Seat
    stack: int
    """The remaining chips; 0 if the seat is out."""
    hand: int
    """The number of the hand in the tournament in which the seat was eliminated; 0 if it was not."""
    before: int
    """The seat's chips before that hand; 0 if it is not out, or has resigned."""


@value
class Staking(Generic[O, S, E]):
    """Describes how a game uses stacks that players bring to a table and take away from it.

    `stack(options)` is each player's starting stack in a tournament; 0 if these options cannot be used.
    `timed(options)` says whether the blinds follow the time since the start of the tournament instead of hands.
    `opening(state, stakes)` begins a game with the given stacks; the game ends when one seat has all chips, or after
    the set number of hands. `leaving(state)` returns the stacks of all seats after the game, in order of payment: first
    the seat that would pay next, last the one that paid last.
    """

    stack: Callable[[O], int]
    opening: Callable[[S, TableStakes], tuple[E, ...]]
    leaving: Callable[[S], tuple[LeavingStack, ...]]
    timed: Callable[[O], bool] = lambda options: False


def conserves(stakes: TableStakes, left: tuple[LeavingStack, ...]) -> bool:
    """Return whether the final stacks are possible for the initial ones: no chips were added.

    Only the chips of a seat that resigns leave play.
    """
    seats = sorted(row.seat for row in left) == list(range(len(stakes.stacks)))
    total, kept = sum(stakes.stacks), sum(row.stack for row in left)
    gave_up = any(row.hand and not row.before for row in left)
    sound = all(row.stack >= 0 and (row.stack > 0) == (row.hand == 0) for row in left)
    return seats and sound and (kept == total or (gave_up and 0 < kept < total))


AnyStaking = Staking[Any, Any, Any]
