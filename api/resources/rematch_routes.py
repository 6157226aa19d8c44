"""Creates the same match again, with the same players."""

from flask import Blueprint, Response

from api.http.app_state import app_state
from api.http.auth import request_caller, require_caller
from api.http.common_fields import key_proof_field, player_key_field
from api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key, run_once
from api.http.openapi_operations import (
    ETAG,
    LOCATION,
    MATCH_ID,
    REPLAYED,
    Body,
    Operation,
    Reply,
)
from api.http.path_prefix import public_link
from api.http.request_parsing import load, read_body
from api.http.responses import json_answer, set_etag
from api.http.strict_fields import Strict
from api.resources.match_answer import MatchAnswer, match_answer
from api.resources.match_routes import match_response
from events.service import access, lobby
from events.service import create as creation
from events.service.views import Seen
from events.store.records import Remembered


class RematchBody(Strict):
    """The body holds what you bring to the seats that you take. It need not be sent."""

    player_key = player_key_field()
    key_proof = key_proof_field()


bp = Blueprint("rematch", __name__, url_prefix="/v1/matches/<match_id>/rematch")


@bp.post("")
@Operation(
    makes="matches",
    tag="matches",
    parameters=(MATCH_ID, IDEMPOTENCY_KEY),
    body=Body(RematchBody(), required=False),
    replies={
        200: Reply(
            "The rematch that there is.",
            MatchAnswer,
            headers=(ETAG, REPLAYED),
        ),
        201: Reply(
            "The rematch, new.",
            MatchAnswer,
            headers=(LOCATION, ETAG, REPLAYED),
        ),
    },
    refuses=("not_seated", "not_found", "wrong_phase", "key_is_fixed", "nothing_gained", "game_not_installed"),
)
def create_rematch(match_id: str) -> Response:
    """Create a rematch.

    For the players of a match that is over. The first to ask creates it and sits down; the seats are turned by one,
    bots stay bots, and the players' seats are kept for them: the others find them in their inbox, and take them without
    a code. All who ask later are shown the same match, until it is cancelled or has expired before its start: then
    another is created. `player_key` applies to the seats that you take with this call; players who get an existing
    rematch take a seat there and send the key then.
    """
    given = read_body(optional=True)
    idempotency, who, context = idempotency_key(given), require_caller(), app_state().context
    access.open_checked(context, match_id, who)

    def do() -> Response:
        sent = load(RematchBody(), given)
        seen, new = creation.create_rematch(
            context, match_id, who, idempotency, sent.get("player_key"), sent.get("key_proof")
        )
        app_state().poller.hurry()
        return _answered(seen, new=new)

    def again(done: Remembered) -> Response:
        return _answered(creation.repeat_create_answer(context, who, done), new=bool(done.n))

    return run_once(idempotency, do, again)


def _answered(seen: Seen, *, new: bool) -> Response:
    if not new:
        return match_response(seen)
    response = json_answer(
        match_answer(seen, lobby.first_invites(app_state().context, seen, request_caller()) if seen.creator else None),
        201,
    )
    response.headers["Location"] = public_link(f"/v1/matches/{seen.match_id}")
    return set_etag(response, seen.version)
