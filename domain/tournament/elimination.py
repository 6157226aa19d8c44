"""Pairs and ranks entrants who are out once they have lost: by a bracket of two, or at larger tables (tournament 5).

The bracket has the next power of two of places. With eight, those of the seeds 1–8, 4–5, 2–7 and 3–6 meet first.
Missing places are byes of the best seeds. A drawn table is played once more until it is decided, never by lot (5.3).

At tables of more than two the first go on (5.5). Those who are left are dealt to as few tables as can be, to and fro
in the order of their seeds. Of the last table one wins. A tie that decides who goes on is decided by the points of the
rounds before; if these are level too, another match at the table decides it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from domain.core.values import changed
from domain.tournament.format import KnockedOut
from domain.tournament.rounds import (
    BOT,
    Ground,
    PairedRound,
    PlayedRound,
    TableResult,
    Words,
    is_last_table,
    points_by_entrant,
    seat_counts,
)
from domain.tournament.table_pairing import seat_table
from domain.tournament.tournament_state import Tournament

Slots = list[int | None]
"""Those who are left, in their places of the bracket; None where nobody is."""


def bracket(seeds: Sequence[int]) -> Slots:
    """Give the places of the bracket, from the entrants in the order of their seeds."""
    places = [1]
    while len(places) < len(seeds):
        places = [seed for one in places for seed in (one, 2 * len(places) + 1 - one)]
    return [seeds[one - 1] if one <= len(seeds) else None for one in places]


def pair_left(ground: Ground, seeds: Sequence[int], rounds: Sequence[PlayedRound]) -> PairedRound | None:
    """Pair the next round of the bracket of these seeds, after these rounds of it; None once one is left.

    An entrant who has left the tournament gives a bye to the one they would have met.
    """
    slots = [one if one not in ground.left else None for one in slots_left(bracket(seeds), rounds)]
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


def slots_left(slots: Slots, rounds: Sequence[PlayedRound]) -> Slots:
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
        slots = slots_left(slots, [each])
        through |= {one: n for one in slots if one is not None}
    far = {one: (n, int(one in slots and one not in ground.left)) for one, n in through.items()}
    return places_by(far, [(n, 0) for n, _, _ in tables_lost_by_all(rounds)])


def pairs_in(slots: Slots) -> list[tuple[int | None, int | None]]:
    """Give those who are next to each other in a bracket."""
    return list(zip(slots[::2], slots[1::2], strict=True))


# --- Larger tables -----------------------------------------------------------------------------------------


def pair_knockout(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round; None once one is left. Who is at a table of which all would go on has a bye."""
    plan = ground.plan
    left = [one for one in entrants_left(ground) if one not in ground.left]
    if len(left) < 2:
        return None
    dealt = _deal_to_and_fro(left, -(-len(left) // plan.seats))
    goes_on = plan.advance if len(dealt) > 1 else 1
    byes = tuple(one for table in dealt if len(table) <= goes_on for one in table)
    size = plan.seats if plan.fill == "bots" else 0
    had = seat_counts(ground.rounds)
    tables = tuple(seat_table(table, had, max(size, len(table))) for table in dealt if len(table) > goes_on)
    return PairedRound(tables, byes, "elimination")


def _deal_to_and_fro(left: Sequence[int], tables: int) -> list[list[int]]:
    """Deal seeds to tables, to and fro."""
    dealt: list[list[int]] = [[] for _ in range(tables)]
    for i, one in enumerate(left):
        turn, at = divmod(i, tables)
        dealt[tables - 1 - at if turn % 2 else at].append(one)
    return dealt


def entrants_left(ground: Ground) -> list[int]:
    """Give who has gone on from every round so far, in the order of the seeds; some of them may have left."""
    left = list(ground.order)
    for n, each in enumerate(ground.rounds):
        before = changed(ground, rounds=ground.rounds[:n])
        last = is_last_table(each.tables, each.byes)
        on = {one for table in each.tables for one in advancing_from(before, table, last=last) or ()} | {*each.byes}
        left = [one for one in left if one in on]
    return left


def advancing_from(ground: Ground, table: TableResult, *, last: bool) -> tuple[int, ...] | None:
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


def count_advancing(ground: Ground, played: PlayedRound, table: TableResult) -> int:
    """Say how many would have gone on from a table of a round."""
    there = sum(one is not BOT for one in table.seats)
    return min(1 if is_last_table(played.tables, played.byes) else ground.plan.advance, there)


def needs_replay(ground: Ground, table: TableResult, *, last: bool) -> bool:
    """Say whether a table of an elimination has to be played once more; `last` says that it is the last one."""
    if len(table.seats) == 2:
        return table.places.count(1) > 1
    return advancing_from(ground, table, last=last) is None


# --- Losses ------------------------------------------------------------------------------------------------


def losses_after(ground: Ground) -> list[Counter[int]]:
    """Count the tables from which each entrant has not gone on: before the first round, and after each one."""
    counts = [Counter[int]()]
    for n, each in enumerate(ground.rounds):
        before, lost = changed(ground, rounds=ground.rounds[:n]), counts[-1].copy()
        for table in each.tables:
            on = advancing_from(before, table, last=is_last_table(each.tables, each.byes)) or ()
            lost.update(one for one in table.seats if one is not BOT and one not in on)
        counts.append(lost)
    return counts


def out_after_losses(lives: int) -> KnockedOut:
    """Give the rule by which so many losses knock out."""

    def out(t: Tournament, ground: Ground) -> frozenset[int]:
        lost = losses_after(ground)[-1] + _losses_now(t, ground)
        return frozenset(one for one, count in lost.items() if count >= lives)

    return out


def _losses_now(t: Tournament, ground: Ground) -> Counter[int]:
    """Count who has not gone on from the tables of the open round that are over."""
    lost = Counter[int]()
    for table in filter(None, t.results if t.open else ()):
        on = advancing_from(ground, table, last=is_last_table(t.tables, t.byes)) or ()
        lost.update(one for one in table.seats if one is not BOT and one not in on)
    return lost


# --- Places ------------------------------------------------------------------------------------------------


Far = TypeVar("Far", bound=tuple[int, ...])


def places_by(far: Mapping[int, Far], empty: Iterable[Far] = ()) -> dict[int, int]:
    """Give the place of each by how far it has come; who has come as far shares it.

    `empty` says how far those would have come who might have gone on from tables that all have lost.
    """
    first: dict[Far, int] = {}
    for place, mine in enumerate(sorted([*far.values(), *empty], reverse=True), 1):
        first.setdefault(mine, place)
    return {one: first[mine] for one, mine in far.items()}


def tables_lost_by_all(rounds: Sequence[PlayedRound]) -> Iterator[tuple[int, PlayedRound, TableResult]]:
    """Yield the tables that all have lost, with their rounds and the rounds' numbers from 1."""
    for n, each in enumerate(rounds, 1):
        for table in each.tables:
            if 1 not in table.places:
                yield n, each, table
