"""Blocks and mutes players.

A blocked player cannot join, invite, write to or trade with the player who blocks. A muted player's chat messages are
hidden from the player who mutes, and nothing else changes.
"""

from collections.abc import Collection
from typing import Final

from events.errors import Blocked
from events.service.context import Context
from events.store.records import ListedPlayer
from events.store.tables import block_rows

PlayerList = block_rows.PlayerList
BLOCKED: Final = block_rows.BLOCKED
MUTED: Final = block_rows.MUTED


def add_to_list(context: Context, kind: PlayerList, player_id: str, other_id: str) -> None:
    """Block or mute another player. Raise `TooManyBlocks` or `TooManyMutes`."""
    block_rows.add_to_list(context.store, kind, player_id, other_id, context.now())


def remove_from_list(context: Context, kind: PlayerList, player_id: str, other_id: str) -> None:
    """Unblock or unmute another player, if the player is blocked or muted."""
    block_rows.remove_from_list(context.store, kind, player_id, other_id)


def listed_players(context: Context, kind: PlayerList, player_id: str) -> list[ListedPlayer]:
    """Return the players that a player has blocked or muted, the latest first."""
    return block_rows.read_list(context.store, kind, player_id)


def check_no_block(context: Context, player_id: str | None, others: Collection[str | None]) -> None:
    """Raise `Blocked` if a player and one of the others do not play with each other."""
    others = {other for other in others if other is not None} - {player_id}
    if player_id is not None and block_rows.is_blocked_between(context.store, player_id, others):
        raise Blocked


def unheard_by(context: Context, player_id: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the players that a player has blocked and muted, whose messages are hidden."""
    blocked, muted = (
        frozenset(one.player_id for one in listed_players(context, kind, player_id)) for kind in (BLOCKED, MUTED)
    )
    return blocked, muted
