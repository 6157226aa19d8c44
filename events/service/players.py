"""This module registers players and finds them, by their tokens and handles."""

from collections.abc import Collection
from typing import NamedTuple

from events import handles
from events.ids import hash_secret, new_id
from events.service import tokens
from events.service.context import Context
from events.store import tables
from events.store.player_records import Identity, Player
from events.store.records import Idempotency


def register_player(
    context: Context, name: str, handle: str | None, secret: str, asked: Idempotency | None = None
) -> Player:
    """Create a player, and record the request's key; only the hash of the token `secret` is stored.

    A missing handle is generated. Raise `HandleTaken`, and `Repeated` if the key was used before.
    """
    player_id = new_id()
    new = tables.player_rows.PlayerRow(player_id, name, hash_secret(secret), context.now(), handle)
    taken = tables.player_rows.add_once(context.store, new, asked)
    return Player(player_id, name, taken)


def change_player(
    context: Context, player_id: str, *, name: str | None, handle: str | None, listed: bool | None = None
) -> Player:
    """Change a player's name, handle or listing. Raise `Gone`, `HandleTaken`, `TooManyHandles`."""
    return tables.player_rows.change_player(context.store, player_id, name, handle, listed=listed)


def is_listed(context: Context, player_id: str) -> bool:
    """Return whether others see the ratings of a player."""
    return tables.player_rows.is_listed(context.store, player_id)


def find_by_handle(context: Context, handle: str) -> Player | None:
    """Return the player with this handle now, ignoring case."""
    wanted = handles.read(handle)
    return None if wanted is None else tables.player_rows.by_handle(context.store, wanted)


def find_by_token(context: Context, secret: str) -> Player | None:
    """Give the player whose token this is, if it is in force."""
    return tokens.check_in_force(context, tables.player_rows.by_token(context.store, hash_secret(secret)))


def renew_token(context: Context, player_id: str, old: str, new: str, keys: Collection[Idempotency]) -> bool:
    """Replace the old token, and record the request's keys.

    False if the old one is no longer the player's, or a key was used before.
    """
    return tables.player_rows.new_token(
        context.store, player_id, hash_secret(old), hash_secret(new), context.now(), keys
    )


class Reliability(NamedTuple):
    """Says how a player keeps to what others wait for.

    `aborted` counts the matches cancelled after commitments, `unopened` the nonces promised and not given; `in_time`
    and `late` the decisions of the latest matches that were taken before their deadlines, and that ran out.
    """

    aborted: int
    unopened: int
    in_time: int
    late: int


def reliability(context: Context, player_ids: Collection[str]) -> dict[str, Reliability]:
    """Return how each player kept promises of nonces and deadlines."""
    promises = tables.reliability_rows.of_players(context.store, player_ids)
    deadlines = tables.decision_rows.of_players(context.store, player_ids)
    return {player: Reliability(*promises.get(player, (0, 0)), *deadlines.get(player, (0, 0))) for player in player_ids}


def player_identities(context: Context, player_ids: Collection[str]) -> dict[str, Identity]:
    """Return what others see of players, without unknown ones."""
    return tables.player_rows.read_identities(context.store, player_ids)
