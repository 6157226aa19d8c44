"""Reads the inboxes of players: their turns, and the seats that are reserved for them."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import Select, null, select, union_all

from domain.match.state import REQUESTS
from events.store.engine import Read
from events.store.pending_records import InboxRow, Invitation, Turn
from events.store.protocol import Store
from events.store.records import TurnRow
from events.store.schema.log_schema import stream
from events.store.schema.match_schema import matches, orders, seats

_turns = msgspec.json.Decoder(list[TurnRow]).decode


def read_turns(store: Store, match_no: int) -> list[TurnRow]:
    """Return the human seats that a match waits for, or that must answer a request, in order."""
    found = store.read(select(stream.c.turns).where(stream.c.match_no == match_no))
    return sorted(_turns(found[0].turns), key=lambda turn: turn.seat) if found else []


def read_inbox(store: Store, player_id: str) -> list[InboxRow]:
    """Return the seats of a player with a decision or request: nearest deadline first, then the longest wait."""
    return read_by(store.read, player_id)


def read_by(read: Read, player_id: str) -> list[InboxRow]:
    """Return the inbox as `read_inbox` does, by the statement runner `read`."""
    query = _select_waiting_seats([player_id], stream.c.match_id, matches.c.game)
    query = query.join(matches, matches.c.match_no == stream.c.match_no)
    found = [
        InboxRow(
            no,
            match_id,
            game,
            seat,
            turn.version,
            turn.since_ms,
            turn.deadline_ms,
            turn.decision,
            _unfit(turn, failed),
        )
        for _, no, seat, written, failed, match_id, game in read(query)
        for turn in _turns(written)
        if turn.seat == seat
    ]
    return sorted(found, key=urgency)


def invitations(store: Store, player_id: str) -> list[Invitation]:
    """Return the seats in lobbies that are kept for a player, the oldest first."""
    query = (
        select(seats.c.match_no, stream.c.match_id, matches.c.game, seats.c.seat, stream.c.created_ms)
        .join(stream, stream.c.match_no == seats.c.match_no)
        .join(matches, matches.c.match_no == seats.c.match_no)
        .where(seats.c.live, seats.c.kind == "invite", seats.c.player_id == player_id)
        .order_by(stream.c.created_ms, seats.c.match_no, seats.c.seat)
    )
    return [Invitation._make(row) for row in store.read(query)]


def stamp(store: Store, player_ids: Collection[str]) -> dict[str, tuple[Turn, ...]]:
    """Return a value per player with a turn or a kept seat, which changes with the inbox.

    A kept seat has version 0. The last part says whether an order of the player has failed. Uses one query for all.
    """
    found: defaultdict[str, list[Turn]] = defaultdict(list)
    kept = select(seats.c.player_id, seats.c.match_no, seats.c.seat, null(), null()).where(
        seats.c.live, seats.c.kind == "invite", seats.c.player_id.in_(player_ids)
    )
    both = union_all(_select_waiting_seats(player_ids), kept)
    for player_id, match_no, seat, written, failed in store.read(both) if player_ids else ():
        if written is None:
            found[player_id].append((match_no, seat, 0, False))
        else:
            mine = [turn for turn in _turns(written) if turn.seat == seat]
            found[player_id] += [(match_no, seat, turn.version, _unfit(turn, failed)) for turn in mine]
    return {player_id: tuple(sorted(turns)) for player_id, turns in found.items() if turns}


def _select_waiting_seats(player_ids: Collection[str], *columns: Any) -> Select[Any]:
    """Return the query for the live seats of players in matches that wait.

    It has player, match, seat, the match's turns, and when the orders of the seat last failed.
    """
    ordered = (orders.c.match_no == seats.c.match_no) & (orders.c.seat == seats.c.seat)
    return (
        select(seats.c.player_id, seats.c.match_no, seats.c.seat, stream.c.turns, orders.c.failed_ms, *columns)
        .join(stream, stream.c.match_no == seats.c.match_no)
        .outerjoin(orders, ordered & (orders.c.player_id == seats.c.player_id))
        .where(seats.c.live, seats.c.player_id.in_(player_ids), stream.c.turns != "[]")
    )


def _unfit(turn: TurnRow, failed_ms: int | None) -> bool:
    """Return whether orders were checked for the open decision and did not fit."""
    return turn.decision not in REQUESTS and failed_ms is not None and failed_ms >= turn.since_ms


def urgency(row: InboxRow) -> tuple[float, int, int]:
    """Return the sort key of turns: the nearest deadline, then the longest wait."""
    return (float("inf") if row.deadline_ms is None else row.deadline_ms, row.since_ms, row.match_no)
