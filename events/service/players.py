"""This module registers players and finds them by their tokens."""

from collections.abc import Collection

from events.ids import hashed, new_id, new_token
from events.service.context import Context
from events.store import tables
from events.store.records import Idempotency, Player


def register(context: Context, name: str) -> tuple[Player, str]:
    """Make a player of this name; gives the token too, of which only the hash is kept."""
    made, secret = Player(new_id(), name), new_token()
    tables.players.add(context.store, made.player_id, name, hashed(secret), context.now())
    return made, secret


def by_token(context: Context, secret: str) -> Player | None:
    """Give the player whose token this is."""
    return tables.players.by_token(context.store, hashed(secret))


def renew(context: Context, player_id: str, old: str, new: str, keys: Collection[Idempotency]) -> bool:
    """Put a new token in the old one's place, and note the keys of the request.

    False if the old one is no longer the player's, or a key was used before.
    """
    return tables.players.new_token(context.store, player_id, hashed(old), hashed(new), context.now(), keys)


def reliability(context: Context, player_ids: Collection[str]) -> dict[str, tuple[int, int]]:
    """Count for each player the matches cancelled after commitments, and the nonces promised and not given."""
    known = tables.reliability.of_players(context.store, player_ids)
    return {player: known.get(player, (0, 0)) for player in player_ids}


def names(context: Context, player_ids: Collection[str]) -> dict[str, str | None]:
    """Give the names of players, None for one who was erased; unknown ones are absent."""
    return tables.players.names(context.store, player_ids)
