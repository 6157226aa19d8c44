"""A shoot-out: elimination at tables of more than two, of which one wins (tournament 5.7)."""

from typing import Final

from domain.core.values import with_fields
from domain.tournament.elimination import entrants_left, out_after_losses, pair_knockout, places_by, tables_lost_by_all
from domain.tournament.format import TournamentFormat
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.rounds import BOT, Ground


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
        for one in entrants_left(with_fields(ground, rounds=ground.rounds[:n])):
            far[one] = (n, int(one not in ground.left), 0)
    return places_by(far, [(n, 0, 0) for n, _, _ in tables_lost_by_all(ground.rounds)])


FORMAT: Final = TournamentFormat(
    pair_knockout, shoot_out_places, step_by_rounds, out=out_after_losses(1), least_seats=3
)
