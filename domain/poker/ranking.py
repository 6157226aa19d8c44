"""Ranks a poker hand: five cards, or the best five of six or seven (poker 1).

Tables hold the values of hands by the sum of the keys of their cards. The key of a card has two parts. The upper one is
a digit of base five at the place of its rank: no rank is there more than four times, so the sum says how often each
rank is. The lower one is a count of its suit in four bits: it starts at three, so the fourth bit says that there are
five or more. One sum per hand thus tells whether there is a flush, and where to look.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import Final

from domain.core.cards import PACK, RANK_OF, SUIT_OF, Cards
from domain.core.text import join_words

SUIT_BITS: Final = 16
"""The number of low bits of a sum that count suits; the bits above them count ranks."""

START: Final = 0x3333
"""The initial value of a sum: three for each suit."""

FLUSH: Final = 0x8888
"""One of these bits is set if a suit occurs five times."""

PLACES: Final = [5**rank for rank in range(13)]
"""The key of each rank."""

UNKNOWN: Final = 1 << 60
"""The key of a face-down card, which no table knows."""

KEYS: Final = [(PLACES[RANK_OF[c]] << SUIT_BITS) + (1 << 4 * SUIT_OF[c]) for c in PACK] + [UNKNOWN]
"""The key of each card."""

PAIRS: Final = [[one + other for other in KEYS] for one in KEYS]
"""The sum of the keys of two cards, to save additions."""

LAST: Final = [key + START for key in KEYS]
"""The key of each card plus the initial value, for the last card of a sum."""

OF_SUIT: Final = {
    8 << 4 * suit: [PLACES[RANK_OF[c]] * (SUIT_OF[c] == suit) for c in PACK] + [UNKNOWN] for suit in range(4)
}
"""For each suit, by its bit of a flush: the rank key of each card of the suit, 0 for other cards."""

Table = Mapping[int, int]
"""Strengths by the sum of the rank keys. The hexadecimal digits of a strength are its comparable value."""


@cache
def of_ranks() -> Table:
    """Return the strengths of five, six and seven cards of mixed suits."""
    hands = combinations_with_replacement(range(13), 5)
    five = {_key(ranks): _mixed(ranks) for ranks in hands if ranks[0] != ranks[4]}
    six = _one_more(five, 4)
    return five | six | _one_more(six, 4)


@cache
def of_suited() -> Table:
    """Return the strengths of five, six and seven cards of one suit."""
    five = {_key(ranks): _suited(ranks) for ranks in combinations(range(13), 5)}
    six = _one_more(five, 1)
    return five | six | _one_more(six, 1)


def _one_more(table: Table, most: int) -> dict[int, int]:
    """Build the table for one more card, with each rank at most this often.

    Among the hands with the same sum, the best is written last.
    """
    rising = sorted(table.items(), key=itemgetter(1))
    return {key + one: worth for key, worth in rising for one in PLACES if key // one % 5 < most}


def _key(ranks: Iterable[int]) -> int:
    return sum([PLACES[rank] for rank in ranks])


BY_COUNTS: Final = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
"""The category by the numbers of cards of each rank, for cards that are not in sequence."""


def _mixed(ranks: Sequence[int]) -> int:
    """Return the strength of five cards of mixed suits."""
    counted = sorted([(ranks.count(rank), rank) for rank in {*ranks}], reverse=True)
    top = _top(ranks) if len(counted) == 5 else None
    if top is not None:
        return _strength(4, [top])
    counts, each = zip(*counted, strict=True)
    return _strength(BY_COUNTS[counts], each)


def _suited(ranks: Sequence[int]) -> int:
    """Return the strength of five cards of one suit."""
    top = _top(ranks)
    if top is None:
        return _strength(5, reversed(ranks))
    return _strength(9 if top == 12 else 8, [top])


def _top(ranks: Sequence[int]) -> int | None:
    """Return the top card of five different ranks, the lowest first, in sequence; None if they are not."""
    if ranks[4] - ranks[0] == 4:
        return ranks[4]
    return 3 if tuple(ranks) == (0, 1, 2, 3, 12) else None


def _strength(category: int, ranks: Iterable[int]) -> int:
    """Write the category and the ranks that decide as six hexadecimal digits."""
    worth, place = category << 20, 1 << 16
    for rank in ranks:
        worth += (rank + 2) * place
        place >>= 4
    return worth


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
"""The slugs of the categories, by number."""

Value = tuple[int, ...]
"""A comparable value: the number of the category, then the ranks that decide within it, 2 to 14."""


def strength(cards: Cards) -> int:
    """Return a number that is greater for a better hand, and the same for equal ones.

    `cards` are five to seven different face-up cards in any order. Raise `KeyError` for fewer, more or face-down cards.
    """
    total = sum([KEYS[c] for c in cards], START)
    flush = total & FLUSH
    return _flush(cards, flush) if flush else of_ranks()[total >> SUIT_BITS]


def strengths(hands: Iterable[Cards]) -> list[int]:
    """Return the strength of each hand; it is faster than one by one if all have seven cards, or all five."""
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
            return f"{name}, {_rank_name(ranks[0])} high"
        case 0:
            return f"{name}, {_rank_name(ranks[0])}"
        case 6:
            return f"{name}, {_rank_plural(ranks[0])} full of {_rank_plural(ranks[1])}"
        case _:
            return f"{name}, {join_words(map(_rank_plural, ranks[: NAMED[number]]))}"


def why_it_beats(better: Value, worse: Value) -> str:
    """Return why one value beats another: by category, or by the first card in which they differ."""
    said, beaten = hand_in_words(better), hand_in_words(worse)
    if said != beaten:
        return f"{said}, over {beaten}"
    first = next(i for i, (one, other) in enumerate(zip(better, worse, strict=True)) if one != other)
    made = NAMED.get(better[0], 0)
    card, no = ("kicker", first - made) if made else ("card", first)
    which = ("", "second ", "third ", "fourth ", "fifth ")[no - 1] + card
    return f"{said}; the {which} decides, {_rank_name(better[first])} over {_rank_name(worse[first])}"


def _rank_name(rank: int) -> str:
    return RANKS[rank - 2]


def _rank_plural(rank: int) -> str:
    return _rank_name(rank) + ("es" if rank == 6 else "s")
