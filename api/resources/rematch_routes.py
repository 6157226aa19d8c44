"""Creates the same match again, with the same players."""

from flask import Response

from api.http import openapi_operations
from api.http.app_state import app_state
from api.http.auth import request_caller, require_caller
from api.http.common_fields import KeyProof, PlayerKey
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.path_prefix import public_link
from api.http.request_parsing import load, read_body
from api.http.request_records import Request
from api.http.responses import json_answer, set_etag
from api.resources.match_answer import MatchAnswer, match_answer
from api.resources.match_routes import match_response
from domain.core.options import Omissible
from events.service import access, lobby
from events.service import create as creation
from events.service.views import Seen
from events.store.records import Remembered


class RematchBody(Request):
    """Data for the seats that you take; the body is optional."""

    player_key: Omissible[PlayerKey] = None
    key_proof: Omissible[KeyProof] = None


@openapi_operations.Operation(
    makes="matches",
    tag="matches",
    searches=("rematch", "play again"),
    parameters=(openapi_operations.MATCH_ID, IDEMPOTENCY_KEY),
    body=openapi_operations.Body(RematchBody, required=False),
    replies={
        200: openapi_operations.Reply(
            "The existing rematch.",
            MatchAnswer,
            headers=(openapi_operations.ETAG, openapi_operations.REPLAYED),
        ),
        201: openapi_operations.Reply(
            "The new rematch.",
            MatchAnswer,
            headers=(openapi_operations.LOCATION, openapi_operations.ETAG, openapi_operations.REPLAYED),
        ),
    },
    refuses=(
        "not_seated",
        "not_found",
        "player_blocked",
        "wrong_phase",
        "key_is_fixed",
        "nothing_gained",
        "game_not_installed",
    ),
)
def create_rematch(match_id: str) -> Response:
    """Create a rematch.

    For players of a finished match. The first request creates it and takes your seat; the seats rotate by one and bots
    stay. Other players find their seats in the inbox, and need no code. Later requests return the same match, unless it
    was cancelled or expired; then the server creates another. `player_key` applies to the seats that you take with this
    request. If the rematch exists, send the key when you take a seat there.
    """
    given = read_body(optional=True)
    idempotency, who, context = idempotency_key(given), require_caller(), app_state().context
    access.open_checked(context, match_id, who)

    def do() -> Response:
        sent = load(RematchBody, given)
        seen, new = creation.create_rematch(context, match_id, who, idempotency, sent.player_key, sent.key_proof)
        app_state().poller.hurry()
        return _answered(seen, new=new)

    def repeat_answer(done: Remembered) -> Response:
        return _answered(creation.repeat_create_answer(context, who, done), new=bool(done.n))

    return run_once(idempotency, do, repeat_answer)


def _answered(seen: Seen, *, new: bool) -> Response:
    if not new:
        return match_response(seen)
    response = json_answer(
        match_answer(seen, lobby.first_invites(app_state().context, seen, request_caller()) if seen.creator else None),
        201,
    )
    response.headers["Location"] = public_link(f"/v1/matches/{seen.match_id}")
    return set_etag(response, seen.version)
