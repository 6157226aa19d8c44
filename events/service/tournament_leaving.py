"""Withdraws erased players from all tournaments, so that no entrant is paired with them."""

from contextlib import suppress

from domain.core.game import Refused
from domain.tournament.entrants import Withdraw
from events.service import tournaments
from events.service.context import Context
from events.service.table_endings import end_unbegun_matches
from events.store.tables import tournament_rows


def leave_all_tournaments(context: Context, player_id: str) -> None:
    """Withdraw a player from every unfinished tournament and every waiting list.

    A tournament that has ended since, or that the player has left, stays unchanged.
    """
    for tournament_id in tournament_rows.taking_part(context.store, player_id):
        found = tournaments.load_tournament(context, tournament_id)
        with suppress(Refused):
            end_unbegun_matches(context, found, tournaments.command_loaded(context, found, [Withdraw(player_id)]))
