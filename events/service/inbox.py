"""Reads a player's inbox: turns, and seats that are reserved."""

from collections.abc import Collection, Sequence

from domain.core.clock import Time
from domain.games.catalogue import GAMES
from events.log import deadlines
from events.service.context import Context
from events.store.pending_records import InboxRow, Invitation, Turn
from events.store.protocol import Store
from events.store.tables import inbox_rows, outage_rows, stream_rows, vacation_rows

Stamp = tuple[()] | tuple[tuple[Turn, ...], tuple[int, ...]]
"""The version of a player's inbox: the turns, and the changes of their deadlines; empty if nothing waits."""


def inbox_stamps(store: Store, player_ids: Collection[str]) -> dict[str, Stamp]:
    """Return the stamps of non-empty inboxes, with few queries for all players."""
    turns = inbox_rows.stamp(store, player_ids)
    moves = deadline_moves(store, turns) if turns else {}
    return {player_id: (turns[player_id], moves[player_id]) for player_id in turns}


def inbox_stamp(context: Context, player_id: str) -> Stamp:
    """Return the stamp of a player's inbox."""
    return inbox_stamps(context.store, [player_id]).get(player_id, ())


def deadline_moves(store: Store, player_ids: Collection[str]) -> dict[str, tuple[int, ...]]:
    """Return for each player numbers that change with vacations and outages, which move deadlines without a move."""
    began = outage_rows.last_start(store)
    away = vacation_rows.changes(store, player_ids)
    return {player_id: (began, *away.get(player_id, ())) for player_id in player_ids}


def waiting_turns(context: Context, player_id: str) -> list[InboxRow]:
    """Return the seats of a player with a decision or request: nearest deadline first.

    A match whose game is not installed waits for no one.
    """
    waiting = [row for row in inbox_rows.read_inbox(context.store, player_id) if row.game in GAMES]
    if not _may_have_moved(context, player_id, [row for row in waiting if row.deadline_ms is not None]):
        return waiting
    return sorted((_foreseen(context, row) for row in waiting), key=inbox_rows.urgency)


def _may_have_moved(context: Context, player_id: str, timed: Sequence[InboxRow]) -> bool:
    """Return whether the player was away, or the server down, since one of these decisions opened."""
    if not timed:
        return False
    since = Time(min(row.since_ms for row in timed))
    return deadlines.may_have_moved(context.store, player_id, since, context.now())


def _foreseen(context: Context, row: InboxRow) -> InboxRow:
    """Return the turn with its expected deadline."""
    loaded = context.load(row.match_id) if row.deadline_ms is not None else None
    if loaded is None or loaded.state.clocks.asked[row.seat] is None:
        return row
    return row._replace(deadline_ms=deadlines.deadline_of_seat(context.store, loaded.state, row.seat, context.now()))


def kept_seats(context: Context, player_id: str) -> list[Invitation]:
    """Return the invited seats of a player in lobbies, the oldest first."""
    return inbox_rows.invitations(context.store, player_id)


def last_written(context: Context, waiting: Sequence[InboxRow]) -> dict[int, int]:
    """Return when the matches of these turns were last written, by number."""
    last = stream_rows.last_rows(context.store, {turn.match_no: turn.version for turn in waiting}, 1)
    return {match_no: commits.rows[-1].at_ms for match_no, commits in last.items()}
