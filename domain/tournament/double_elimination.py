"""Pairs double elimination, in which who loses twice is out (tournament 5.6).

Those who have lost nothing meet by the bracket. Those who have lost once meet each other, as few as possible again;
with an odd number the best seed of those with the fewest byes has one. Who is left of each meet last, and once more if
that is the first loss of the one.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from domain.core.values import changed
from domain.tournament.knockout import through
from domain.tournament.played_rounds import BOT, byes_of, is_last, met_of
from domain.tournament.round_pairing import Ground, PairedRound, Words
from domain.tournament.single_elimination import Slots, bracket, left_in, pairs_in
from domain.tournament.swiss_pairs import pairs_of

LIVES: Final = 2
"""The number of losses after which an entrant is out."""


def pair_double(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round, the tables of those who have lost nothing first; None once one is left."""
    upper, lower = sides_of(ground)
    if len(upper) + len(lower) < 2:
        return None
    if len(upper) == len(lower) == 1:
        return PairedRound(((upper[0], lower[0]),), (), "elimination")
    tables, byes = _upper(ground, upper)
    had = byes_of(ground.rounds)
    rest = sorted(lower, key=had.__getitem__)[: len(lower) % 2]
    paired = pairs_of([one for one in lower if one not in rest], met_of(ground.rounds))
    return PairedRound((*tables, *paired), (*byes, *rest), "elimination")


def _upper(ground: Ground, upper: Sequence[int]) -> tuple[list[tuple[int, int]], list[int]]:
    """Pair those who have lost nothing; the last of them waits, as with a bye."""
    slots: Slots = bracket(ground.order)
    for each in ground.rounds:
        if len(slots) > 1:
            slots = left_in(slots, [each])
    if len(upper) < 2:
        return [], list(upper)
    tables, byes = [], []
    for pair in pairs_in([one if one in upper else None for one in slots]):
        there = [one for one in pair if one is not None]
        if len(there) == 2:
            tables.append((there[0], there[1]))
        else:
            byes += there
    return tables, byes


def sides_of(ground: Ground) -> tuple[list[int], list[int]]:
    """Give those who are there and have lost nothing, and those who have lost once, in the order of their seeds."""
    lost = losses_after(ground)[-1]
    return [one for one in ground.active if not lost[one]], [one for one in ground.active if lost[one] == 1]


def losses_after(ground: Ground) -> list[Counter[int]]:
    """Count the tables from which each entrant has not gone on: before the first round, and after each one."""
    counts = [Counter[int]()]
    for n, each in enumerate(ground.rounds):
        before, lost = changed(ground, rounds=ground.rounds[:n]), counts[-1].copy()
        for table in each.tables:
            on = through(before, table, last=is_last(each.tables, each.byes)) or ()
            lost.update(one for one in table.seats if one is not BOT and one not in on)
        counts.append(lost)
    return counts
