"""A league: a round robin of several legs, without entrants who missed half of their tables (tournament 4.3)."""

from collections.abc import Iterator
from typing import Final

from domain.tournament.format import DUEL, TournamentFormat
from domain.tournament.formats.round_robin import PAIRING_RULE, length, meeting_faults, meetings, pair_all
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.rounds import Ground, PlayedRound
from domain.tournament.tournament_plan import MOST_ROUNDS, TournamentPlan
from domain.tournament.tournament_standings import standings


def league_places(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant; those who missed too many tables are last, in the order of the shuffle."""
    out = _left_out(ground)
    rows = standings(ground.order, counted_rounds(ground), ground.plan.seats)
    ranked = sorted((row.entrant for row in rows), key=out.__contains__)
    return {one: place for place, one in enumerate(ranked, 1)}


def counted_rounds(ground: Ground) -> tuple[PlayedRound, ...]:
    """Return the rounds without the tables of entrants who do not count; their opponents have byes (tournament 4.3)."""
    out = _left_out(ground)
    if not out:
        return ground.rounds
    return tuple(_counted(ground, number, each, out) for number, each in enumerate(ground.rounds))


def _counted(ground: Ground, number: int, played: PlayedRound, out: frozenset[int]) -> PlayedRound:
    gone = {one for pair in meetings(ground.order, number) if out & {*pair} for one in pair}
    return PlayedRound(
        tuple(table for table in played.tables if not out & {*table.seats}),
        tuple(one for one in played.byes if one not in gone),
    )


def _left_out(ground: Ground) -> frozenset[int]:
    """Return the entrants who have missed more than half of their tables, by no-shows or after leaving."""
    each = ground.plan.legs * (len(ground.order) - 1)
    return frozenset(one for one in ground.order if 2 * _missed(ground, one) > each)


def _missed(ground: Ground, one: int) -> int:
    begins = ground.left.get(one, length(ground))
    after = sum(
        one in pair and None not in pair
        for number in range(begins, length(ground))
        for pair in meetings(ground.order, number)
    )
    return ground.missed.count(one) + after


MOST_LEGS: Final = 4


def league_faults(plan: TournamentPlan) -> Iterator[str]:
    """Yield a sentence for each field of a plan that a league does not support."""
    if not 1 <= plan.legs <= MOST_LEGS:
        yield f"`legs` must be 1 to {MOST_LEGS}."
    yield from meeting_faults(plan)


FORMAT: Final = TournamentFormat(
    pair_all,
    league_places,
    step_by_rounds,
    pairing_rule=lambda stage: PAIRING_RULE,
    takes=frozenset({"legs"}),
    faults=league_faults,
    is_reported=True,
    counted=counted_rounds,
    most_entrants=lambda legs: MOST_ROUNDS // legs,
    most_seats=DUEL,
)
