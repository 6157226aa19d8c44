"""Completed tricks, as games of tricks keep them."""

from collections.abc import Mapping

from domain.core.cards import NAMES, OF_SUIT, SUIT_OF, SUITS, Cards, Seat, within
from domain.core.values import value


@value
class Trick:
    """A completed trick; the first of its cards is the leader's, the next its left neighbour's."""

    leader: Seat
    cards: Cards
    winner: Seat


def so_far(trick: Cards) -> Mapping[str, str]:
    """Give the facts `led` and `winning` of a trick: the suit of its first card, the highest card of that suit."""
    if not trick:
        return {}
    suit = SUIT_OF[trick[0]]
    return {"led": SUITS[suit], "winning": NAMES[max(within(trick, OF_SUIT[suit]))]}
