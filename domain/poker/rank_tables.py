"""Tables of what hands are worth, by the sum of the keys of their cards.

The key of a card has two parts. The upper one is a digit of base five at the place of its rank: no rank is there more than
four times, so the sum says how often each rank is. The lower one is a count of its suit in four bits: it starts at three, so
the fourth bit says that there are five or more. One sum per hand thus tells whether there is a flush, and where to look.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import Final

from domain.core.cards import PACK, RANK_OF, SUIT_OF

SUIT_BITS: Final = 16
"""How many bits of a sum count suits; those above them count ranks."""

START: Final = 0x3333
"""What a sum starts with."""

FLUSH: Final = 0x8888
"""The bits of which one is set where a suit is there five times."""

PLACES: Final = [5**rank for rank in range(13)]
"""The key of each rank."""

UNKNOWN: Final = 1 << 60
"""The key of a card face down: no table knows what it is worth."""

KEYS: Final = [(PLACES[RANK_OF[c]] << SUIT_BITS) + (1 << 4 * SUIT_OF[c]) for c in PACK] + [UNKNOWN]
"""The key of each card."""

PAIRS: Final = [[one + other for other in KEYS] for one in KEYS]
"""The keys of two cards, added up: fewer additions are left."""

LAST: Final = [key + START for key in KEYS]
"""The key of the last card, with the start."""

OF_SUIT: Final = {
    8 << 4 * suit: [PLACES[RANK_OF[c]] * (SUIT_OF[c] == suit) for c in PACK] + [UNKNOWN] for suit in range(4)
}
"""The key of the rank of each card of a suit, and nothing for the others, by the suit's bit of a flush."""

Table = Mapping[int, int]
"""Strengths by the sum of the keys of the ranks. In hexadecimal a strength is the comparable value (poker 1.4)."""


@cache
def of_ranks() -> Table:
    """Give the strengths of five, six and seven cards of mixed suits."""
    hands = combinations_with_replacement(range(13), 5)
    five = {_key(ranks): _mixed(ranks) for ranks in hands if ranks[0] != ranks[4]}
    six = _one_more(five, 4)
    return five | six | _one_more(six, 4)


@cache
def of_suited() -> Table:
    """Give the strengths of five, six and seven cards of one suit."""
    five = {_key(ranks): _suited(ranks) for ranks in combinations(range(13), 5)}
    six = _one_more(five, 1)
    return five | six | _one_more(six, 1)


def _one_more(table: Table, most: int) -> dict[int, int]:
    """Make the table for a card more, of no rank more than so often: of the hands it may have come from, the best is written last."""
    rising = sorted(table.items(), key=itemgetter(1))
    return {key + one: worth for key, worth in rising for one in PLACES if key // one % 5 < most}


def _key(ranks: Iterable[int]) -> int:
    return sum([PLACES[rank] for rank in ranks])


BY_COUNTS: Final = {
    (4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0
}  # fmt: skip
"""Categories by how often each rank is there, where the cards are not in sequence."""


def _mixed(ranks: Sequence[int]) -> int:
    """Give the strength of five cards of mixed suits."""
    counted = sorted([(ranks.count(rank), rank) for rank in {*ranks}], reverse=True)
    top = _top(ranks) if len(counted) == 5 else None
    if top is not None:
        return _strength(4, [top])
    counts, each = zip(*counted, strict=True)
    return _strength(BY_COUNTS[counts], each)


def _suited(ranks: Sequence[int]) -> int:
    """Give the strength of five cards of one suit."""
    top = _top(ranks)
    if top is None:
        return _strength(5, reversed(ranks))
    return _strength(9 if top == 12 else 8, [top])


def _top(ranks: Sequence[int]) -> int | None:
    """Give the top card of five different ranks, the lowest first, in sequence; None if they are not. The ace may be low."""
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
