"""Plays Two-Handed Hearts like a beginner, for the level `easy`.

A beginner throws hearts and high cards while it draws and forgets that a queen of spades costs most. It plays low,
discards hearts before the queen, and never counts cards, claims a revoke or fears the moon.
"""

from random import Random

from domain.core.cards import BACK, HEARTS, OF_SUIT, RANK_OF, SUIT_OF, Card, Cards, Seat, keep_cards
from domain.games.two_handed_hearts.events import KeepCard, Move, PlayCard, RejectCard
from domain.games.two_handed_hearts.rules import State, default, following


def easy(s: State, seat: Seat, rng: Random) -> Move:
    """Keep low cards of other suits than hearts, and play low."""
    match s.phase:
        case "drawing":
            return keep_or_swap(s.hands[seat], s.drawn)
        case "playing":
            return PlayCard(card_of(following(s, s.hands[seat]), s.trick))
        case _:
            return default(s, seat)


def rank(c: Card) -> int:
    """Return the rank, which is all that a beginner looks at."""
    return RANK_OF[c]


def unwelcome(c: Card) -> tuple[bool, int]:
    """Order the cards by the wish to throw them while drawing: hearts most, then by rank."""
    return SUIT_OF[c] == HEARTS, RANK_OF[c]


def keep_or_swap(hand: Cards, new: Card | None) -> Move:
    """Keep the drawn card if the hand has a less welcome one."""
    if new is None or new == BACK:
        return RejectCard()
    worst = max(hand, key=unwelcome)
    return KeepCard(worst) if unwelcome(new) < unwelcome(worst) else RejectCard()


def card_of(cards: Cards, trick: Cards) -> Card:
    """Play the lowest card that follows suit, otherwise the highest heart."""
    if not trick or keep_cards(cards, OF_SUIT[SUIT_OF[trick[0]]]):
        return min(cards, key=rank)
    return max(keep_cards(cards, OF_SUIT[HEARTS]) or cards, key=rank)
