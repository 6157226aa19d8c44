"""Adds the prizes of tournaments to the winners' collections.

Each grant names the tournament and the place, and happens once.
"""

from events.service import collections, players
from events.service.context import Context
from events.service.tournaments import HeldTournament


def grant_prizes(context: Context, found: HeldTournament) -> None:
    """Grant all prizes of a tournament that were not granted before; those who were erased get none."""
    t = found.state
    known = players.player_identities(context, {t.players[one.entrant] for one in t.awarded})
    for one in t.awarded:
        player, prize = t.players[one.entrant], one.prize
        if player in known and known[player].name is not None:
            promos = () if prize.promo is None else (prize.promo,)
            reason = f"tournament {found.head.match_id}, place {prize.place}"
            collections.grant_cards(context, player, prize.boosters, promos, reason)
