"""Where the button and the blinds are (poker 4)."""

from collections.abc import Collection

from domain.core.cards import Seat
from domain.core.values import value
from domain.poker.betting import NOBODY

HEADS_UP = 2


@value
class Positions:
    """The places of a hand. Nobody may sit on the button or in the place of the small blind; nobody posts it then."""

    button: Seat
    small: Seat  # the place of the small blind
    big: Seat


@value
class Posts:
    """Who has the button of a hand, and who posts its blinds; None: nobody does."""

    button: Seat
    small: Seat | None = None
    big: Seat | None = None


def next_alive(after: Seat, alive: Collection[Seat], seats: int) -> Seat:
    """Give the first seat with chips to the left of another."""
    return min(alive, key=lambda seat: (seat - after - 1) % seats)


def moved(last: Positions, alive: Collection[Seat], seats: int) -> Positions:
    """Move the blinds and the dead button: nobody posts the big blind twice running."""
    big = next_alive(last.big, alive, seats)
    if len(alive) == HEADS_UP:
        (other,) = (seat for seat in alive if seat != big)
        return Positions(other, other, big)
    return Positions(last.small, last.big, big)


def first(button: Seat, alive: Collection[Seat], seats: int) -> Positions:
    """Give the places of a first hand: with two the button is the small blind."""
    left = next_alive(button, alive, seats)
    small = button if len(alive) == HEADS_UP else left
    return Positions(button, small, next_alive(small, alive, seats))


def posts_small(at: Positions, alive: Collection[Seat]) -> Seat:
    """Give the seat that posts the small blind; nobody if its place is dead."""
    return at.small if at.small in alive else NOBODY
