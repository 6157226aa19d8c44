"""Pairs a bracket of single elimination, in which who loses is out (tournament 5).

The bracket has the next power of two of places. With eight, those of the seeds 1–8, 4–5, 2–7 and 3–6 meet first.
Missing places are byes of the best seeds. A drawn table is played once more until it is decided, never by lot (5.3).
"""

from collections.abc import Sequence

from domain.tournament.empty_places import lost_by_all, places_by
from domain.tournament.played_rounds import PlayedRound, TableResult
from domain.tournament.round_pairing import Ground, PairedRound, Words

Slots = list[int | None]
"""Those who are left, in their places of the bracket; None where nobody is."""


def bracket(seeds: Sequence[int]) -> Slots:
    """Give the places of the bracket, from the entrants in the order of their seeds."""
    places = [1]
    while len(places) < len(seeds):
        places = [seed for one in places for seed in (one, 2 * len(places) + 1 - one)]
    return [seeds[one - 1] if one <= len(seeds) else None for one in places]


def pair_bracket(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round of a bracket whose seeds are the order of the shuffle; None once one is left."""
    return pair_left(ground, ground.order, ground.rounds)


def pair_left(ground: Ground, seeds: Sequence[int], rounds: Sequence[PlayedRound]) -> PairedRound | None:
    """Pair the next round of the bracket of these seeds, after these rounds of it; None once one is left.

    An entrant who has left the tournament gives a bye to the one they would have met.
    """
    slots = [one if one not in ground.left else None for one in left_in(bracket(seeds), rounds)]
    if sum(one is not None for one in slots) < 2:
        return None
    tables, byes = [], []
    for one, other in pairs_in(slots):
        there = [who for who in (one, other) if who is not None]
        if len(there) == 2:
            tables.append((there[0], there[1]))
        else:
            byes += there
    return PairedRound(tuple(tables), tuple(byes), "elimination")


def left_in(slots: Slots, rounds: Sequence[PlayedRound]) -> Slots:
    """Give who is left after rounds of a bracket."""
    for each in rounds:
        winners = {winner_of(table) for table in each.tables} | {*each.byes}
        slots = [next((one for one in pair if one in winners and one is not None), None) for pair in pairs_in(slots)]
    return slots


def winner_of(table: TableResult) -> int | None:
    """Give who won a table alone; None if nobody did, as where both have lost."""
    return table.seats[table.places.index(1)] if table.places.count(1) == 1 else None


def bracket_places(ground: Ground, seeds: Sequence[int], rounds: Sequence[PlayedRound]) -> dict[int, int]:
    """Give the place of each: the later one was out, the better; who was out in the same round shares the place.

    Who has won all and then left is behind who has won as much and is there. A table that all have lost counts as if
    somebody had won it and was out next, so that nobody has that place.
    """
    through = dict.fromkeys(seeds, 0)
    slots = bracket(seeds)
    for n, each in enumerate(rounds, 1):
        slots = left_in(slots, [each])
        through |= {one: n for one in slots if one is not None}
    far = {one: (n, int(one in slots and one not in ground.left)) for one, n in through.items()}
    return places_by(far, [(n, 0) for n, _, _ in lost_by_all(rounds)])


def pairs_in(slots: Slots) -> list[tuple[int | None, int | None]]:
    """Give those who are next to each other in a bracket."""
    return list(zip(slots[::2], slots[1::2], strict=True))
