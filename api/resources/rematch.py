"""Once more: the same match, with the same players."""

from flask import Blueprint, Response

from api.http.auth import caller, seated
from api.http.bodies import body, load
from api.http.context import here
from api.http.idempotency import key, once
from api.http.present import answer, marked, match
from api.http.schemas import Nothing
from api.resources.matches import shown
from events.service.views import Seen
from events.store.records import Remembered

bp = Blueprint("rematch", __name__, url_prefix="/v1/matches/<match_id>/rematch")


@bp.post("")
def create(match_id: str) -> Response:
    """Create the rematch of a match that is over, or show the one that there is."""
    given = body(optional=True)
    idempotency, who, matches = key(given), seated(), here().matches
    matches.open(match_id, who)

    def do() -> Response:
        load(Nothing(), given)
        seen, new = matches.rematch(match_id, who, idempotency)
        here().watch.hurry()
        return _answered(seen, new=new)

    def again(done: Remembered) -> Response:
        return _answered(matches.created_before(who, done), new=bool(done.n))

    return once(idempotency, do, again)


def _answered(seen: Seen, *, new: bool) -> Response:
    if not new:
        return shown(seen)
    response = answer(
        match(seen, here().matches.first_invites(seen, caller()) if seen.creator else None), 201
    )
    response.headers["Location"] = f"/v1/matches/{seen.match_id}"
    return marked(response, seen.version)
