"""Answers: what a match, a move or an event looks like to the one who asks."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from flask import Response, request
from msgspec import json, to_builtins
from werkzeug.http import quote_etag

from api.http.auth import caller
from api.http.context import here
from domain import match as life
from domain.core.clock import Time
from domain.core.fairness import SCHEME
from domain.core.scene import Scene, as_json
from domain.core.values import changed
from domain.match.events import DealKnown
from events.proof.shuffles import DEALT_ELSEWHERE
from events.service.play import Done
from events.service.views import Seen
from events.store.records import MatchRow, SeatRow
from events.times import write_time

JSON: Final = "application/json"


def answer(body: Any, status: int = 200, *, headers: Mapping[str, str] | None = None) -> Response:
    """Write an answer as JSON."""
    return raw(json.encode(body), status, headers=headers)


def raw(body: bytes, status: int = 200, *, headers: Mapping[str, str] | None = None) -> Response:
    """Write an answer that is JSON already."""
    return Response(body, status, {**FOR_THE_CALLER, **(headers or {})}, content_type=JSON)


def nothing(version: int | None = None) -> Response:
    """Answer that it is done (204), and at which version the match then is."""
    response = Response(status=204, headers=FOR_THE_CALLER)
    del response.headers["Content-Type"]
    return response if version is None else marked(response, version)


FOR_THE_CALLER: Final = {"Cache-Control": "private, no-store", "Vary": "Authorization, Accept"}


def marked(response: Response, tag: str | int) -> Response:
    """Mark the answer with its version."""
    response.headers["ETag"] = quote_etag(str(tag))
    return response


def tagged(response: Response, tag: str | int) -> Response:
    """Mark the answer with its version, which alone it follows from; 304 without a body to one who has it already."""
    if request.method in ("GET", "HEAD") and request.if_none_match.contains_weak(str(tag)):
        response = Response(status=304, headers=FOR_THE_CALLER)
    return marked(response, tag)


def listed(items: list[Any], next_: str | None = None) -> dict[str, Any]:
    """Put a list as all lists are."""
    return {"items": items, "next": next_}


def time_or_none(at: Time | int | None) -> str | None:
    """Write a time, if there is one."""
    return None if at is None else write_time(at)


# --- A match ------------------------------------------------------------------------------------------


def match(seen: Seen, invites: Mapping[int, str | None] | None = None) -> dict[str, Any]:
    """Give the match as its reader sees it; `invites` are for its creator alone."""
    m = seen.match
    shown: dict[str, Any] = {
        "id": seen.match_id,
        "game": m.game.name,
        "status": m.status,
        "version": seen.version,
        "rules": m.created.rules,
        "preset": m.created.preset,
        "options": m.created.options,
        "series": to_builtins(m.created.series),
        "clock": to_builtins(m.created.clock),
        "visibility": seen.visibility,
        "imported": seen.imported is not None,
        "deal_group": m.created.deal_group.id if m.created.deal_group else None,
        "deal_known": _known(m.created.deal_known),
        "created_at": write_time(seen.created),
        "seats": seated(m),
        "your_seat": seen.seat,
        "your_seats": list(seen.seats),
        **position(seen),
        "rematch": here().matches.rematch_of(seen, caller()),
        "fairness": _fairness(m),
    }
    if invites is not None:
        shown["invites"] = [{"seat": seat, "invite": code} for seat, code in sorted(invites.items())]
    return shown


def position(seen: Seen) -> dict[str, Any]:
    """Give where the match stands as its reader sees it."""
    m = seen.match
    return {
        "to_act": list(life.to_act(m)),
        "deadline": time_or_none(life.due(m)),
        "table": None if m.table is None else _table(m, seen.seat),
        "scene": None if m.table is None else as_json(_scene(seen, m.table)),
        "result": None if m.result is None else to_builtins(m.result),
        "head": seen.head,
    }


def _table(m: life.Match, seat: int | None) -> Mapping[str, Any]:
    """Give the table; of one that is over its phase says that it waits for the others of its group."""
    view = m.game.view(m.table, seat)
    return {**view, "phase": WAITING} if life.waits(m) else view


def _scene(seen: Seen, table: Any) -> Scene:
    """Give the table as data; the phase is that of the table, which may wait."""
    m = seen.match
    scene = changed(m.game.scene(table, seen.seat), last=here().matches.last(seen))
    return changed(scene, phase=WAITING) if life.waits(m) else scene


WAITING: Final = "waiting_for_tables"
"""The phase of a table that is over, while others of its deal group are not."""


def _known(known: DealKnown | None) -> dict[str, Any] | None:
    return None if known is None else {"match": known.match, "hand_no": known.hand_no}


def seated(m: life.Match) -> list[dict[str, Any]]:
    """Give who sits where, how much time he has, and whether he is away."""
    held = [player or plan.player for player, plan in zip(m.players, m.created.seats, strict=True)]
    names = here().store.players([p for p in held if p is not None])
    away = _away(m)
    return [
        {
            "seat": s,
            "kind": plan.kind if m.players[s] is None else "player",
            "player": _player(held[s], names),
            "level": plan.level,
            "played_by_bot": m.by_bot[s],
            "deadline": time_or_none(m.asked[s] if s in life.to_act(m) else None),
            "bank": _bank(m, s),
            "away_until": time_or_none(away.get(m.players[s] or "")),
        }
        for s, plan in enumerate(m.created.seats)
    ]


def _away(m: life.Match) -> Mapping[str, int]:
    if m.over or not m.clock.vacation:
        return {}
    return here().store.away([p for p in m.players if p is not None], here().matches.now())


def _bank(m: life.Match, seat: int) -> dict[str, Any] | None:
    if not m.clock.ticks or m.players[seat] is None:
        return None
    return {"left_ms": m.banks[seat].left, "moves": m.banks[seat].moves}


def _player(player_id: str | None, names: Mapping[str, str | None]) -> dict[str, Any] | None:
    return None if player_id is None else {"id": player_id, "name": names.get(player_id)}


def _fairness(m: life.Match) -> dict[str, Any]:
    reveal = m.common.fairness_reveal or m.game.setup.reveal
    elsewhere = m.created.rules == DEALT_ELSEWHERE
    return {
        "scheme": SCHEME,
        "epoch": m.epoch,
        "links": m.links,
        "commitment": m.commitment,
        "revealed": len(m.disclosed),
        "contributed": list(m.contributed),
        "awaits": m.stage if life.collecting(m) else None,
        "awaits_until": time_or_none(m.stage_until),
        "reveal": reveal,
        "provable": reveal != "never" and not elsewhere,
        "note": DEALT_THERE if elsewhere else disclosing(m.game.words.unseen, reveal),
    }


def disclosing(unseen: str, reveal: str) -> str | None:
    """Say what whoever sits down should know: what is disclosed beside the shuffles, or what it costs that nothing is."""
    if reveal == "never":
        return UNPROVABLE + (f" In return, {unseen} stay hidden for good." if unseen else "")
    if not unseen:
        return None
    return (
        f"Once the shuffles are disclosed, {DISCLOSED[reveal]}, everybody can see all cards, {unseen} too."
        " With never they would stay hidden, but nobody could check how the cards were shuffled."
    )


DISCLOSED: Final = {
    "hand_end": "after each hand",
    "game_end": "after each game",
    "match_end": "when the match is over",
}


DEALT_THERE: Final = "The hand was dealt elsewhere: nobody can check here how its cards were shuffled."
UNPROVABLE: Final = (
    "The seeds of this match are never disclosed: nobody will be able to check how its cards were shuffled."
)


def done(made: Done) -> bytes:
    """Give what a move did; its events are JSON already."""
    rest = json.encode({"version": made.version, "to_act": list(made.to_act), "head": made.head})
    return b'{"events":[' + b",".join(made.events) + b"]," + rest[1:]


# --- Matches in lists -----------------------------------------------------------------------------------


def match_list(rows: Collection[MatchRow]) -> list[dict[str, Any]]:
    """Give matches as lists show them."""
    store = here().store
    seats = store.seat_rows([row.match_no for row in rows])
    ids = {seat.player_id for held in seats.values() for seat in held if seat.player_id is not None}
    names, imported = store.players(ids), store.imported(seats)
    return [
        _match_in_list(row, seats.get(row.match_no, []), names) | {"imported": row.match_no in imported}
        for row in rows
    ]


def _match_in_list(
    row: MatchRow, seats: Collection[SeatRow], names: Mapping[str, str | None]
) -> dict[str, Any]:
    return {
        "id": row.match_id,
        "game": row.game,
        "status": row.status,
        "visibility": row.visibility,
        "options": json.decode(row.options),
        "seats": [
            {"seat": s.seat, "kind": s.kind, "player": _player(s.player_id, names), "level": s.level}
            for s in seats
        ],
        "created_at": write_time(row.created_ms),
        "started_at": time_or_none(row.started_ms),
        "ended_at": time_or_none(row.ended_ms),
        "result": None if row.result is None else json.decode(row.result),
        "deal_group": row.deal_group,
        "deal_known": None if row.deal_known is None else json.decode(row.deal_known),
    }
