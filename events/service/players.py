"""Registers players and finds them, by their tokens and handles."""

from collections.abc import Collection
from typing import Any, NamedTuple

from events import handles
from events.ids import hash_secret, new_id
from events.service import collections, tokens
from events.service.context import Context
from events.store.player_records import Identity, Player
from events.store.records import Idempotency
from events.store.tables import decision_rows, personal_rows, player_rows, reliability_rows


def register_player(
    context: Context, name: str, handle: str | None, secret: str, asked: Idempotency | None = None
) -> Player:
    """Create a player, and record the request's key; only the hash of the token `secret` is stored.

    A missing handle is generated. Raise `HandleTaken`, and `Repeated` if the key was used before.
    """
    player_id = new_id()
    new = player_rows.PlayerRow(player_id, name, hash_secret(secret), context.now(), handle)
    taken = player_rows.add_once(context.store, new, asked)
    return Player(player_id, name, taken)


def change_player(
    context: Context, player_id: str, *, name: str | None, handle: str | None, listed: bool | None = None
) -> Player:
    """Change a player's name, handle or listing. Raise `Gone`, `HandleTaken`, `TooManyHandles`."""
    return player_rows.change_player(context.store, player_id, name, handle, listed=listed)


def is_listed(context: Context, player_id: str) -> bool:
    """Return whether others see the ratings of a player."""
    return player_rows.is_listed(context.store, player_id)


def find_by_handle(context: Context, handle: str) -> Player | None:
    """Return the player with this handle now, ignoring case."""
    wanted = handles.read(handle)
    return None if wanted is None else player_rows.by_handle(context.store, wanted)


def find_by_token(context: Context, secret: str) -> Player | None:
    """Return the player with this token, if it is valid."""
    return tokens.check_in_force(context, player_rows.by_token(context.store, hash_secret(secret)))


def renew_token(context: Context, player_id: str, old: str, new: str, keys: Collection[Idempotency]) -> bool:
    """Replace the old token, and record the request's keys.

    False if the old one is no longer the player's, or a key was used before.
    """
    return player_rows.new_token(context.store, player_id, hash_secret(old), hash_secret(new), context.now(), keys)


class Reliability(NamedTuple):
    """How a player keeps promises and deadlines.

    `aborted` counts the matches cancelled after commitments, `unopened` the nonces not revealed. `in_time` and `late`
    count decisions of the latest matches before their deadlines, and those that ran out.
    """

    aborted: int
    unopened: int
    in_time: int
    late: int


def reliability(context: Context, player_ids: Collection[str]) -> dict[str, Reliability]:
    """Return how each player kept promises of nonces and deadlines."""
    promises = reliability_rows.of_players(context.store, player_ids)
    deadlines = decision_rows.of_players(context.store, player_ids)
    return {player: Reliability(*promises.get(player, (0, 0)), *deadlines.get(player, (0, 0))) for player in player_ids}


def player_identities(context: Context, player_ids: Collection[str]) -> dict[str, Identity]:
    """Return the public data of players, without unknown ones."""
    return player_rows.read_identities(context.store, player_ids)


def export_player(context: Context, player_id: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows about a player by table, and the cards of the player's collection."""
    owned = collections.count_owned(context, player_id)
    cards: list[dict[str, Any]] = [{"card": card, "count": count} for card, count in sorted(owned.items())]
    return personal_rows.read_personal_rows(context.store, player_id) | {"collection": cards}
