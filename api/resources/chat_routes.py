"""Serves the chat of a table: its players talk, and its creator may read. The match's events hold none of it."""

from collections.abc import Callable, Iterator
from typing import Annotated, Final

from flask import Response, request
from msgspec import json

from api.http import long_polling
from api.http.app_state import AppState, app_state
from api.http.auth import make_token_check, require_caller, require_player
from api.http.change_poller import Wait
from api.http.common_fields import LARGEST, PAGE, prose
from api.http.feed_stream import LAST_EVENT_ID, last_event_id
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import (
    JSON,
    MATCH_ID,
    PREFERENCE_APPLIED,
    REPLAYED,
    UNBUFFERED,
    Answer,
    Body,
    Count,
    Operation,
    Ordinal,
    Parameter,
    Reply,
    Timestamp,
    says,
    text,
)
from api.http.problems import Problem
from api.http.request_parsing import load, read_body, read_query
from api.http.request_records import Request
from api.http.responses import json_answer, no_content, raw_json_answer
from api.resources.person_answer import SeatedPlayerAnswer, person_answer
from domain.core.game import Refused
from domain.core.options import Range
from events.errors import NotFound, Unavailable
from events.service import access, blocks, players, views
from events.service.access import Caller
from events.service.views import Seen
from events.store.records import Remembered
from events.talk import messages as talk
from events.talk.messages import Message, TooFast
from events.times import write_time

FORMS: Final = (JSON, long_polling.SSE)
LONGEST: Final = 500
"""Maximum characters of a message."""


NO: Final = Parameter("no", "path", "The number of the message.", {"type": "integer", "minimum": 1}, 3)


class MessageRequestBody(Request):
    """The message to send."""

    text: Annotated[str, prose(LONGEST, breaks="\n")]
    """The message: plain text, with line breaks."""


class ChatQuery(long_polling.StreamQuery):
    after: Annotated[int, Range(0, LARGEST)] = 0
    """Only messages after this change."""
    limit: Annotated[int, Range(1, PAGE)] = PAGE
    """Maximum number on a page of JSON."""
    wait: long_polling.Seconds = None
    """Seconds to wait for a message or deletion; ignored if no more messages can follow."""


class DeletionAnswer(Answer):
    at: Annotated[Timestamp, says("When it was deleted.")]
    by: Annotated[SeatedPlayerAnswer, says("The player who deleted it.")]


class MessageAnswer(Answer):
    no: Annotated[Ordinal, says("Number of the message, from 1.")]
    change: Annotated[Ordinal, says("The number of its last change in the chat, from 1.")]
    seat: Annotated[int, says("The author's seat; the first, if the player holds several.")]
    player: Annotated[SeatedPlayerAnswer, says("The author.")]
    at: Annotated[Timestamp, says("Time of the message.")]
    text: Annotated[str | None, says("Plain text; null if it was deleted, or you block or mute the author.")]
    blocked: Annotated[bool, says("Whether you block the author.")]
    muted: Annotated[bool, says("Whether you mute the author.")]
    deleted: Annotated[DeletionAnswer | None, says("The deletion; null if there is none.")]


class MessagesAnswer(Answer):
    items: Annotated[list[MessageAnswer], says("The messages, the oldest change first.")]
    next: Annotated[Count, says("Send this as `after`.")]


GREETING: Final = "the messages of a table"
SAID: Final = MessageAnswer(
    no=3,
    change=3,
    seat=1,
    player=SeatedPlayerAnswer(id="8n9y4jktn4n1gzhahebf", handle="ann", name="Ann"),
    at="2026-11-21T10:00:00.000Z",
    text="Good luck!",
    blocked=False,
    muted=False,
    deleted=None,
)
"""A message, as an example."""


@Operation(
    tag="talk",
    searches=("chat", "chat history"),
    parameters=(MATCH_ID, long_polling.PREFER, LAST_EVENT_ID),
    query=ChatQuery,
    replies={
        200: Reply(
            "Messages.",
            {
                JSON: MessagesAnswer,
                long_polling.SSE: text(
                    long_polling.stream_example(
                        GREETING, long_polling.ServerSentEvent(SAID.change, "message", json.encode(SAID))
                    ),
                    "`id` is the number of the change, `event` is `message`, `data` a Message.",
                ),
            },
            headers=(PREFERENCE_APPLIED, UNBUFFERED),
        ),
        204: Reply("No more messages can follow, and you have all."),
    },
    refuses=("not_seated", "not_found"),
)
def list_messages(match_id: str) -> Response:
    """List chat messages.

    For the players and the creator; spectators cannot read the chat. Messages come in the order of their last change: a
    deleted message comes again with a mark instead of its text. Messages of players you block or mute come without
    their text. Send `next` as `after` to continue; sort by `no` to show the chat. `Accept: text/event-stream` returns a
    stream; resume it with `Last-Event-ID`. Show messages as plain text, never as markup. They are not part of the
    events or the record.
    """
    who = require_caller()
    seen = views.see_match(app_state().context, match_id, who)
    asked = read_query(ChatQuery)
    after, seconds = asked.after, long_polling.seconds_to_wait(asked.wait)
    _check_reader(seen)
    if request.accept_mimetypes.best_match(FORMS) == long_polling.SSE:
        return _stream(seen, who, last_event_id(after))
    known = _changes(app_state(), seen)
    found = talk.messages_changed_after(app_state().store, seen.match_no, after, asked.limit)
    if seconds and not found and _closed_reason(app_state(), seen) is None:
        return long_polling.answer_after(app_state().poller.chat(seen.match_no, known, seconds))
    reached = found[-1].change if found else min(after, known)
    return long_polling.confirm_preference(json_answer(MessagesAnswer(_shown(app_state(), who, found), reached)))


@Operation(
    tag="talk",
    searches=("send message", "write in chat"),
    parameters=(MATCH_ID, IDEMPOTENCY_KEY),
    body=Body(MessageRequestBody, example={"text": "Good luck!"}),
    replies={201: Reply("The message was sent.", MessageAnswer, headers=(REPLAYED,))},
    refuses=("not_seated", "not_found", "chat_closed"),
)
def write_message(match_id: str) -> Response:
    """Send a chat message.

    For the players, from taking a seat until 30 days after the end. Plain text of at most 500 characters; line breaks
    are allowed, other control characters are not, and surrounding space is removed. A player can send 20 messages per
    minute at a table (429). Returns 409 `chat_closed` if the chat is closed: during a match that keeps partners silent,
    30 days after the end, and in imported matches.
    """
    given = read_body()
    asked = idempotency_key(given)
    who, player = require_caller(), require_player().player_id
    seen = views.see_match(app_state().context, match_id, who)

    def do() -> Response:
        text = load(MessageRequestBody, given).text
        if not seen.seats and seen.imported is None:
            raise Refused("not_seated")
        if closed := _closed_reason(app_state(), seen) or _silent(seen):
            raise Problem("chat_closed", closed)
        now = app_state().context.now()
        try:
            said = talk.say(app_state().store, seen.match_no, talk.Speaker(seen.seats[0], player), text, now, asked)
        except TooFast as error:
            headers = {"Retry-After": str(error.seconds)}
            raise Problem("too_many_requests", _TOO_FAST, headers=headers) from None
        app_state().poller.hurry()
        return _message_answer(who, said)

    def repeat_answer(done: Remembered) -> Response:
        said = talk.message(app_state().store, seen.match_no, done.first or 0)
        assert said is not None
        return _message_answer(who, said)

    return run_once(asked, do, repeat_answer)


@Operation(
    tag="talk",
    searches=("delete message", "moderate chat"),
    parameters=(MATCH_ID, NO),
    replies={204: Reply("It was deleted.")},
    refuses=("not_seated", "forbidden", "not_found"),
)
def delete_message(match_id: str, no: int) -> Response:
    """Delete a chat message.

    You can always delete your own messages, even after you left. The creator can delete any message. The text is
    deleted permanently; the author, the time, and who deleted it and when stay visible. Deleting again changes nothing.
    Erasing a player deletes all their messages.
    """
    who, player = require_caller(), require_player().player_id
    match_no = access.match_number(app_state().context, match_id)
    found = None if match_no is None else talk.message(app_state().store, match_no, no)
    if found is None or found.player_id != player:
        seen = views.see_match(app_state().context, match_id, who)
        _check_reader(seen)
        if found is None:
            raise Problem("not_found", "This chat has no message with this number.")
        if not seen.creator:
            raise Problem("forbidden", "Only the author of a message, or the creator of the match, can delete it.")
    assert match_no is not None
    talk.unsay_one(app_state().store, match_no, no, player, app_state().context.now())
    app_state().poller.hurry()
    return no_content()


# --- Who may read, and write ------------------------------------------------------------------------------


_TOO_FAST: Final = f"A player may write {talk.MOST_A_MINUTE} messages per minute here. Wait for `Retry-After` seconds."


def _check_reader(seen: Seen) -> None:
    """Refuse all callers except players of the match and its creator; an imported match has nothing to hide.

    A creator who has resigned permanently counts as a spectator, like any other player.
    """
    m = seen.match
    watches = seen.creator and m.created.creator not in m.players
    if not seen.seats and not watches and seen.imported is None:
        raise Problem("not_seated", "Only the players and the creator of a match can read its chat.")


def _silent(seen: Seen) -> str | None:
    """Return why the chat is closed for now; None if it is open."""
    if talk.chat_allowed(seen.match):
        return None
    return "Partners may not chat during a match in teams. The chat opens again after the match."


def _closed_reason(at: AppState, seen: Seen) -> str | None:
    """Return why the chat is closed permanently; None if it is not."""
    if seen.imported is not None:
        return "This match was played on another server, so it has no chat here."
    ended = views.end_time(at.context, seen)
    if ended is not None and at.context.now() >= ended + talk.OPEN_MS:
        return "The match has been over for 30 days. You can still read and delete messages."
    return None


# --- What is answered -------------------------------------------------------------------------------------


def _changes(at: AppState, seen: Seen) -> int:
    return talk.changes(at.store, [seen.match_no]).get(seen.match_no, 0)


def _message_answer(who: Caller, said: Message) -> Response:
    return raw_json_answer(json.encode(_shown(app_state(), who, [said])[0]), 201)


def _shown(at: AppState, reader: Caller, found: list[Message]) -> list[MessageAnswer]:
    blocked, muted = blocks.unheard_by(at.context, reader.player) if reader.player else (frozenset(), frozenset())
    ids = {player for m in found for player in (m.player_id, m.deleted_by) if player is not None}
    known = players.player_identities(at.context, ids)
    return [
        MessageAnswer(
            no=m.no,
            change=m.change,
            seat=m.seat,
            player=person_answer(m.player_id, known),
            at=write_time(m.at_ms),
            text=None if m.player_id in blocked | muted else m.text,
            blocked=m.player_id in blocked,
            muted=m.player_id in muted,
            deleted=None
            if m.deleted_ms is None or m.deleted_by is None
            else DeletionAnswer(write_time(m.deleted_ms), person_answer(m.deleted_by, known)),
        )
        for m in found
    ]


def _stream(seen: Seen, who: Caller, after: int) -> Response:
    """Stream what has changed and what will; once the chat is closed a client's reconnecting ends (204)."""
    if _closed_reason(app_state(), seen) is not None and after >= _changes(app_state(), seen):
        return no_content()
    return long_polling.stream_answer(GREETING, _news(app_state(), seen, who, make_token_check(), after))


def _news(
    at: AppState, seen: Seen, who: Caller, check: Callable[[], None], after: int
) -> Iterator[long_polling.ServerSentEvent | Wait]:
    try:
        while True:
            seen = views.see_match(at.context, seen.match_id, who)
            _check_reader(seen)
            known = _changes(at, seen)
            found = talk.messages_changed_after(at.store, seen.match_no, after, PAGE)
            for message in _shown(at, who, found):
                after = message.change
                yield long_polling.ServerSentEvent(after, "message", json.encode(message))
            if found:
                continue
            if _closed_reason(at, seen) is not None:
                return
            yield at.poller.chat(seen.match_no, known, long_polling.CHECK_SECONDS, long_polling.HEARTBEAT)
            if at.poller.closed:
                return
            check()
    except (Unavailable, NotFound, Problem):
        # The client reconnects automatically with its last id, if it may still read.
        return
