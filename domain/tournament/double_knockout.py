"""Pairs double elimination at tables of more than two, of which the first go on (tournament 5.9).

Those who have lost nothing sit together, and those who have lost once, such that as few as possible meet again. As soon
as one table seats all who are left it does, until one of them is left.
"""

from collections.abc import Sequence

from domain.tournament.double_elimination import sides_of
from domain.tournament.played_rounds import byes_of, met_of, sat_where
from domain.tournament.round_pairing import Ground, PairedRound, Words
from domain.tournament.table_pairing import Field, tables_of
from domain.tournament.table_seating import seated, seats_had


def pair_double_knockout(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round, the tables of those who have lost nothing first; None once one is left."""
    plan = ground.plan
    sides = sides_of(ground)
    there = {one for side in sides for one in side}
    left = [one for one in ground.order if one in there]
    if len(left) < 2:
        return None
    dealt = [([left], [])] if len(left) <= plan.seats else [_dealt(ground, side) for side in sides if side]
    size, had = plan.seats if plan.fill == "bots" else 0, sat_where(ground.rounds)
    tables = [seated(one, had, max(size, len(one))) for made, _ in dealt for one in made]
    return PairedRound(tuple(tables), tuple(one for _, byes in dealt for one in byes), "elimination")


def _dealt(ground: Ground, side: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Deal some to as few tables as can be, as equal as can be; gives these, and who has a bye.

    They are dealt one to each in turn, and change places so that as few as possible meet again.
    There are as many byes as there would be entrants at tables of which all would go on.
    """
    count = -(-len(side) // ground.plan.seats)
    least, more = divmod(len(side), count)
    sizes = [size for size in [least + 1] * more + [least] * (count - more) if size > ground.plan.advance]
    byes = sorted(side, key=byes_of(ground.rounds).__getitem__)[: len(side) - sum(sizes)]
    rest = [one for one in side if one not in byes]
    order = [one for table in range(len(sizes)) for one in rest[table :: len(sizes)]]
    had = seats_had(order, sat_where(ground.rounds), ground.plan.seats)
    field = Field(dict.fromkeys(order, 0), met_of(ground.rounds), ground.clubs, had)
    return tables_of(order, sizes, field, None), byes
