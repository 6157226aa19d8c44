"""Pairs an arena: the free players, again and again, until its time is over (tournament 10)."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from domain.core.fairness import shuffled
from domain.tournament.played_rounds import BOT, Rounds, points_by_entrant, sat_where
from domain.tournament.round_pairing import Ground, PairedRound, Words
from domain.tournament.swiss_pairs import pairs_of
from domain.tournament.table_pairing import Field, Meetings, tables_of
from domain.tournament.table_seating import Had, seated, seats_had

MOST_PAIRINGS: Final = 1024
"""The maximum number of pairings of an arena; its chain of seeds has a link for each, and one for the order."""

SHARE: Final = 8
"""An arena is paired once one in this many of the players who are there is free."""


def is_due(free: int, there: int, seats: int, *, open_tables: bool) -> bool:
    """Say whether those who are free are paired: they fill two tables and are an eighth, or no table is open."""
    if not open_tables:
        return free >= seats
    return free >= max(2 * seats, -(-there // SHARE))


def pair_arena(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair those who are free; None if they fill no table."""
    plan, had = ground.plan, _latest(ground.rounds)
    if len(ground.active) < plan.seats:
        return None
    there = sorted(shuffled(draws, sorted(ground.active)), key=lambda one: len(had.get(one, ())))
    sat = sat_where(ground.rounds)
    paired = _pairs(ground, there, _just_met(had)) if plan.seats == 2 else _tables(ground, there, _just_met(had), sat)
    return PairedRound(tuple(seated(table, sat, plan.seats) for table in paired), ())


def _pairs(ground: Ground, there: Sequence[int], again: Meetings) -> list[tuple[int, int]]:
    """Pair two by two; of an odd number waits who has played most, but so that nobody meets the latest again."""
    found = []
    for waits in reversed(there) if len(there) % 2 else (None,):
        order = _by_points(ground, [one for one in there if one != waits])
        found.append(pairs_of(order, again))
        if not any(tuple(sorted(pair)) in again for pair in found[-1]):
            return found[-1]
    return found[0]


def _tables(ground: Ground, there: Sequence[int], again: Meetings, sat: Had) -> list[list[int]]:
    """Pair larger tables, without swaps by chance; those who have played most wait."""
    size = ground.plan.seats
    order = _by_points(ground, there[: len(there) - len(there) % size])
    points = points_by_entrant(ground.rounds, size)
    known = {one: ground.clubs[one] for one in order if one in ground.clubs}
    field = Field({one: points[one] for one in order}, again, known, seats_had(order, sat, size))
    return tables_of(order, [size] * (len(order) // size), field, None)


def _by_points(ground: Ground, there: Sequence[int]) -> list[int]:
    points = points_by_entrant(ground.rounds, ground.plan.seats)
    return sorted(there, key=lambda one: -points[one])


def _latest(rounds: Rounds) -> dict[int, list[tuple[int, ...]]]:
    """Give who sat at each table of each entrant, from the first."""
    had: dict[int, list[tuple[int, ...]]] = {}
    for each in rounds:
        for table in each.tables:
            there = tuple(sorted(one for one in table.seats if one is not BOT))
            for one in there:
                had.setdefault(one, []).append(there)
    return had


def _just_met(had: Mapping[int, Sequence[tuple[int, ...]]]) -> dict[tuple[int, int], int]:
    """Give the pairs of whom one has met the other at its latest table, the lower number first."""
    return {pair: 1 for one, tables in had.items() for pair in combinations(tables[-1], 2) if one in pair}
