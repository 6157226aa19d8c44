"""Defines what a game brings that is played with stacks from table to table, as in a tournament of many tables."""

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
    """A table goes on with these stacks. Seat 0 pays next what seats pay in turn, the last seat has paid last."""

    stacks: tuple[int, ...]
    """The chips of each seat, seat by seat."""
    hands_before: int
    """The hands that were played in the tournament before."""
    hands: int
    """The hands that are played with these stacks; 0: until one seat has all chips."""
    last_gone: bool
    """Whether the seat that has paid last is no longer there."""
    timed_from: Time | None = None
    """Start of the tournament, if its terms set the stakes; null if earlier hands set them."""


@value
class LeavingStack:
    """The stack of a seat leaves a table: what is left, or after which hand the seat was out and what it had before."""

    seat: Seat
    stack: int
    """The chips that are left; 0: the seat is out."""
    hand: int
    """The number of the hand, in the tournament, after which the seat was out; 0: it is not."""
    before: int
    """The chips that the seat had before that hand; 0 where it is not out, or has given up."""


@value
class Staking(Generic[O, S, E]):
    """Says how a game is played with stacks that players bring to a table and take away from it.

    `stack(options)` gives the chips that each player begins a tournament with, 0 where these options are not played so.
    `timed(options)` says whether what is paid follows from the time since the tournament has begun, and not from hands.
    `opening(state, stakes)` begins a game with the stacks that are brought; the game ends when one seat has all, or
    after this number of hands. `leaving(state)` gives the stacks of all seats, once the game is over: in the order in
    which seats pay, first the one that would pay next, and last the one that has paid last.
    """

    stack: Callable[[O], int]
    opening: Callable[[S, TableStakes], tuple[E, ...]]
    leaving: Callable[[S], tuple[LeavingStack, ...]]
    timed: Callable[[O], bool] = lambda options: False


def conserves(stakes: TableStakes, left: tuple[LeavingStack, ...]) -> bool:
    """Say whether stacks that leave can be what became of those that were brought: no chips have come to them.

    The chips of a seat that gives up leave play, and no others.
    """
    seats = sorted(row.seat for row in left) == list(range(len(stakes.stacks)))
    total, kept = sum(stakes.stacks), sum(row.stack for row in left)
    gave_up = any(row.hand and not row.before for row in left)
    sound = all(row.stack >= 0 and (row.stack > 0) == (row.hand == 0) for row in left)
    return seats and sound and (kept == total or (gave_up and 0 < kept < total))


AnyStaking = Staking[Any, Any, Any]
