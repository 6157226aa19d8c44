"""Completed tricks, as games of tricks keep them."""

from domain.core.cards import Cards, Seat
from domain.core.values import value


@value
class Trick:
    """A completed trick; the first of its cards is the leader's, the next its left neighbour's."""

    leader: Seat
    cards: Cards
    winner: Seat
