"""Moves the button and the blinds (poker 4)."""

from collections.abc import Collection

from domain.core.cards import NOBODY, Seat
from domain.core.values import value

HEADS_UP = 2


@value
class Positions:
    """The positions in a hand.

    The button or the small blind may be at a seat without a player; it is then not posted.
    """

    button: Seat
    small: Seat
    """The place of the small blind."""
    big: Seat


@value
class Posts:
    """The seats of the button and the blinds of a hand; None for no seat."""

    button: Seat
    small: Seat | None = None
    big: Seat | None = None


def next_alive(after: Seat, alive: Collection[Seat], seats: int) -> Seat:
    """Return the first seat with chips to the left of another."""
    return min(alive, key=lambda seat: (seat - after - 1) % seats)


def move_button(last: Positions, alive: Collection[Seat], seats: int) -> Positions:
    """Return the next positions, with a dead button: no seat posts the big blind twice in a row."""
    big = next_alive(last.big, alive, seats)
    if len(alive) == HEADS_UP:
        (other,) = (seat for seat in alive if seat != big)
        return Positions(other, other, big)
    return Positions(last.small, last.big, big)


def first(button: Seat, alive: Collection[Seat], seats: int) -> Positions:
    """Return the positions of the first hand; with two players, the button posts the small blind.

    If the drawn seat has left, the seat to its left posts the small blind, and is the button of two.
    """
    left = next_alive(button, alive, seats)
    if len(alive) != HEADS_UP:
        return Positions(button, left, next_alive(left, alive, seats))
    small = button if button in alive else left
    return Positions(small, small, next_alive(small, alive, seats))


def posts_small(at: Positions, alive: Collection[Seat]) -> Seat:
    """Return the seat that posts the small blind; `NOBODY` if its place is dead."""
    return at.small if at.small in alive else NOBODY
