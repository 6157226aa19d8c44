"""A shoot-out: elimination at tables of more than two, of which one wins (tournament 5.7)."""

from typing import Final

from domain.core.values import changed
from domain.tournament.elimination import entrants_left, out_after_losses, pair_knockout, places_by, tables_lost_by_all
from domain.tournament.format import TournamentFormat
from domain.tournament.round_steps import step_by_rounds
from domain.tournament.rounds import BOT, Ground


def shoot_out_places(ground: Ground) -> dict[int, int]:
    """Give the place of each: the later one was out, the better; then by the place at the table where one was out.

    Who has won a table and left before the next one is behind all who have sat down there.
    """
    far = dict.fromkeys(ground.order, (0, 0, 0))
    for n, each in enumerate(ground.rounds, 1):
        for table in each.tables:
            for place, there in zip(table.places, table.seats, strict=True):
                if there is not BOT:
                    far[there] = (n - 1, 1, -place)
        for one in entrants_left(changed(ground, rounds=ground.rounds[:n])):
            far[one] = (n, int(one not in ground.left), 0)
    return places_by(far, [(n, 0, 0) for n, _, _ in tables_lost_by_all(ground.rounds)])


FORMAT: Final = TournamentFormat(
    pair_knockout, shoot_out_places, step_by_rounds, out=out_after_losses(1), least_seats=3
)
