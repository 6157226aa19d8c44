"""Matches: creating, listing, showing, cancelling."""

from flask import Blueprint, Response

from api.http.auth import caller, player, seated
from api.http.bodies import body, if_match, load, query
from api.http.context import here
from api.http.idempotency import key, once
from api.http.present import answer, listed, marked, match, match_list, nothing
from api.http.schemas import MatchesQuery, NewMatch, SeatQuery
from api.resources.new_match import new_match
from api.resources.search import cursor, read_cursor, search
from events.service.views import Seen
from events.store.records import Remembered

bp = Blueprint("matches", __name__, url_prefix="/v1/matches")


@bp.post("")
def create() -> Response:
    """Create a match."""
    given = body()
    idempotency = key(given)
    who = seated()

    def do() -> Response:
        new = new_match(load(NewMatch(), given))
        return shown_as_created(here().matches.create(who, new, idempotency))

    def again(done: Remembered) -> Response:
        return shown_as_created(here().matches.created_before(who, done))

    return once(idempotency, do, again)


def shown_as_created(seen: Seen) -> Response:
    """Answer with a match that has just been created."""
    response = answer(match(seen, here().matches.first_invites(seen, caller())), 201)
    response.headers["Location"] = f"/v1/matches/{seen.match_id}"
    return marked(response, seen.version)


@bp.get("/<match_id>")
def show(match_id: str) -> Response:
    """Show a match."""
    who = caller()
    seen = here().matches.see(match_id, who)
    seat = query(SeatQuery()).get("seat")
    return shown(seen if seat is None else here().matches.see_from(match_id, who, seat))


def shown(seen: Seen) -> Response:
    """Answer with the match as it is seen; in full always, as names and invites change without a new version."""
    invites = here().matches.invites(seen, caller()) if seen.creator else None
    return marked(answer(match(seen, invites)), seen.version)


@bp.delete("/<match_id>")
def cancel(match_id: str) -> Response:
    """Cancel a match before its start."""
    who = seated()
    opened = here().matches.open(match_id, who)
    version = here().matches.cancel(match_id, who, if_match(opened.version))
    here().watch.hurry()
    return nothing(version)


@bp.get("")
def index() -> Response:
    """List public matches and the caller's own, those that are looked for."""
    viewer = player()
    asked = query(MatchesQuery())
    found = here().store.list_matches(
        viewer.player_id if viewer else None, search(asked), read_cursor(asked.get("cursor")), asked["limit"]
    )
    return answer(listed(match_list(found.rows), cursor(found.next)))
