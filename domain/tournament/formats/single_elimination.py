"""Single elimination: an entrant is out after a loss, in a bracket of two or at larger tables (tournament 5)."""

from typing import Final

from domain.core.values import with_fields
from domain.tournament import elimination
from domain.tournament.format import DUEL, TournamentFormat
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.rounds import BOT, Ground, PairedRound, Words, is_last_table


def pair_elimination(ground: Ground, draws: Words) -> PairedRound | None:
    """Return the next round; None once one entrant is left."""
    return (pair_bracket if ground.plan.seats == DUEL else elimination.pair_knockout)(ground, draws)


def elimination_places(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant: a later exit is better."""
    if ground.plan.seats > DUEL:
        return knockout_places(ground)
    return elimination.bracket_places(ground, ground.order, ground.rounds)


def pair_bracket(ground: Ground, draws: Words) -> PairedRound | None:
    """Return the next round of a bracket seeded by the shuffle; None once one entrant is left."""
    return elimination.pair_left(ground, ground.order, ground.rounds)


def knockout_places(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant: a later exit is better; exits in the same round share a place.

    Entrants of the last table are placed by its result. An entrant who won every table and then left is behind those
    with as many wins. A table that all have lost counts as if others had advanced from it and were out next.
    """
    far = dict.fromkeys(ground.order, (0, 0, 0))
    for n, each in enumerate(ground.rounds, 1):
        for one in elimination.entrants_left(with_fields(ground, rounds=ground.rounds[:n])):
            far[one] = (n, int(one not in ground.left), 0)
        if is_last_table(each.tables, each.byes):
            table = each.tables[0]
            for place, there in zip(table.places, table.seats, strict=True):
                if there is not BOT and far[there][0] < n:
                    far[there] = (n - 1, 1, -place)
    lost = elimination.tables_lost_by_all(ground.rounds)
    empty = [(n, 0, 0) for n, each, table in lost for _ in range(elimination.count_advancing(ground, each, table))]
    return elimination.places_by(far, empty)


FORMAT: Final = TournamentFormat(
    pair_elimination,
    elimination_places,
    step_by_rounds,
    pairing_rule=lambda stage: elimination.BRACKET_RULE,
    takes=elimination.AT_LARGER_TABLES,
    faults=elimination.elimination_faults,
    eliminates=lambda plan: True,
    out=elimination.out_after_losses(1),
)
