"""Blocks and mutes players.

A blocked player cannot join, invite, write to or trade with the player who blocks. A muted player's chat messages are
hidden from the player who mutes, and nothing else changes.
"""

from collections.abc import Collection

from events.errors import Blocked
from events.service.context import Context
from events.store.records import PlayerBlock, PlayerMute
from events.store.tables import block_rows, mute_rows


def block_player(context: Context, player_id: str, blocked_id: str) -> None:
    """Block a player. Raise `TooManyBlocks`."""
    block_rows.add_block(context.store, player_id, blocked_id, context.now())


def unblock_player(context: Context, player_id: str, blocked_id: str) -> None:
    """Unblock a player, if the player is blocked."""
    block_rows.remove_block(context.store, player_id, blocked_id)


def blocks_of(context: Context, player_id: str) -> list[PlayerBlock]:
    """Return the players that a player has blocked, the latest first."""
    return block_rows.read_blocks(context.store, player_id)


def check_no_block(context: Context, player_id: str | None, others: Collection[str | None]) -> None:
    """Raise `Blocked` if a player and one of the others do not play with each other."""
    others = {other for other in others if other is not None} - {player_id}
    if player_id is not None and block_rows.is_blocked_between(context.store, player_id, others):
        raise Blocked


def mute_player(context: Context, player_id: str, muted_id: str) -> None:
    """Mute a player. Raise `TooManyMutes`."""
    mute_rows.add_mute(context.store, player_id, muted_id, context.now())


def unmute_player(context: Context, player_id: str, muted_id: str) -> None:
    """Unmute a player, if the player is muted."""
    mute_rows.remove_mute(context.store, player_id, muted_id)


def mutes_of(context: Context, player_id: str) -> list[PlayerMute]:
    """Return the players that a player has muted, the latest first."""
    return mute_rows.read_mutes(context.store, player_id)


def unheard_by(context: Context, player_id: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the players that a player has blocked and muted, whose messages are hidden."""
    blocked = frozenset(one.blocked_id for one in block_rows.read_blocks(context.store, player_id))
    return blocked, frozenset(one.muted_id for one in mute_rows.read_mutes(context.store, player_id))
