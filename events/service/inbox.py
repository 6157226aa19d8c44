"""This module reads what waits for a player: turns, and seats that are kept."""

from collections.abc import Sequence

from domain.games.catalogue import GAMES
from events.service.context import Context
from events.store import tables
from events.store.pending_records import InboxRow, Invitation, Turn


def stamp(context: Context, player_id: str) -> tuple[Turn, ...]:
    """Give a value that changes with a player's inbox."""
    return tables.inbox_rows.stamp(context.store, [player_id]).get(player_id, ())


def turns(context: Context, player_id: str) -> list[InboxRow]:
    """Give the seats of a player that are waited for, or asked: nearest deadline first.

    In a match whose game is not installed nobody can act, so it waits for nobody.
    """
    return [row for row in tables.inbox_rows.of_player(context.store, player_id) if row.game in GAMES]


def invitations(context: Context, player_id: str) -> list[Invitation]:
    """Give the seats in lobbies that are kept for a player, the oldest first."""
    return tables.inbox_rows.invitations(context.store, player_id)


def revised(context: Context, waiting: Sequence[InboxRow]) -> dict[int, int]:
    """Give when the matches of these turns were last written, by their numbers."""
    last = tables.stream_rows.last_rows(context.store, {turn.match_no: turn.version for turn in waiting}, 1)
    return {match_no: commits.rows[-1].at_ms for match_no, commits in last.items()}
