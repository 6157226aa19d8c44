"""Pairs and ranks an elimination: by a bracket of tables of two, or at larger tables (tournament 5).

The number of places in the bracket is the next power of two. With eight, seeds 1 and 8, 4 and 5, 2 and 7, and 3 and 6
meet first. Missing places are byes of the best seeds. A drawn table is replayed until it is decided, and never decided
by lot (5.3).

At tables of more than two, the first entrants advance (5.5). They are dealt to as few tables as possible, back and
forth in the order of their seeds. The last table has a single winner. A tie that affects who advances is broken by the
points of earlier rounds; if these are equal too, another match at the table decides.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from domain.core.values import with_fields
from domain.tournament.format import DUEL, KnockedOut
from domain.tournament.plan_faults import NO_DEADLINE, NO_DRAWS, refused_fields
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
from domain.tournament.tournament_plan import TournamentPlan
from domain.tournament.tournament_state import Tournament

BRACKET_RULE: Final = "The winners of neighbouring places in the bracket meet. Missing places are byes."

AT_LARGER_TABLES: Final = frozenset({"fill", "advance"})
"""The fields of a plan that are only for elimination at larger tables."""


def elimination_faults(plan: TournamentPlan) -> Iterator[str]:
    """Yield a sentence for each field of a plan that an elimination does not support."""
    if plan.overdue == "drawn":
        yield NO_DRAWS
    if plan.seats == DUEL:
        yield from refused_fields(plan, AT_LARGER_TABLES)
        return
    if plan.fill == "bye":
        yield "For elimination at larger tables, `fill` must be `bots` or `short`."
    if plan.fill == "short" and plan.fewest > DUEL:
        yield "The last table may have only two players, and this game needs more. Choose `fill` `bots`."
    if not 1 <= plan.advance <= plan.seats // 2:
        yield "`advance` must be 1 to half of the seats."
    if plan.round_days is not None:
        yield NO_DEADLINE


Slots = list[int | None]
"""The remaining entrants, in their places of the bracket; None is an empty place."""


def bracket(seeds: Sequence[int]) -> Slots:
    """Return the bracket for entrants in the order of their seeds, with None for missing places."""
    places = [1]
    while len(places) < len(seeds):
        places = [seed for one in places for seed in (one, 2 * len(places) + 1 - one)]
    return [seeds[one - 1] if one <= len(seeds) else None for one in places]


def pair_left(ground: Ground, seeds: Sequence[int], rounds: Sequence[PlayedRound]) -> PairedRound | None:
    """Pair the next round of a bracket, given its seeds and its rounds so far; None if only one entrant is left.

    The opponent of an entrant who has left the tournament has a bye.
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
    """Return the remaining entrants after rounds of a bracket."""
    for each in rounds:
        winners = {winner_of(table) for table in each.tables} | {*each.byes}
        slots = [next((one for one in pair if one in winners and one is not None), None) for pair in pairs_in(slots)]
    return slots


def winner_of(table: TableResult) -> int | None:
    """Return the only winner of a table; None without one, for example if both have lost."""
    return table.seats[table.places.index(1)] if table.places.count(1) == 1 else None


def bracket_places(ground: Ground, seeds: Sequence[int], rounds: Sequence[PlayedRound]) -> dict[int, int]:
    """Return the place of each entrant: a later exit is better; exits in the same round share a place.

    An entrant who won every table and then left is behind an entrant with as many wins who stayed. A table that all
    have lost counts as if an entrant had won it and was out next, so that place stays empty.
    """
    through = dict.fromkeys(seeds, 0)
    slots = bracket(seeds)
    for n, each in enumerate(rounds, 1):
        slots = slots_left(slots, [each])
        through |= {one: n for one in slots if one is not None}
    far = {one: (n, int(one in slots and one not in ground.left)) for one, n in through.items()}
    return places_by(far, [(n, 0) for n, _, _ in tables_lost_by_all(rounds)])


def pairs_in(slots: Slots) -> list[tuple[int | None, int | None]]:
    """Return the pairs of neighbours in a bracket."""
    return list(zip(slots[::2], slots[1::2], strict=True))


# --- Larger tables -----------------------------------------------------------------------------------------


def pair_knockout(ground: Ground, draws: Words) -> PairedRound | None:
    """Return the next round; None if one entrant is left. If all entrants of a table would advance, they have byes."""
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
    """Deal the seeds to the tables, forwards and backwards in turn."""
    dealt: list[list[int]] = [[] for _ in range(tables)]
    for i, one in enumerate(left):
        turn, at = divmod(i, tables)
        dealt[tables - 1 - at if turn % 2 else at].append(one)
    return dealt


def entrants_left(ground: Ground) -> list[int]:
    """Return the entrants who advanced from every round so far, in the order of the seeds; some may have left."""
    left = list(ground.order)
    for n, each in enumerate(ground.rounds):
        before = with_fields(ground, rounds=ground.rounds[:n])
        last = is_last_table(each.tables, each.byes)
        on = {one for table in each.tables for one in advancing_from(before, table, last=last) or ()} | {*each.byes}
        left = [one for one in left if one in on]
    return left


def advancing_from(ground: Ground, table: TableResult, *, last: bool) -> tuple[int, ...] | None:
    """Return the entrants who advance from a table of the next round; None while that is not decided.

    The last table has a single winner. No entrant advances if all have lost.
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
    """Return the number of entrants who advance from a table of a round."""
    there = sum(one is not BOT for one in table.seats)
    return min(1 if is_last_table(played.tables, played.byes) else ground.plan.advance, there)


def needs_replay(ground: Ground, table: TableResult, *, last: bool) -> bool:
    """Return whether a table of an elimination must be played again; `last`: it is the last table."""
    if len(table.seats) == 2:
        return table.places.count(1) > 1
    return advancing_from(ground, table, last=last) is None


# --- Losses ------------------------------------------------------------------------------------------------


def losses_after(ground: Ground) -> list[Counter[int]]:
    """Count the tables from which each entrant did not advance: before the first round, and after each round."""
    counts = [Counter[int]()]
    for n, each in enumerate(ground.rounds):
        before, lost = with_fields(ground, rounds=ground.rounds[:n]), counts[-1].copy()
        for table in each.tables:
            on = advancing_from(before, table, last=is_last_table(each.tables, each.byes)) or ()
            lost.update(one for one in table.seats if one is not BOT and one not in on)
        counts.append(lost)
    return counts


def out_after_losses(lives: int) -> KnockedOut:
    """Return the rule by which this number of losses knocks an entrant out."""

    def out(t: Tournament, ground: Ground) -> frozenset[int]:
        lost = losses_after(ground)[-1] + _losses_now(t, ground)
        return frozenset(one for one, count in lost.items() if count >= lives)

    return out


def _losses_now(t: Tournament, ground: Ground) -> Counter[int]:
    """Count the entrants who did not advance from the finished tables of the open round."""
    lost = Counter[int]()
    for table in filter(None, t.results if t.open else ()):
        on = advancing_from(ground, table, last=is_last_table(t.tables, t.byes)) or ()
        lost.update(one for one in table.seats if one is not BOT and one not in on)
    return lost


# --- Places ------------------------------------------------------------------------------------------------


Far = TypeVar("Far", bound=tuple[int, ...])


def places_by(far: Mapping[int, Far], empty: Iterable[Far] = ()) -> dict[int, int]:
    """Return the place of each entrant by its progress; entrants with equal progress share a place.

    `empty` has the progress of the entrants who might have advanced from tables that all have lost.
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
