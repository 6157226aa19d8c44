"""Serves the matches that wait for the caller, and those that keep a seat for them."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Annotated, Final, Literal

from flask import Response, request
from msgspec import json

from api.http import long_polling
from api.http.app_state import AppState, app_state
from api.http.auth import make_token_check, require_player
from api.http.change_poller import Wait
from api.http.openapi_operations import (
    ETAG,
    JSON,
    NOT_MODIFIED,
    PREFERENCE_APPLIED,
    UNBUFFERED,
    Answer,
    NextCursor,
    Operation,
    Parameter,
    Reply,
    Timestamp,
    says,
    text,
)
from api.http.problems import Problem
from api.http.request_parsing import read_query
from api.http.responses import IF_NONE_MATCH, answer_if_changed, json_answer, time_or_none
from events.errors import Unavailable
from events.service import inbox
from events.store.pending_records import InboxRow, Invitation
from events.times import write_time

FORMS: Final = (JSON, long_polling.SSE)


class InboxQuery(long_polling.WaitQuery, long_polling.StreamQuery):
    """The query for an immediate answer, a waiting one or a stream."""


LAST_SEEN: Final = Parameter(
    "Last-Event-ID",
    "header",
    "For a stream: the `ETag` that you have.",
    {"type": "string", "pattern": "^[0-9a-f]{32}$"},
)


class InboxItemAnswer(Answer):
    kind: Annotated[
        Literal["turn", "request", "invitation"],
        says(
            "A match that waits for the seat, a match that asks the seat something but continues, or a lobby seat"
            " kept for you."
        ),
    ]
    match: Annotated[str, says("Its id.")]
    game: Annotated[str, says("The name of the game.")]
    seat: Annotated[int, says("Your seat, from 0.")]
    decision: Annotated[str | None, says("The decision to make; for a request, `answer_draw` or `answer_take_back`.")]
    version: Annotated[
        int,
        says("The version of the match up to which `since_text` goes; it rises while others decide at the same time."),
    ]
    since: Annotated[
        Timestamp,
        says("Time since when the match waits for the seat; it stays the same while others decide at the same time."),
    ]
    since_text: Annotated[str, says("One line with the events since your last move, shortened if needed.")]
    deadline: Annotated[Timestamp | None, says("Deadline of the decision; null if none.")]
    order_failed: Annotated[
        bool,
        says("Whether your standing order for this decision did not fit. Move yourself, or set another order."),
    ]


class InboxAnswer(Answer):
    items: Annotated[list[InboxItemAnswer], says("Items that wait for you, earliest deadline first.")]
    next: NextCursor


GREETING: Final = "what waits for you"
STREAM: Final = text(
    example=long_polling.stream_example(
        GREETING,
        long_polling.ServerSentEvent(
            "0c1d6f7b92ae4f5388d0a7b1e6c94f23",
            "inbox",
            json.encode(
                InboxAnswer(
                    items=[
                        InboxItemAnswer(
                            kind="turn",
                            match="8n9y4jktn4n1gzhahebf",
                            game="hearts",
                            seat=0,
                            decision="play_card",
                            version=21,
                            since="2026-11-21T10:00:00.000Z",
                            since_text="Seat 3 played QS.",
                            deadline="2026-11-22T10:00:00.000Z",
                            order_failed=False,
                        )
                    ],
                    next=None,
                )
            ),
        ),
    )
)


@Operation(
    tag="play",
    searches=("poll", "my turn"),
    parameters=(long_polling.PREFER, IF_NONE_MATCH, LAST_SEEN),
    query=InboxQuery,
    replies={
        200: Reply(
            "What waits for you.",
            {JSON: InboxAnswer, long_polling.SSE: STREAM},
            headers=(ETAG, UNBUFFERED, PREFERENCE_APPLIED),
        ),
        304: NOT_MODIFIED,
    },
)
def get_inbox() -> Response:
    """Get your inbox.

    Lists your seats that a match waits for, the nearest deadline first, or that must answer a draw or takeback offer;
    then the lobby seats that are kept for you. With `wait`, the server answers as soon as the list is not empty; with
    `wait` and `If-None-Match`, as soon as it changes. `Accept: text/event-stream` returns a stream: an event `inbox`
    with the list, then an event `changed` for each change, with new or changed `items` and the removed ones in `gone`.
    Its ids are `ETag`s; with `Last-Event-ID`, you get the list again only if it has changed.
    """
    player = require_player().player_id
    form = request.accept_mimetypes.best_match(FORMS)
    seconds = long_polling.seconds_to_wait(read_query(InboxQuery).wait)
    if form == long_polling.SSE:
        return _stream(player)
    if seconds or "If-None-Match" in request.headers:
        stamp = inbox.inbox_stamp(app_state().context, player)
        if seconds and _nothing_new(stamp):
            return long_polling.answer_after(app_state().poller.inbox(player, stamp, seconds))
        if request.if_none_match.contains_weak(_tag(stamp)):
            return long_polling.confirm_preference(answer_if_changed(json_answer(None), _tag(stamp)))
    stamp, waits = list_turns(app_state(), player)
    return long_polling.confirm_preference(answer_if_changed(json_answer(InboxAnswer(waits, None)), _tag(stamp)))


def _tag(stamp: inbox.Stamp) -> str:
    return sha256(json.encode(stamp)).hexdigest()[:32]


def _nothing_new(stamp: inbox.Stamp) -> bool:
    if "If-None-Match" in request.headers:
        return request.if_none_match.contains_weak(_tag(stamp))
    return not stamp


# --- What stands in it ----------------------------------------------------------------------------------


def list_turns(at: AppState, player: str) -> tuple[inbox.Stamp, list[InboxItemAnswer]]:
    """List a player's turns, nearest deadline first, and then the seats that are kept for them; with their stamp."""
    moves = inbox.deadline_moves(at.store, [player])[player]
    turns, invitations = inbox.waiting_turns(at.context, player), inbox.kept_seats(at.context, player)
    stamp = [(t.match_no, t.seat, t.version, t.order_failed) for t in turns]
    stamp += [(i.match_no, i.seat, 0, False) for i in invitations]
    texts = at.context.recent.texts(turns)
    items = [_turn(turn, text) for turn, text in zip(turns, texts, strict=True)]
    items += [_invitation(kept) for kept in invitations]
    return (tuple(sorted(stamp)), moves) if stamp else (), items


def _turn(turn: InboxRow, since_text: str) -> InboxItemAnswer:
    return InboxItemAnswer(
        kind="request" if turn.asked else "turn",
        match=turn.match_id,
        game=turn.game,
        seat=turn.seat,
        decision=turn.decision or None,
        version=turn.version,
        since=write_time(turn.since_ms),
        since_text=since_text,
        deadline=time_or_none(turn.deadline_ms),
        order_failed=turn.order_failed,
    )


def _invitation(kept: Invitation) -> InboxItemAnswer:
    return InboxItemAnswer(
        kind="invitation",
        match=kept.match_id,
        game=kept.game,
        seat=kept.seat,
        decision=None,
        version=1,
        since=write_time(kept.since_ms),
        since_text="You are invited to a match.",
        deadline=None,
        order_failed=False,
    )


# --- As a stream ------------------------------------------------------------------------------------------


def _stream(player: str) -> Response:
    """Stream the inbox, and then what changes in it."""
    at, last = app_state(), request.headers.get("Last-Event-ID")
    return long_polling.stream_answer(GREETING, _news(at, player, make_token_check(), last))


def _news(
    at: AppState, player: str, check: Callable[[], None], last: str | None
) -> Iterator[long_polling.ServerSentEvent | Wait]:
    """Send the whole inbox, unless the client has it, and then new, changed and removed items."""
    try:
        stamp, known = list_turns(at, player)
        if last != _tag(stamp):
            yield long_polling.ServerSentEvent(_tag(stamp), "inbox", json.encode(InboxAnswer(known, None)))
        while True:
            yield at.poller.inbox(player, stamp, long_polling.CHECK_SECONDS, long_polling.HEARTBEAT)
            if at.poller.closed:
                return
            check()
            stamp, now = list_turns(at, player)
            there = {_place(item) for item in now}
            changes = {
                "items": [item for item in now if item not in known],
                "gone": [
                    {"kind": item.kind, "match": item.match, "seat": item.seat}
                    for item in known
                    if _place(item) not in there
                ],
            }
            known = now
            if any(changes.values()):
                yield long_polling.ServerSentEvent(_tag(stamp), "changed", json.encode(changes))
    except (Unavailable, Problem):
        # The client reconnects automatically with its last id, if its token is still valid.
        return


def _place(item: InboxItemAnswer) -> tuple[str, str, int]:
    return item.kind, item.match, item.seat
