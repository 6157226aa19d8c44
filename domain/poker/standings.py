"""Rates hands of poker, for the bots.

A standing is the share of a rival's possible hands that beat this one, from 0 for the best hand to 1 for the worst;
equal ones count half.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import combinations, islice
from random import Random
from typing import Final

from domain.core.cards import PACK, RANK_OF, SUIT_OF, Cards, drop_cards, remove_cards
from domain.poker.ranking import strength, strengths

STRAIGHT, FOURS = 4, 7
"""The numbers of the categories straight and four of a kind."""

# --- Two hole cards -------------------------------------------------------------------------------------

STARTING: Final = """
    73 51 50 48 47 45 43 42 41 41 40 40 39
    48 69 47 46 45 43 40 40 38 37 37 36 35
    47 44 65 45 43 40 38 37 36 35 34 34 32
    45 43 42 61 42 40 37 35 34 33 32 31 30
    45 42 40 40 58 38 37 35 32 31 30 29 29
    42 40 38 37 36 53 36 34 33 30 28 28 27
    40 37 36 34 33 33 50 34 32 30 28 27 26
    39 36 34 32 32 31 31 46 31 30 29 26 24
    38 35 33 30 29 28 29 29 43 30 29 27 25
    38 33 31 29 27 27 26 26 27 40 29 27 25
    37 33 30 28 26 25 24 24 25 25 36 26 25
    36 32 29 28 25 23 22 22 23 23 22 34 24
    35 30 29 27 25 23 22 20 21 21 21 20 31
"""
"""Of a hundred pots, two cards win this many against two unknown hands if no hand folds, from 30,000 deals each.

Rows and columns are ranks, from aces down to twos: above the diagonal the two are of one suit, on it they are a pair.
"""


def starting(hand: Cards) -> float:
    """Return the standing of two cards before there is a board."""
    return share_above(_starting(), _pots(hand))


@cache
def _grid() -> list[list[int]]:
    return [[int(n) for n in row.split()] for row in STARTING.split("\n") if row.strip()]


def _pots(hand: Cards) -> int:
    low, high = sorted([12 - RANK_OF[c] for c in hand])
    return _grid()[low][high] if SUIT_OF[hand[0]] == SUIT_OF[hand[1]] else _grid()[high][low]


@cache
def _starting() -> list[int]:
    return sorted(map(_pots, combinations(PACK, 2)))


def on_board(hand: Cards, board: Cards) -> float:
    """Return the current standing of two cards, on a board of three or more."""
    unseen = drop_cards(PACK, (*hand, *board))
    mine = strength(hand + board)
    others = strengths([two + board for two in combinations(unseen, 2)])
    better = sum([other > mine for other in others])
    return (better + others.count(mine) / 2) / len(others)


def outs(hand: Cards, board: Cards) -> float:
    """Return the share of unseen cards that would give the hand a straight or better, without the board's own."""
    unseen = drop_cards(PACK, (*hand, *board))
    now = _category(hand + board)
    return sum([_makes(hand, (*board, c), now) for c in unseen]) / len(unseen)


def _makes(hand: Cards, board: Cards, now: int) -> bool:
    after = _category(hand + board)
    return after >= STRAIGHT and after > max(now, _category(board))


def _category(cards: Cards) -> int:
    """Return the number of the category; that of fewer than five cards is 0."""
    return strength(cards) >> 20 if len(cards) >= 5 else 0


# --- Hands of five --------------------------------------------------------------------------------------

EACH: Final = 211
"""One in this many of all hands of five is in the sample."""


def standing_before_draw(hand: Cards) -> float:
    """Return the standing of five cards before the draw."""
    return share_above(_dealt(), strength(hand))


def standing_after_draw(hand: Cards, count: int) -> float:
    """Return the standing of five cards against a rival who exchanged this many."""
    return share_above(_standings_after_draw()[count], strength(hand))


@cache
def dealt_hands() -> list[Cards]:
    """Return a sample of all hands of five."""
    return list(islice(combinations(PACK, 5), 0, None, EACH))


@cache
def _dealt() -> list[int]:
    return sorted(strengths(dealt_hands()))


@cache
def _standings_after_draw() -> list[list[int]]:
    """Return the standings of hands after a sound draw, by the number of exchanged cards.

    An exchange of five is never sound, so it is treated as an exchange of four.
    """
    # The seed is the same in every process: this is a table, not chance.
    rng = Random(0)
    after: list[list[int]] = [[] for _ in range(6)]
    for hand in dealt_hands():
        gone = exchange(hand)
        fresh = rng.sample(drop_cards(PACK, hand), len(gone))
        after[len(gone)].append(strength((*remove_cards(hand, *gone), *fresh)))
    after[5] = after[4]
    return [sorted(row) for row in after]


def exchange(hand: Cards, most: int = 5) -> Cards:
    """Choose the discards: keep made hands, four to a straight or a flush, or high cards."""
    kept = _cards_to_keep(hand)
    rest = sorted(drop_cards(hand, kept), key=lambda c: RANK_OF[c])
    return tuple(sorted(rest[:most]))


def _cards_to_keep(hand: Cards) -> Cards:
    made = _category(hand)
    if made >= STRAIGHT and made != FOURS:
        return hand
    if made:
        ranks = [RANK_OF[c] for c in hand]
        return tuple([c for c in hand if ranks.count(RANK_OF[c]) > 1])
    return hoping(hand) or _high(hand)


def hoping(hand: Cards) -> Cards:
    """Return four of five cards that draw to a flush or an open-ended straight; or none."""
    fours = list(combinations(hand, 4))
    flush = [four for four in fours if len({SUIT_OF[c] for c in four}) == 1]
    return next(iter(flush or filter(_open_row, fours)), ())


def _open_row(four: Cards) -> bool:
    low, *_, high = ranks = sorted({RANK_OF[c] for c in four})
    return len(ranks) == 4 and high - low == 3 and high < 12


def _high(hand: Cards) -> Cards:
    """Return the highest card, and the next if it is a queen or better."""
    first, second, *_ = sorted(hand, key=lambda c: -RANK_OF[c])
    return (first, second) if RANK_OF[second] >= 10 else (first,)


def share_above(row: Sequence[int], worth: int) -> float:
    """Return the share of a sorted row that is greater, plus half of the equal share."""
    below, not_above = bisect_left(row, worth), bisect_right(row, worth)
    return 1 - (below + not_above) / (2 * len(row))
