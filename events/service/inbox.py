"""This module reads what waits for a player: turns, and seats that are kept."""

from collections.abc import Sequence

from domain.core.clock import Time
from domain.games.catalogue import GAMES
from events.log import deadlines
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
    waiting = [row for row in tables.inbox_rows.of_player(context.store, player_id) if row.game in GAMES]
    if not _may_have_moved(context, player_id, [row for row in waiting if row.deadline_ms is not None]):
        return waiting
    return sorted((_foreseen(context, row) for row in waiting), key=tables.inbox_rows.urgency)


def absences(context: Context, player_id: str) -> tuple[tuple[int, int], ...]:
    """Return the vacations of a player, which move deadlines without a change in a match."""
    had = tables.vacation_rows.allowance(context.store, player_id)
    return tuple((v.start, v.end) for v in had.taken) if had else ()


def _may_have_moved(context: Context, player_id: str, timed: Sequence[InboxRow]) -> bool:
    """Say whether the player was away, or the server down, since one of these decisions opened."""
    if not timed:
        return False
    since = Time(min(row.since_ms for row in timed))
    return deadlines.may_have_moved(context.store, player_id, since, context.now())


def _foreseen(context: Context, row: InboxRow) -> InboxRow:
    """Return the turn with the deadline as it will be."""
    loaded = context.load(row.match_id) if row.deadline_ms is not None else None
    if loaded is None or loaded.state.asked[row.seat] is None:
        return row
    return row._replace(deadline_ms=deadlines.deadline(context.store, loaded.state, row.seat, context.now()))


def invitations(context: Context, player_id: str) -> list[Invitation]:
    """Give the seats in lobbies that are kept for a player, the oldest first."""
    return tables.inbox_rows.invitations(context.store, player_id)


def revised(context: Context, waiting: Sequence[InboxRow]) -> dict[int, int]:
    """Give when the matches of these turns were last written, by their numbers."""
    last = tables.stream_rows.last_rows(context.store, {turn.match_no: turn.version for turn in waiting}, 1)
    return {match_no: commits.rows[-1].at_ms for match_no, commits in last.items()}
