"""A Swiss: entrants with equal points meet, if they have not met; after a cut, single elimination (tournament 3)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil, log2
from typing import Final

from domain.core.fairness import shuffle_items
from domain.core.values import with_fields
from domain.tournament import rounds
from domain.tournament.elimination import bracket_places, out_after_losses, pair_left
from domain.tournament.format import DUEL, NO_PREPARATION, NOBODY, TournamentFormat
from domain.tournament.pairs import pairs_of
from domain.tournament.plan_faults import NO_DRAWS, refused_fields
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.table_pairing import Field, left_over, seat_table, seats_had, table_sizes, tables_of
from domain.tournament.tournament_plan import MOST_ROUNDS, TournamentPlan
from domain.tournament.tournament_standings import standings
from domain.tournament.tournament_state import Tournament


def swiss_rounds(plan: TournamentPlan, entrants: int) -> int:
    """Return the number of rounds: as planned, or as many as single elimination takes, at least one."""
    return plan.rounds or max(1, ceil(log2(max(entrants, 2))))


def pair_swiss(ground: rounds.Ground, draws: rounds.Words) -> rounds.PairedRound | None:
    """Pair the next round of a Swiss; None after the last round, or if fewer than two entrants are left."""
    plan = ground.plan
    if len(ground.rounds) >= swiss_rounds(plan, len(ground.order)) or len(ground.active) < 2:
        return None
    points = rounds.points_by_entrant(ground.rounds, plan.seats)
    order = sorted(shuffle_items(draws, sorted(ground.active)), key=lambda one: -points[one])
    byes = _fewest(order, left_over(len(order), plan), rounds.byes_of(ground.rounds))
    order = [one for one in order if one not in byes]
    met = rounds.met_of(ground.rounds)
    had = rounds.seat_counts(ground.rounds)
    if plan.seats == 2:
        alone = _fewest(order, len(order) % 2, rounds.bot_tables_of(ground.rounds))  # They play against a bot.
        paired = [*map(list, pairs_of([one for one in order if one not in alone], met)), *([one] for one in alone)]
    else:
        known = {one: ground.clubs[one] for one in order if one in ground.clubs}
        sizes = table_sizes(len(order), plan)
        field = Field({one: points[one] for one in order}, met, known, seats_had(order, had, plan.seats))
        paired = tables_of(order, sizes, field, draws)
    bots = plan.fill == "bots"
    tables = tuple(seat_table(table, had, plan.seats if bots else len(table)) for table in paired)
    return rounds.PairedRound(tables, tuple(byes)) if tables else None


def _fewest(order: Sequence[int], count: int, had: Counter[int]) -> list[int]:
    """Return the `count` entrants with the smallest counts in `had`, the lowest ranked first."""
    from_below = order[::-1]
    return sorted(from_below, key=had.__getitem__)[:count]


# --- The cut -----------------------------------------------------------------------------------------------


def pair_swiss_and_cut(ground: rounds.Ground, draws: rounds.Words) -> rounds.PairedRound | None:
    """Pair the next round of the Swiss, or of the bracket after the cut; None after the last round."""
    found = pair_swiss(ground, draws)
    if found is not None or not ground.plan.cut:
        return found
    seeds, begun = seeds_of(ground)
    return pair_left(ground, seeds, ground.rounds[begun:])


def places_with_cut(ground: rounds.Ground) -> dict[int, int]:
    """Return the place of each entrant: those of the bracket first, then by the standings of the Swiss."""
    length = _swiss_length(ground)
    rows = [row.entrant for row in standings(ground.order, ground.rounds[:length], ground.plan.seats)]
    if not ground.plan.cut or length < swiss_rounds(ground.plan, len(ground.order)):
        return {one: place for place, one in enumerate(rows, 1)}
    seeds, begun = seeds_of(ground)
    places = bracket_places(ground, seeds, ground.rounds[begun:])
    rest = [one for one in rows if one not in places]
    return places | {one: place for place, one in enumerate(rest, len(seeds) + 1)}


def _swiss_length(ground: rounds.Ground) -> int:
    return min(len(ground.rounds), swiss_rounds(ground.plan, len(ground.order)))


def seeds_of(ground: rounds.Ground) -> tuple[list[int], int]:
    """Return the entrants who make the cut after the Swiss, in order, and its number of rounds."""
    length = _swiss_length(ground)
    rows = standings(ground.order, ground.rounds[:length], ground.plan.seats)
    there = [row.entrant for row in rows if ground.left.get(row.entrant, length + 1) > length]
    return there[: ground.plan.cut], length


def out_after_swiss(t: Tournament, ground: rounds.Ground) -> frozenset[int]:
    """Return the entrants who missed the cut or lost after it; empty before the bracket begins."""
    if t.stage != "elimination":
        return NOBODY
    seeds, begun = seeds_of(ground)
    lost = out_after_losses(1)(t, with_fields(ground, rounds=ground.rounds[begun:]))
    return lost | (frozenset(ground.order) - {*seeds})


def allows_late_entry(t: Tournament) -> bool:
    """Return whether players may still enter: not after pods were made, nor after the rounds of the plan."""
    return not t.pods and t.round <= t.plan.late and t.round < (t.rounds or 0)


CUTS: Final = (0, 4, 8)
"""The possible numbers of entrants who advance to single elimination."""


def swiss_faults(plan: TournamentPlan) -> Iterator[str]:
    """Yield a sentence for each field of a plan that a Swiss does not support."""
    if plan.cut not in CUTS:
        yield "`cut` must be 0, 4 or 8."
    if plan.cut and plan.seats != DUEL:
        yield from refused_fields(plan, ("cut",))
    if plan.cut and plan.fill == "bots":
        yield "With a `cut`, bots cannot fill seats. Choose another `fill`."
    if plan.cut and plan.overdue == "drawn":
        yield NO_DRAWS
    if not 0 <= plan.late <= MOST_ROUNDS:
        yield from refused_fields(plan, ("late",))


PAIRING_RULE: Final = (
    "The entrants were shuffled and sorted by points. At tables of two, the first meets the highest entrant not"
    " met before, so that the others can be paired too. At larger tables, as few as possible meet again."
)

AFTER_THE_CUT: Final = "After the cut, the leaders of the Swiss play an elimination. Their places are their seeds."

FORMAT: Final = TournamentFormat(
    pair_swiss_and_cut,
    places_with_cut,
    step_by_rounds,
    pairing_rule=lambda stage: AFTER_THE_CUT if stage == "elimination" else PAIRING_RULE,
    takes=frozenset({"rounds", "cut", "late", "fill"}),
    faults=swiss_faults,
    preparation_fault=lambda plan: NO_PREPARATION if plan.fill != "bye" or plan.late else None,
    eliminates=lambda plan: plan.cut > 0,
    is_reported=True,
    out=out_after_swiss,
    rounds=swiss_rounds,
    allows_late_entry=allows_late_entry,
)
