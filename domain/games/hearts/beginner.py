"""Plays Hearts like a beginner, for the level `easy`.

A beginner looks only at the cards in its hand and in the trick. It passes high cards and forgets that a low queen of
spades costs more, gets rid of high cards as long as a trick looks cheap, ducks with its lowest card, and discards
hearts before the queen. It neither counts cards nor notices who is shooting the moon.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from domain.core.cards import OF_SUIT, RANK_OF, SUIT_OF, Card, Cards, Seat, keep_cards
from domain.games.hearts.events import Move, PassCards, PlayCard, ReturnCard
from domain.games.hearts.options import ALL_HEARTS
from domain.games.hearts.rules import State, phase, playable

EARLY: Final = 5
"""In this many tricks, a beginner gets rid of high cards."""


def easy(s: State, seat: Seat, rng: Random) -> Move:
    """Pass high cards, play high early and low later, and forget the queen."""
    hand = s.hands[seat]
    match phase(s):
        case "passing":
            return PassCards(tuple(sorted(hand, key=rank)[-s.rules.passing.count :]))
        case "returning":
            return ReturnCard(max(s.exchange.received[seat] or (), key=rank))
        case _:
            return PlayCard(card_of(playable(s, hand), s.trick, len(s.tricks)))


def rank(c: Card) -> int:
    """Return the rank, which is all that a beginner looks at."""
    return RANK_OF[c]


def card_of(cards: Cards, trick: Sequence[Card], tricks: int) -> Card:
    """Choose among the playable cards after this many tricks."""
    if not trick:
        return min(cards, key=rank)
    following = keep_cards(cards, OF_SUIT[SUIT_OF[trick[0]]])
    if not following:
        return max(keep_cards(cards, ALL_HEARTS) or cards, key=rank)
    cheap = tricks < EARLY and not keep_cards(tuple(trick), ALL_HEARTS)
    return max(following, key=rank) if cheap else min(following, key=rank)
