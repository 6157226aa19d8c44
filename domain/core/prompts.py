"""Writes parts of prompts shared by several games."""

from typing import Final

from domain.core.cards import NAMES, OF_SUIT, SUIT_OF, Card, Cards, keep_cards

SUITS_IN_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
RANKS_IN_WORDS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
VOWELS: Final = ("8", "ace")


def a_rank(rank: int) -> str:
    """Return a rank with its article, such as `an 8`."""
    word = RANKS_IN_WORDS[rank]
    return f"{'an' if word in VOWELS else 'a'} {word}"


def some_cards(count: int, noun: str = "card") -> str:
    """Return a number of cards, such as `a card` or `3 cards`."""
    return f"a {noun}" if count == 1 else f"{count} {noun}s"


def follow(trick: Cards, hand: Cards) -> str:
    """Ask a hand to follow suit, or say that it cannot."""
    suit = SUIT_OF[trick[0]]
    if keep_cards(hand, OF_SUIT[suit]):
        return f"Follow {SUITS_IN_WORDS[suit]}"
    return f"No {SUITS_IN_WORDS[suit]}: play any card"


def lead_only(card: Card) -> str:
    """Ask for the only card that may be led."""
    return f"Lead the {NAMES[card]}"
