"""Builds tables of the values of hands, by the sum of the keys of their cards.

The key of a card has two parts. The upper one is a digit of base five at the place of its rank: no rank is there more
than four times, so the sum says how often each rank is. The lower one is a count of its suit in four bits: it starts
at three, so the fourth bit says that there are five or more. One sum per hand thus tells whether there is a flush,
and where to look.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import Final

from domain.core.cards import PACK, RANK_OF, SUIT_OF

SUIT_BITS: Final = 16
"""The lowest bits of a sum count suits, in this number; those above them count ranks."""

START: Final = 0x3333
"""A sum starts with this."""

FLUSH: Final = 0x8888
"""One of these bits is set if a suit occurs five times."""

PLACES: Final = [5**rank for rank in range(13)]
"""Each rank has this key."""

UNKNOWN: Final = 1 << 60
"""The key of a face-down card, which no table knows."""

KEYS: Final = [(PLACES[RANK_OF[c]] << SUIT_BITS) + (1 << 4 * SUIT_OF[c]) for c in PACK] + [UNKNOWN]
"""Each card has this key."""

PAIRS: Final = [[one + other for other in KEYS] for one in KEYS]
"""The sum of the keys of two cards, to save additions."""

LAST: Final = [key + START for key in KEYS]
"""The last card has this key, to which the start is added."""

OF_SUIT: Final = {
    8 << 4 * suit: [PLACES[RANK_OF[c]] * (SUIT_OF[c] == suit) for c in PACK] + [UNKNOWN] for suit in range(4)
}
"""Each card of a suit has the key of its rank here, other cards 0; the suit is named by its bit of a flush."""

Table = Mapping[int, int]
"""A table gives strengths by the sum of the keys of the ranks; in hexadecimal a strength is a comparable value."""


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
"""The numbers of cards of each rank decide the category, if the cards are not in sequence."""


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
