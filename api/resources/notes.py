"""A player's notes about a match: for himself alone."""

from hashlib import sha256

from flask import Blueprint, Response, request

from api.http.auth import me, seated
from api.http.bodies import body, load
from api.http.context import here
from api.http.present import answer, nothing, tagged
from api.http.problems import Problem
from api.http.schemas import NewNotes
from events.ids import is_id
from events.talk import messages as talk
from events.talk.messages import Changed, Notes
from events.times import write_time

bp = Blueprint("notes", __name__, url_prefix="/v1/matches/<match_id>/notes")


@bp.get("")
def show(match_id: str) -> Response:
    """Show the caller his notes."""
    return _shown(_mine(match_id)[1])


@bp.put("")
def write(match_id: str) -> Response:
    """Put a text in the place of the caller's notes."""
    given = body()
    match_no, _ = _mine(match_id)
    _note(match_no, load(NewNotes(), given)["text"])
    return _shown(talk.noted(here().store, match_no, me().player_id))


@bp.delete("")
def delete(match_id: str) -> Response:
    """Delete the caller's notes, if there are any."""
    match_no, _ = _mine(match_id)
    _note(match_no, None)
    return nothing()


def _mine(match_id: str) -> tuple[int, Notes | None]:
    """Give the number of the match and the caller's notes. What he has noted stays his where he may read no longer."""
    who, player = seated(), me().player_id
    head = here().store.head(match_id) if is_id(match_id) else None
    found = talk.noted(here().store, head.match_no, player) if head else None
    if head is None or found is None:
        return here().matches.open(match_id, who).match_no, None
    return head.match_no, found


def _note(match_no: int, text: str | None) -> None:
    try:
        talk.note(here().store, match_no, me().player_id, text, here().matches.now(), _admitted)
    except Changed:
        raise Problem("notes_changed") from None


def _admitted(found: Notes | None) -> bool:
    """Say whether the notes, as they are, are what the request's conditions ask for (RFC 9110)."""
    tag = None if found is None else _tag(found)
    if "If-Match" in request.headers:
        return tag is not None and request.if_match.contains(tag)
    if "If-None-Match" in request.headers:
        return tag is None or not request.if_none_match.contains_weak(tag)
    return True


def _tag(found: Notes) -> str:
    return sha256(found.text.encode()).hexdigest()[:32]


def _shown(found: Notes | None) -> Response:
    if found is None:
        raise Problem("not_found", "You have no notes here.")
    return tagged(answer({"text": found.text, "written_at": write_time(found.at_ms)}), _tag(found))
