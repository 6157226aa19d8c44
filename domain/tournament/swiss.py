"""Pairs the rounds of a Swiss: entrants with as many points, who have not met (tournament 3)."""

from collections import Counter
from collections.abc import Sequence
from math import ceil, log2

from domain.core.fairness import shuffled
from domain.tournament.played_rounds import bot_tables_of, byes_of, met_of, points_by_entrant, sat_where
from domain.tournament.round_pairing import Ground, PairedRound, Words
from domain.tournament.swiss_pairs import pairs_of
from domain.tournament.table_pairing import Field, tables_of
from domain.tournament.table_seating import seated, seats_had
from domain.tournament.tournament_plan import TournamentPlan


def swiss_rounds(plan: TournamentPlan, entrants: int) -> int:
    """Give the number of rounds: as planned, or as single elimination of the entrants takes, at least one."""
    return plan.rounds or max(1, ceil(log2(max(entrants, 2))))


def pair_swiss(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round of a Swiss; None if the last one has been played, or nobody is left to play with."""
    plan = ground.plan
    if len(ground.rounds) >= swiss_rounds(plan, len(ground.order)) or len(ground.active) < 2:
        return None
    points = points_by_entrant(ground.rounds, plan.seats)
    order = sorted(shuffled(draws, sorted(ground.active)), key=lambda one: -points[one])
    byes = _fewest(order, left_over(len(order), plan), byes_of(ground.rounds))
    order = [one for one in order if one not in byes]
    met = met_of(ground.rounds)
    had = sat_where(ground.rounds)
    if plan.seats == 2:
        alone = _fewest(order, len(order) % 2, bot_tables_of(ground.rounds))  # they play a bot
        paired = [*map(list, pairs_of([one for one in order if one not in alone], met)), *([one] for one in alone)]
    else:
        known = {one: ground.clubs[one] for one in order if one in ground.clubs}
        sizes = table_sizes(len(order), plan)
        field = Field({one: points[one] for one in order}, met, known, seats_had(order, had, plan.seats))
        paired = tables_of(order, sizes, field, draws)
    bots = plan.fill == "bots"
    tables = tuple(seated(table, had, plan.seats if bots else len(table)) for table in paired)
    return PairedRound(tables, tuple(byes)) if tables else None


def _fewest(order: Sequence[int], count: int, had: Counter[int]) -> list[int]:
    """Return the `count` entrants who have had it least often, the lowest ranked first."""
    from_below = order[::-1]
    return sorted(from_below, key=had.__getitem__)[:count]


def left_over(entrants: int, plan: TournamentPlan) -> int:
    """Return the number of entrants who get no table."""
    if plan.fill == "bots":
        return 0
    if plan.fill == "bye":
        return entrants % plan.seats
    return 0 if table_sizes(entrants, plan) else entrants % plan.seats


def table_sizes(entrants: int, plan: TournamentPlan) -> list[int]:
    """Give the sizes of the tables of this number of entrants, the largest first; none if they cannot be divided so.

    With bots the seats that they fill are left out; an entrant who would be alone with them is joined by a player
    of the table before. Smaller tables are as few as can be, and none is smaller than the game admits.
    """
    full, rest = divmod(entrants, plan.seats)
    if not rest:
        return [plan.seats] * full
    if plan.fill == "bots":
        if rest == 1 and full:
            return [plan.seats] * (full - 1) + [plan.seats - 1, 2]
        return [plan.seats] * full + [rest]
    tables = full + 1
    least, more = divmod(entrants, tables)
    if least < plan.fewest:
        return []
    if rest >= plan.fewest:
        return [plan.seats] * full + [rest]
    return [least + 1] * more + [least] * (tables - more)
