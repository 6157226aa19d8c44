"""Ranks a poker hand: five cards, or the best five of six or seven (poker 1)."""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from domain.core.cards import RANK_OF, Cards
from domain.core.text import join_words
from domain.poker.rank_tables import (
    FLUSH,
    KEYS,
    LAST,
    OF_SUIT,
    PAIRS,
    START,
    SUIT_BITS,
    of_ranks,
    of_suited,
)

CATEGORIES: Final = (
    "high_card",
    "one_pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
"""The categories have these slugs, by their number."""

Value = tuple[int, ...]
"""A comparable value is the number of the category, then the ranks that decide inside it, 2 to 14."""


def strength(cards: Cards) -> int:
    """Return a number that is greater for a better hand, and the same for equal ones.

    `cards` are five to seven, all different and seen, in any order; `KeyError` if they are fewer, more, or face down.
    """
    total = sum([KEYS[c] for c in cards], START)
    flush = total & FLUSH
    return _flush(cards, flush) if flush else of_ranks()[total >> SUIT_BITS]


def strengths(hands: Iterable[Cards]) -> list[int]:
    """Return the strength of each hand; many of seven cards each, or of five, are faster than one by one."""
    known = tuple(hands)
    counts = set(map(len, known))
    if counts == {7}:
        return _of_sevens(known)
    return _of_fives(known) if counts == {5} else [strength(hand) for hand in known]


def _of_sevens(hands: Iterable[Cards]) -> list[int]:
    table = of_ranks()
    return [
        _flush(hand, total & FLUSH)
        if (total := PAIRS[a][b] + PAIRS[c][d] + PAIRS[e][f] + LAST[g]) & FLUSH
        else table[total >> SUIT_BITS]
        for hand in hands
        for a, b, c, d, e, f, g in (hand,)
    ]


def _of_fives(hands: Iterable[Cards]) -> list[int]:
    table = of_ranks()
    return [
        _flush(hand, total & FLUSH)
        if (total := PAIRS[a][b] + PAIRS[c][d] + LAST[e]) & FLUSH
        else table[total >> SUIT_BITS]
        for hand in hands
        for a, b, c, d, e in (hand,)
    ]


def _flush(cards: Cards, suit: int) -> int:
    """Return the value of cards with a flush in the suit of this bit, which beats their other hands."""
    keys = OF_SUIT[suit]
    return of_suited()[sum([keys[c] for c in cards])]


def value(cards: Cards) -> Value:
    """Return the comparable value, as `(6, 6, 10)` for a full house, sixes full of tens."""
    return tuple([int(digit, 16) for digit in f"{strength(cards):06x}".rstrip("0")])


def category(cards: Cards) -> str:
    """Return the slug of the category, as `full_house`."""
    return CATEGORIES[value(cards)[0]]


def best_five(cards: Cards) -> Cards:
    """Return the five cards that count, those that make the hand first; ties go by canonical order."""
    five = max(combinations(sorted(cards), 5), key=strength)
    ranks = [RANK_OF[c] for c in five]
    ordered = tuple(sorted(five, key=lambda c: (-ranks.count(RANK_OF[c]), -RANK_OF[c], c)))
    return ordered[1:] + ordered[:1] if value(five) in ACE_LOW else ordered


ACE_LOW: Final = {(4, 5), (8, 5)}
"""The values of straights in which the ace is the lowest card."""


# --- In words -----------------------------------------------------------------------------------------

RANKS: Final = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)

NAMED: Final = {7: 1, 6: 2, 3: 1, 2: 2, 1: 1}
"""The number of ranks that make the hand, named in the plural; the others are kickers."""


def hand_in_words(value: Value) -> str:
    """Return a value in words, such as `full house, sixes full of tens`, without kickers."""
    number, *ranks = value
    name = CATEGORIES[number].replace("_", " ")
    match number:
        case 9:
            return name
        case 8 | 5 | 4:
            return f"{name}, {_one(ranks[0])} high"
        case 0:
            return f"{name}, {_one(ranks[0])}"
        case 6:
            return f"{name}, {_many(ranks[0])} full of {_many(ranks[1])}"
        case _:
            return f"{name}, {join_words(map(_many, ranks[: NAMED[number]]))}"


def why_it_beats(better: Value, worse: Value) -> str:
    """Return why one value beats another: by category, or by the first card in which they differ."""
    said, beaten = hand_in_words(better), hand_in_words(worse)
    if said != beaten:
        return f"{said}, over {beaten}"
    first = next(i for i, (one, other) in enumerate(zip(better, worse, strict=True)) if one != other)
    made = NAMED.get(better[0], 0)
    card, no = ("kicker", first - made) if made else ("card", first)
    which = ("", "second ", "third ", "fourth ", "fifth ")[no - 1] + card
    return f"{said}; the {which} decides, {_one(better[first])} over {_one(worse[first])}"


def _one(rank: int) -> str:
    return RANKS[rank - 2]


def _many(rank: int) -> str:
    return _one(rank) + ("es" if rank == 6 else "s")
