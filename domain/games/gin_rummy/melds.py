"""Finds melds of Gin Rummy: the arrangement with the least deadwood, and the best defence (gin_rummy 2, 7).

The ace is low here, so cards have their own numbers: `13·suit + rank`, ace 0 … king 12. In this module a hand is a mask
of 52 bits and a suit one of 13. The runs of a suit are in a table of 8,192 rows. The search only covers the ranks that
make sets: seldom more than one.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from domain.core.cards import PACK, RANK_OF, SUIT_OF, Card, Cards
from domain.core.values import value

Meld = Cards
"""The cards of a meld, in the order of the game, ace low."""
Melds = tuple[Meld, ...]

NUMBER = [13 * SUIT_OF[c] + (RANK_OF[c] + 1) % 13 for c in PACK]
POINTS = [min(NUMBER[c] % 13 + 1, 10) for c in PACK]
"""The deadwood points of each card: the ace 1, court cards 10."""

_CARD = sorted(PACK, key=NUMBER.__getitem__)
BIT = [1 << number for number in NUMBER]
_SUIT = 8191
_RANKS = [1 << rank for rank in range(13)]


@value
class Arrangement:
    """A hand sorted into melds and the remaining cards."""

    melds: Melds
    deadwood: Cards

    @property
    def value(self) -> int:
        return points(self.deadwood)


@value
class LaidCard:
    """A card is laid off onto one of the knocker's melds, which are counted from 0."""

    card: Card
    """The card that is laid off."""
    meld: int
    """The number of the meld in the list of the knocker, from 0."""


@value
class Defence:
    """A defender's melds, their layoffs in order, and the cards that still count against them."""

    melds: Melds
    layoffs: tuple[LaidCard, ...]
    deadwood: Cards


# --- Points and order of cards -----------------------------------------------------------------------------


def points(cards: Iterable[Card]) -> int:
    """Add up the deadwood points of the cards."""
    return sum([POINTS[c] for c in cards])


def in_order(cards: Iterable[Card]) -> Meld:
    """Put the cards of a meld in the order of the game."""
    return tuple(sorted(cards, key=NUMBER.__getitem__))


def is_meld(cards: Sequence[Card]) -> bool:
    """Return whether the cards are a set or a run; no run goes from the king to the ace."""
    numbers = sorted(NUMBER[c] for c in cards)
    if len(set(numbers)) < max(3, len(numbers)):
        return False
    if len({n % 13 for n in numbers}) == 1:
        return True
    return numbers[0] // 13 == numbers[-1] // 13 and numbers[-1] - numbers[0] == len(numbers) - 1


def left_of(hand: Cards, melds: Iterable[Meld]) -> Cards:
    """Return the cards of a hand that are in none of the melds."""
    melded = {c for meld in melds for c in meld}
    return tuple([c for c in hand if c not in melded])


# --- Runs of one suit --------------------------------------------------------------------------------------


@cache
def _loose() -> list[int]:
    """Return, for each set of ranks of one suit, the least deadwood that its runs leave; computed once, in 20 ms."""
    least = [0] * 8192
    for held in range(1, 8192):
        low = held & -held
        options = [least[held ^ low] + min(low.bit_length(), 10)]
        options += [least[held ^ run] for run in _runs_from(low) if held & run == run]
        least[held] = min(options)
    return least


def _runs_from(low: int) -> tuple[int, int, int]:
    """Return the runs that begin with this rank; longer ones are made of these."""
    return 7 * low, 15 * low, 31 * low


@cache
def _runs(held: int) -> tuple[tuple[int, ...], ...]:
    """Return the smallest list of runs, as ranks, among those that leave the least of this suit."""
    if not held:
        return ()
    low, loose = held & -held, _loose()
    options = [
        (_ranks(run), *_runs(held ^ run))
        for run in _runs_from(low)
        if held & run == run and loose[held ^ run] == loose[held]
    ]
    if loose[held ^ low] + min(low.bit_length(), 10) == loose[held]:
        options.append(_runs(held ^ low))
    return min(options)


def _ranks(held: int) -> tuple[int, ...]:
    return tuple(rank for rank in range(13) if held & _RANKS[rank])


# --- The least deadwood ---------------------------------------------------------------------------------

_Suits = tuple[int, int, int, int]


def deadwood(cards: Iterable[Card]) -> int:
    """Return the least value that the melds of these cards leave."""
    mask = 0
    for c in cards:
        mask |= BIT[c]
    return least_of(mask)


def least_of(mask: int) -> int:
    """Return the least deadwood of a mask of cards, by their numbers here."""
    c, d, h, s = mask & _SUIT, mask >> 13 & _SUIT, mask >> 26 & _SUIT, mask >> 39
    loose = _loose()
    least = loose[c] + loose[d] + loose[h] + loose[s]
    ranks = c & d & (h | s) | h & s & (c | d)
    if ranks:
        ways = _with_sets((c, d, h, s), ranks)
        least = min(least, *[sum([loose[suit] for suit in left]) for _, left in ways])
    return least


def _with_sets(suits: _Suits, ranks: int) -> Iterator[tuple[tuple[_Suits, ...], _Suits]]:
    """Return every way to take one or more sets of these ranks: the sets, and the suits without them."""
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        for chosen in _sets_of(suits, rank):
            a, b, c, d = chosen
            rest = suits[0] ^ a, suits[1] ^ b, suits[2] ^ c, suits[3] ^ d
            yield (chosen,), rest
            for more, left in _with_sets(rest, ranks):
                yield (chosen, *more), left


def _sets_of(suits: _Suits, rank: int) -> Iterator[_Suits]:
    """Return the sets of this rank: all held cards, and of four also every three."""
    a, b, c, d = held = (suits[0] & rank, suits[1] & rank, suits[2] & rank, suits[3] & rank)
    yield held
    if a and b and c and d:
        yield from ((0, b, c, d), (a, 0, c, d), (a, b, 0, d), (a, b, c, 0))


def arrange(cards: Cards) -> Arrangement:
    """Return the automatic arrangement: the least deadwood, of equals the one with the smallest key.

    A shorter run may come first in the key, so six in a row are two runs of three (gin_rummy 2, 10.6).
    """
    mask = sum([BIT[c] for c in cards])
    c, d, h, s = suits = mask & _SUIT, mask >> 13 & _SUIT, mask >> 26 & _SUIT, mask >> 39
    ways = [((), suits), *_with_sets(suits, c & d & (h | s) | h & s & (c | d))]
    loose = _loose()
    values = [sum([loose[suit] for suit in left]) for _, left in ways]
    least = min(values)
    key = min(_key(*way) for way, left in zip(ways, values, strict=True) if left == least)
    melds = tuple(tuple(_CARD[number] for number in meld) for meld in key)
    return Arrangement(melds, tuple(sorted(left_of(cards, melds))))


def _key(sets: Iterable[_Suits], left: _Suits) -> list[tuple[int, ...]]:
    """Return the canonical key of these sets with the best runs of the other cards."""
    melds = [tuple(13 * suit + rank.bit_length() - 1 for suit, rank in enumerate(chosen) if rank) for chosen in sets]
    melds += [tuple(13 * suit + rank for rank in run) for suit in range(4) for run in _runs(left[suit])]
    return sorted(melds)


def key_of(melds: Iterable[Meld]) -> list[tuple[int, ...]]:
    """Return the canonical key of an arrangement, which decides between equals."""
    return sorted(tuple(sorted(NUMBER[c] for c in meld)) for meld in melds)


# --- The best defence -----------------------------------------------------------------------------------


def lay(hand: Iterable[Card], onto: Melds, layoffs: Iterable[LaidCard]) -> bool:
    """Return whether these cards of the hand can be laid off in this order (gin_rummy 7)."""
    melds, held = list(onto), set(hand)
    for laid in layoffs:
        if laid.card not in held or laid.meld not in range(len(melds)):
            return False
        held.remove(laid.card)
        melds[laid.meld] = (*melds[laid.meld], laid.card)
        if not is_meld(melds[laid.meld]):
            return False
    return True


def extensions(hand: Cards, meld: Meld) -> list[Cards]:
    """Return every way to add cards of the hand to a meld, including none, each in the smallest possible order.

    A set takes its fourth card. A run grows at both ends; going down first is the smaller order.
    """
    numbers = [NUMBER[c] for c in meld]
    if numbers[0] % 13 == numbers[-1] % 13:
        return [(), *[(c,) for c in hand if NUMBER[c] % 13 == numbers[0] % 13 and c not in meld]]
    suit, held = numbers[0] // 13, {NUMBER[c] for c in hand}
    down = _stretch(held, range(numbers[0] - 1, 13 * suit - 1, -1))
    up = _stretch(held, range(numbers[-1] + 1, 13 * suit + 13))
    return [(*down[:i], *up[:j]) for i in range(len(down) + 1) for j in range(len(up) + 1)]


def _stretch(held: set[int], numbers: Iterable[int]) -> Cards:
    """Return the cards held of these numbers, up to the first that is missing."""
    stretch = []
    for number in numbers:
        if number not in held:
            break
        stretch.append(_CARD[number])
    return tuple(stretch)


def possible(hand: Cards, onto: Melds) -> list[tuple[LaidCard, ...]]:
    """Return every set of cards that can be laid off, with the melds that take them, in the smallest order."""
    found: list[tuple[LaidCard, ...]] = [()]
    for i, meld in enumerate(onto):
        ways = extensions(hand, meld)
        found = [
            (*laid, *(LaidCard(c, i) for c in way))
            for laid in found
            for way in ways
            if not {x.card for x in laid}.intersection(way)
        ]
    return found


def defend(
    hand: Cards, onto: Melds, melds: Melds | None = None, layoffs: tuple[LaidCard, ...] | None = None
) -> Defence:
    """Complete a defence with the best melds, lay-offs, or both, whichever were left open.

    Best is the least deadwood; of equals fewer lay-offs, then the smallest key of the melds, then the
    smallest list of (meld, card) (gin_rummy 7).
    """
    free = hand if melds is None else left_of(hand, melds)
    choices = possible(free, onto) if layoffs is None else [layoffs]
    rated = [(_rest(free, laid, melds), laid) for laid in choices]
    least = min((value, len(laid)) for value, laid in rated)
    best = [_completed(hand, laid, melds) for value, laid in rated if (value, len(laid)) == least]
    return min(best, key=_by_melds_then_layoffs)


def _rest(free: Cards, laid: tuple[LaidCard, ...], melds: Melds | None) -> int:
    rest = left_of(free, [tuple(x.card for x in laid)])
    return deadwood(rest) if melds is None else points(rest)


def _completed(hand: Cards, laid: tuple[LaidCard, ...], melds: Melds | None) -> Defence:
    rest = left_of(hand, [tuple(x.card for x in laid)])
    if melds is not None:
        return Defence(melds, laid, left_of(rest, melds))
    arranged = arrange(rest)
    return Defence(arranged.melds, laid, arranged.deadwood)


def _by_melds_then_layoffs(d: Defence) -> tuple[list[tuple[int, ...]], list[tuple[int, int]]]:
    return key_of(d.melds), [(x.meld, NUMBER[x.card]) for x in d.layoffs]
