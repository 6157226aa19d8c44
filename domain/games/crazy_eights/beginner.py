"""Plays Crazy Eights like a beginner, for the level `easy`.

A beginner plays an eight as soon as it can and names the eight's own suit. Otherwise, it plays its lowest card, whether
it can continue that suit or not, and never looks at the number of cards in the other hands.
"""

from random import Random

from domain.core.cards import RANK_OF, SUIT_OF, Seat
from domain.games.crazy_eights.events import SUIT_NAMES, Move, PlayCard
from domain.games.crazy_eights.options import is_eight
from domain.games.crazy_eights.rules import State, default, playable


def easy(s: State, seat: Seat, rng: Random) -> Move:
    """Play an eight, or else the lowest card."""
    cards = playable(s, s.hands[seat])
    if not cards:
        return default(s, seat)
    first = min(cards, key=lambda c: (not is_eight(c), RANK_OF[c]))
    return PlayCard(first, SUIT_NAMES[SUIT_OF[first]] if is_eight(first) else None)
