"""Pairs elimination at tables of more than two, of which the first go on (tournament 5.5).

Those who are left are dealt to as few tables as can be, to and fro in the order of their seeds. Of the last table one
wins. A tie that decides who goes on is decided by the points of the rounds before; where these are level too,
another match at the table decides it.
"""

from collections.abc import Sequence

from domain.core.values import changed
from domain.tournament.empty_places import lost_by_all, places_by
from domain.tournament.played_rounds import BOT, PlayedRound, TableResult, is_last, points_by_entrant, sat_where
from domain.tournament.round_pairing import Ground, PairedRound, Words
from domain.tournament.table_seating import seated


def pair_knockout(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round; None once one is left. Who is at a table of which all would go on has a bye."""
    plan = ground.plan
    left = [one for one in left_at(ground) if one not in ground.left]
    if len(left) < 2:
        return None
    dealt = _dealt(left, -(-len(left) // plan.seats))
    goes_on = plan.advance if len(dealt) > 1 else 1
    byes = tuple(one for table in dealt if len(table) <= goes_on for one in table)
    size = plan.seats if plan.fill == "bots" else 0
    had = sat_where(ground.rounds)
    tables = tuple(seated(table, had, max(size, len(table))) for table in dealt if len(table) > goes_on)
    return PairedRound(tables, byes, "elimination")


def _dealt(left: Sequence[int], tables: int) -> list[list[int]]:
    """Deal seeds to tables, to and fro."""
    dealt: list[list[int]] = [[] for _ in range(tables)]
    for i, one in enumerate(left):
        turn, at = divmod(i, tables)
        dealt[tables - 1 - at if turn % 2 else at].append(one)
    return dealt


def left_at(ground: Ground) -> list[int]:
    """Give who has gone on from every round so far, in the order of the seeds; some of them may have left."""
    left = list(ground.order)
    for n, each in enumerate(ground.rounds):
        before = changed(ground, rounds=ground.rounds[:n])
        last = is_last(each.tables, each.byes)
        on = {one for table in each.tables for one in through(before, table, last=last) or ()} | {*each.byes}
        left = [one for one in left if one in on]
    return left


def through(ground: Ground, table: TableResult, *, last: bool) -> tuple[int, ...] | None:
    """Give who goes on from a table of the round after those of the ground; None while that is not decided.

    Of the last table one wins. Nobody goes on where all have lost.
    """
    if 1 not in table.places:
        return ()
    there = sorted((place, one) for place, one in zip(table.places, table.seats, strict=True) if one is not BOT)
    count = 1 if last else ground.plan.advance
    if len(there) <= count or there[count - 1][0] < there[count][0]:
        return tuple(one for _, one in there[:count])
    earlier = points_by_entrant(ground.rounds, ground.plan.seats)
    ranked = sorted((place, -earlier[one], one) for place, one in there)
    if ranked[count - 1][:2] == ranked[count][:2]:
        return None
    return tuple(one for _, _, one in ranked[:count])


def knockout_places(ground: Ground) -> dict[int, int]:
    """Give the place of each: the later one was out, the better; who was out in the same round shares the place.

    Those of the last table are placed as it ended. Who has won all and then left is behind who has won as much. A table
    that all have lost counts as if others had gone on from it and were out next.
    """
    far = dict.fromkeys(ground.order, (0, 0, 0))
    for n, each in enumerate(ground.rounds, 1):
        for one in left_at(changed(ground, rounds=ground.rounds[:n])):
            far[one] = (n, int(one not in ground.left), 0)
        if is_last(each.tables, each.byes):
            table = each.tables[0]
            for place, there in zip(table.places, table.seats, strict=True):
                if there is not BOT and far[there][0] < n:
                    far[there] = (n - 1, 1, -place)
    empty = [(n, 0, 0) for n, each, table in lost_by_all(ground.rounds) for _ in range(going_on(ground, each, table))]
    return places_by(far, empty)


def going_on(ground: Ground, played: PlayedRound, table: TableResult) -> int:
    """Say how many would have gone on from a table of a round."""
    there = sum(one is not BOT for one in table.seats)
    return min(1 if is_last(played.tables, played.byes) else ground.plan.advance, there)
