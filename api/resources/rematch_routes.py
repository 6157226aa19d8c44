"""Creates the same match once more, with the same players."""

from flask import Blueprint, Response

from api.http.app_state import here
from api.http.auth import caller, seated
from api.http.bodies import body, load
from api.http.fields import Strict
from api.http.idempotency import IDEMPOTENCY_KEY, key, once
from api.http.openapi_operations import (
    ETAG,
    LOCATION,
    MATCH_ID,
    REPLAYED,
    Body,
    Operation,
    Reply,
)
from api.http.prefix import address_of
from api.http.present import answer, marked
from api.http.schemas import key_proof, player_key
from api.resources.match_answer import MatchAnswer, match
from api.resources.match_routes import shown
from events.service import access, lobby
from events.service import create as creation
from events.service.views import Seen
from events.store.records import Remembered


class RematchBody(Strict):
    """The body holds what you bring to the seats that you take. It need not be sent."""

    player_key = player_key()
    key_proof = key_proof()


bp = Blueprint("rematch", __name__, url_prefix="/v1/matches/<match_id>/rematch")


@bp.post("")
@Operation(
    id="createRematch",
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
def create(match_id: str) -> Response:
    """Create a rematch.

    For the players of a match that is over. The first to ask creates it and sits down; the seats are turned by
    one, bots stay bots, and the players' seats are kept for them: the others find them in their inbox, and take
    them without a code. All who ask later are shown the same match, until it is cancelled or has expired before
    its start: then another is created. A `player_key` is that of the seats that you take by this; who is shown a
    rematch takes a seat there, and gives the key then.
    """
    given = body(optional=True)
    idempotency, who, context = key(given), seated(), here().context
    access.opened(context, match_id, who)

    def do() -> Response:
        sent = load(RematchBody(), given)
        seen, new = creation.rematch(context, match_id, who, idempotency, sent.get("player_key"), sent.get("key_proof"))
        here().watch.hurry()
        return _answered(seen, new=new)

    def again(done: Remembered) -> Response:
        return _answered(creation.created_before(context, who, done), new=bool(done.n))

    return once(idempotency, do, again)


def _answered(seen: Seen, *, new: bool) -> Response:
    if not new:
        return shown(seen)
    response = answer(match(seen, lobby.first_invites(here().context, seen, caller()) if seen.creator else None), 201)
    response.headers["Location"] = address_of(f"/v1/matches/{seen.match_id}")
    return marked(response, seen.version)
