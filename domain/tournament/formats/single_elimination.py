"""Single elimination: an entrant is out after a loss, in a bracket of two or at larger tables (tournament 5)."""

from typing import Final

from domain.core.values import with_fields
from domain.tournament.elimination import (
    bracket_places,
    count_advancing,
    entrants_left,
    out_after_losses,
    pair_knockout,
    pair_left,
    places_by,
    tables_lost_by_all,
)
from domain.tournament.format import DUEL, TournamentFormat
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.rounds import BOT, Ground, PairedRound, Words, is_last_table


def pair_elimination(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round; None once one is left."""
    return (pair_bracket if ground.plan.seats == DUEL else pair_knockout)(ground, draws)


def elimination_places(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant: a later exit is better."""
    if ground.plan.seats > DUEL:
        return knockout_places(ground)
    return bracket_places(ground, ground.order, ground.rounds)


def pair_bracket(ground: Ground, draws: Words) -> PairedRound | None:
    """Pair the next round of a bracket whose seeds are the order of the shuffle; None once one is left."""
    return pair_left(ground, ground.order, ground.rounds)


def knockout_places(ground: Ground) -> dict[int, int]:
    """Return the place of each entrant: a later exit is better; exits in the same round share a place.

    Entrants of the last table are placed by its result. An entrant who won every table and then left is behind those
    with as many wins. A table that all have lost counts as if others had advanced from it and were out next.
    """
    far = dict.fromkeys(ground.order, (0, 0, 0))
    for n, each in enumerate(ground.rounds, 1):
        for one in entrants_left(with_fields(ground, rounds=ground.rounds[:n])):
            far[one] = (n, int(one not in ground.left), 0)
        if is_last_table(each.tables, each.byes):
            table = each.tables[0]
            for place, there in zip(table.places, table.seats, strict=True):
                if there is not BOT and far[there][0] < n:
                    far[there] = (n - 1, 1, -place)
    lost = tables_lost_by_all(ground.rounds)
    empty = [(n, 0, 0) for n, each, table in lost for _ in range(count_advancing(ground, each, table))]
    return places_by(far, empty)


FORMAT: Final = TournamentFormat(pair_elimination, elimination_places, step_by_rounds, out=out_after_losses(1))
