"""A shoot-out: elimination at tables of more than two, of which one wins (tournament 5.7)."""

from collections.abc import Iterator
from typing import Final

from domain.core.values import with_fields
from domain.tournament import elimination
from domain.tournament.format import DUEL, TournamentFormat
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.rounds import BOT, Ground
from domain.tournament.tournament_plan import TournamentPlan


def shoot_out_places(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant: a later exit is better, then the place at the table of the exit.

    An entrant who won a table and left before the next round is behind all who play in it.
    """
    far = dict.fromkeys(ground.order, (0, 0, 0))
    for n, each in enumerate(ground.rounds, 1):
        for table in each.tables:
            for place, there in zip(table.places, table.seats, strict=True):
                if there is not BOT:
                    far[there] = (n - 1, 1, -place)
        for one in elimination.entrants_left(with_fields(ground, rounds=ground.rounds[:n])):
            far[one] = (n, int(one not in ground.left), 0)
    return elimination.places_by(far, [(n, 0, 0) for n, _, _ in elimination.tables_lost_by_all(ground.rounds)])


def shoot_out_faults(plan: TournamentPlan) -> Iterator[str]:
    """Yield a sentence for each field of a plan that a shoot-out does not support."""
    if plan.seats == DUEL:
        yield "A shoot-out needs more than two seats per table. For two, choose single elimination."
    else:
        yield from elimination.elimination_faults(plan)


PAIRING_RULE: Final = "The winners of the tables are dealt to as few tables as possible, in the order of their seeds."

FORMAT: Final = TournamentFormat(
    elimination.pair_knockout,
    shoot_out_places,
    step_by_rounds,
    pairing_rule=lambda stage: PAIRING_RULE,
    takes=frozenset({"fill"}),
    faults=shoot_out_faults,
    eliminates=lambda plan: True,
    out=elimination.out_after_losses(1),
    least_seats=3,
)
