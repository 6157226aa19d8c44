"""Represents completed tricks for all trick-taking games."""

from collections.abc import Mapping

from domain.core.cards import NAMES, OF_SUIT, SUIT_OF, SUITS, Cards, Seat, keep_cards
from domain.core.shown import PlayedCardShown, TrickShown
from domain.core.values import value


@value
class Trick:
    """A complete trick; its first card is the leader's, the next that of the seat to the leader's left."""

    leader: Seat
    cards: Cards
    winner: Seat


def so_far(trick: Cards) -> Mapping[str, str]:
    """Return the facts `led` and `winning` of a trick: the suit of its first card, the highest card of that suit."""
    if not trick:
        return {}
    suit = SUIT_OF[trick[0]]
    return {"led": SUITS[suit], "winning": NAMES[max(keep_cards(trick, OF_SUIT[suit]))]}


def list_played(leader: Seat, cards: Cards, seats: int) -> list[PlayedCardShown]:
    """Return the cards of a trick, each with the seat that played it."""
    return [{"seat": (leader + i) % seats, "card": NAMES[c]} for i, c in enumerate(cards)]


def list_trick(trick: Trick, seats: int) -> TrickShown:
    """Return a completed trick as a table shows it."""
    return {"leader": trick.leader, "winner": trick.winner, "cards": list_played(trick.leader, trick.cards, seats)}
