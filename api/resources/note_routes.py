"""Serves a player's private notes about a match."""

from hashlib import sha256
from typing import Annotated, Final

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_caller, require_player
from api.http.common_fields import prose
from api.http.openapi_operations import (
    ETAG,
    MATCH_ID,
    NOT_MODIFIED,
    Answer,
    Body,
    Operation,
    Parameter,
    Reply,
    Timestamp,
    says,
)
from api.http.problems import Problem
from api.http.request_parsing import conditions_hold, load, read_body
from api.http.request_records import Request
from api.http.responses import IF_NONE_MATCH, answer_if_changed, json_answer, no_content
from events.service import access
from events.talk import messages as talk
from events.talk.messages import Changed, Notes
from events.times import write_time

LONGEST: Final = 10_000
"""Maximum characters of a player's notes about a match."""


IF_MATCH: Final = Parameter("If-Match", "header", "The `ETag` of the notes that you know; 412 if they have changed.")
IF_NONE: Final = Parameter("If-None-Match", "header", "`*`: only if there are none, else 412.")


class NotesRequestBody(Request):
    """The notes that replace your earlier ones."""

    text: Annotated[str, prose(LONGEST, breaks="\n\t")]
    """Your notes: plain text, with line breaks and tabs."""


class NotesAnswer(Answer):
    text: Annotated[str, says("The notes; only you can read them.")]
    written_at: Annotated[Timestamp, says("Time of the last change.")]


@Operation(
    tag="talk",
    searches=("my notes", "private notes"),
    parameters=(MATCH_ID, IF_NONE_MATCH),
    replies={200: Reply("Your notes.", NotesAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_found",),
)
def get_notes(match_id: str) -> Response:
    """Get your notes.

    Only you can read them, as a player or spectator. Returns 404 if there are none.
    """
    return _shown(_own_notes(match_id)[1])


@Operation(
    tag="talk",
    searches=("save notes", "write notes"),
    parameters=(MATCH_ID, IF_MATCH, IF_NONE),
    body=Body(NotesRequestBody, example={"text": "West has no more clubs."}),
    replies={200: Reply("Your notes.", NotesAnswer, headers=(ETAG,))},
    refuses=("not_found", "notes_changed"),
)
def write_notes(match_id: str) -> Response:
    """Replace your notes.

    Plain text of at most 10,000 characters with line breaks and tabs, never read as markup. With `If-Match`, replaces
    only the text that you know; with `If-None-Match: *`, only none (412 `notes_changed`). Notes are not part of the
    match or its record, and are deleted when you are erased.
    """
    given = read_body()
    match_no, _ = _own_notes(match_id)
    _note(match_no, load(NotesRequestBody, given).text)
    return _shown(talk.notes_of_player(app_state().store, match_no, require_player().player_id))


@Operation(
    tag="talk",
    searches=("delete notes", "clear notes"),
    parameters=(MATCH_ID, IF_MATCH, IF_NONE),
    replies={204: Reply("It was deleted.")},
    refuses=("not_found", "notes_changed"),
)
def delete_notes(match_id: str) -> Response:
    """Delete your notes.

    If there are none, nothing changes.
    """
    match_no, _ = _own_notes(match_id)
    _note(match_no, None)
    return no_content()


def _own_notes(match_id: str) -> tuple[int, Notes | None]:
    """Return the number of the match and the caller's notes, which stay readable even if the match does not."""
    who, player = require_caller(), require_player().player_id
    match_no = access.match_number(app_state().context, match_id)
    found = None if match_no is None else talk.notes_of_player(app_state().store, match_no, player)
    if match_no is None or found is None:
        return access.open_checked(app_state().context, match_id, who, to_play=False).match_no, None
    return match_no, found


def _note(match_no: int, text: str | None) -> None:
    try:
        talk.note(app_state().store, match_no, require_player().player_id, text, app_state().context.now(), _admitted)
    except Changed:
        raise Problem("notes_changed") from None


def _admitted(found: Notes | None) -> bool:
    """Return whether the notes meet the request's conditions (RFC 9110)."""
    return conditions_hold(None if found is None else _tag(found))


def _tag(found: Notes) -> str:
    return sha256(found.text.encode()).hexdigest()[:32]


def _shown(found: Notes | None) -> Response:
    if found is None:
        raise Problem("not_found", "You have no notes on this match.")
    return answer_if_changed(json_answer(NotesAnswer(found.text, write_time(found.at_ms))), _tag(found))
