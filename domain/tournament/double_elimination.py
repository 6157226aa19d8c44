"""Pairs double elimination, in which who loses twice is out (tournament 5.6).

Those who have lost nothing meet by the bracket. Those who have lost once meet each other, as few as possible again;
with an odd number the best seed of those with the fewest byes has one. Who is left of each meet last, and once more if
that is the first loss of the one.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from domain.tournament.empty_places import lost_by_all, places_by
from domain.tournament.played_rounds import BOT, PlayedRound, byes_of, met_of
from domain.tournament.round_pairing import Ground, PairedRound, Words
from domain.tournament.single_elimination import Slots, bracket, left_in, pairs_in, winner_of
from domain.tournament.swiss_pairs import pairs_of

LIVES: Final = 2
"""The number of losses after which an entrant is out."""


def pair_double(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round, the tables of those who have lost nothing first; None once one is left."""
    lost = losses_of(ground.rounds)
    upper = [one for one in ground.active if not lost[one]]
    lower = [one for one in ground.active if lost[one] == 1]
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


def losses_of(rounds: Sequence[PlayedRound]) -> Counter[int]:
    """Count the tables that each entrant has not won."""
    return Counter(
        one
        for each in rounds
        for table in each.tables
        for one in table.seats
        if one is not BOT and one != winner_of(table)
    )


def double_places(ground: Ground) -> dict[int, int]:
    """Give the place of each: the later one was out, the better; who was out in the same round shares the place.

    Of those who are not out yet, who has lost less is better; who has left is behind them. A table at which both are
    out counts as if somebody had won it and was out next.
    """
    after = [losses_of(ground.rounds[:n]) for n in range(1, len(ground.rounds) + 1)]
    lost = after[-1] if after else Counter[int]()
    far: dict[int, tuple[int, int, int]] = {}
    for one in ground.order:
        survived = sum(counts[one] < LIVES for counts in after)
        still = lost[one] < LIVES
        far[one] = (survived, int(still and one not in ground.left), -lost[one] if still else 0)
    empty = [
        (n, 0, 0)
        for n, _, table in lost_by_all(ground.rounds, ground.rules)
        if all(after[n - 1][one] >= LIVES for one in table.seats if one is not BOT)
    ]
    return places_by(far, empty)
