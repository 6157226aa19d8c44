"""Double elimination: an entrant is out after two losses (tournament 5.6, 5.9).

Entrants without a loss meet by the bracket. Entrants with one loss meet each other, as few as possible again; with an
odd number, the best seed among those with the fewest byes has a bye. The last entrant of each side meet at the end, and
again if that is the first loss of one of them.

At tables of more than two, the first entrants advance. Entrants without a loss and entrants with one loss play at
separate tables, such that as few as possible meet again. Once a table seats all remaining entrants, they all play at it
until one is left.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from domain.tournament import elimination
from domain.tournament.format import DUEL, TournamentFormat
from domain.tournament.pairs import pairs_of
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.rounds import BOT, Ground, PairedRound, Words, byes_of, is_last_table, met_of, seat_counts
from domain.tournament.table_pairing import Field, seat_table, seats_had, tables_of


def pair_double_elimination(ground: Ground, draws: Words) -> PairedRound | None:
    """Return the next round, the tables of entrants without a loss first; None if only one entrant is left."""
    return (pair_sides_by_two if ground.plan.seats == DUEL else pair_sides_at_tables)(ground, draws)


LIVES: Final = 2
"""The number of losses after which an entrant is out."""


def pair_sides_by_two(ground: Ground, draws: Words) -> PairedRound | None:
    """Return the next round, the tables of entrants without a loss first; None if only one entrant is left."""
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
    """Pair the entrants without a loss; the last of them waits, as with a bye."""
    slots: elimination.Slots = elimination.bracket(ground.order)
    for each in ground.rounds:
        if len(slots) > 1:
            slots = elimination.slots_left(slots, [each])
    if len(upper) < 2:
        return [], list(upper)
    tables, byes = [], []
    for pair in elimination.pairs_in([one if one in upper else None for one in slots]):
        there = [one for one in pair if one is not None]
        if len(there) == 2:
            tables.append((there[0], there[1]))
        else:
            byes += there
    return tables, byes


def sides_of(ground: Ground) -> tuple[list[int], list[int]]:
    """Return the active entrants without a loss, and those with one loss, in the order of their seeds."""
    lost = elimination.losses_after(ground)[-1]
    return [one for one in ground.active if not lost[one]], [one for one in ground.active if lost[one] == 1]


def pair_sides_at_tables(ground: Ground, draws: Words) -> PairedRound | None:
    """Return the next round, the tables of entrants without a loss first; None if only one entrant is left."""
    plan = ground.plan
    sides = sides_of(ground)
    there = {one for side in sides for one in side}
    left = [one for one in ground.order if one in there]
    if len(left) < 2:
        return None
    dealt = [([left], [])] if len(left) <= plan.seats else [_deal_side(ground, side) for side in sides if side]
    size, had = plan.seats if plan.fill == "bots" else 0, seat_counts(ground.rounds)
    tables = [seat_table(one, had, max(size, len(one))) for made, _ in dealt for one in made]
    return PairedRound(tuple(tables), tuple(one for _, byes in dealt for one in byes), "elimination")


def _deal_side(ground: Ground, side: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Deal entrants to as few tables as possible, as equal as possible; return these, and the byes.

    They are dealt one to each table in turn, and swapped so that as few as possible meet again. There are as many byes
    as there would be entrants at tables from which all would advance.
    """
    count = -(-len(side) // ground.plan.seats)
    least, more = divmod(len(side), count)
    sizes = [size for size in [least + 1] * more + [least] * (count - more) if size > ground.plan.advance]
    byes = sorted(side, key=byes_of(ground.rounds).__getitem__)[: len(side) - sum(sizes)]
    rest = [one for one in side if one not in byes]
    order = [one for table in range(len(sizes)) for one in rest[table :: len(sizes)]]
    had = seats_had(order, seat_counts(ground.rounds), ground.plan.seats)
    field = Field(dict.fromkeys(order, 0), met_of(ground.rounds), ground.clubs, had)
    return tables_of(order, sizes, field, None), byes


# --- Places ------------------------------------------------------------------------------------------------


Far = tuple[int, int, int]


def double_places(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant: a later exit is better; exits in the same round share a place.

    Of the remaining entrants, those with fewer losses are better. Entrants eliminated at the last table are placed by
    its result. Entrants who left are behind those eliminated in the next round. The same applies to places left empty
    by a table that eliminated all.
    """
    _, *after = elimination.losses_after(ground)
    return elimination.places_by(
        {one: _far(ground, after, one) for one in ground.order}, _places_left_empty(ground, after)
    )


def _far(ground: Ground, after: Sequence[Counter[int]], one: int) -> Far:
    """Return an entrant's progress: rounds survived, whether it was out at a table, and the place there."""
    survived = sum(counts[one] < LIVES for counts in after[: ground.left.get(one)])
    if after and after[-1][one] >= LIVES:
        return survived, 1, -_place_at_last(ground, survived, one)
    if one in ground.left:
        return survived, 0, 0
    return survived, 2, -after[-1][one] if after else 0


def _place_at_last(ground: Ground, number: int, one: int) -> int:
    """Return the place of an entrant at the table of a round, counted from 0, if that is the last table; else 0."""
    played = ground.rounds[number]
    return (
        played.tables[0].places[played.tables[0].seats.index(one)] if is_last_table(played.tables, played.byes) else 0
    )


def _places_left_empty(ground: Ground, after: Sequence[Counter[int]]) -> Iterator[Far]:
    """Yield the progress of the entrants who might have advanced from tables at which all are out."""
    for n, each, table in elimination.tables_lost_by_all(ground.rounds):
        if all(after[n - 1][one] >= LIVES for one in table.seats if one is not BOT):
            yield from [(n, 0, 0)] * elimination.count_advancing(ground, each, table)


PAIRING_RULE: Final = (
    "Unbeaten entrants meet by the bracket. Entrants with one loss meet each other as in a Swiss. At larger"
    " tables, as few as possible meet again, until one table seats all remaining entrants."
)

FORMAT: Final = TournamentFormat(
    pair_double_elimination,
    double_places,
    step_by_rounds,
    pairing_rule=lambda stage: PAIRING_RULE,
    takes=elimination.AT_LARGER_TABLES,
    faults=elimination.elimination_faults,
    eliminates=lambda plan: True,
    out=elimination.out_after_losses(LIVES),
)
