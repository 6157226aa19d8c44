"""Matches: creating, listing, showing, cancelling."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

from flask import Blueprint, Response

from api.bodies import body, if_match, load, query
from api.here import here
from api.identity import caller, me, player, seated
from api.new_match import new_match
from api.once import key, once
from api.present import answer, listed, match, match_list, tagged
from api.problems import Problem
from api.schemas import MatchesQuery, NewMatch
from events.matches import Seen
from events.store import MatchRow, Remembered

bp = Blueprint("matches", __name__, url_prefix="/v1/matches")


@bp.post("")
def create() -> Response:
    """Create a match."""
    given = body()
    idempotency = key(given)
    who = seated()

    def do() -> Response:
        new = new_match(load(NewMatch(), given))
        return _created(here().matches.create(who, new, idempotency))

    def again(done: Remembered) -> Response:
        return _created(here().matches.created_before(who, done))

    return once(idempotency, do, again)


def _created(seen: Seen) -> Response:
    response = answer(match(seen, here().matches.first_invites(seen, caller())), 201)
    response.headers["Location"] = f"/v1/matches/{seen.match_id}"
    return tagged(response, seen.version)


@bp.get("/<match_id>")
def show(match_id: str) -> Response:
    """Show a match."""
    seen = here().matches.see(match_id, caller())
    return shown(seen)


def shown(seen: Seen) -> Response:
    """Answer with the match as it is seen."""
    invites = here().matches.invites(seen, caller()) if seen.creator else None
    return tagged(answer(match(seen, invites)), seen.version)


@bp.delete("/<match_id>")
def cancel(match_id: str) -> Response:
    """Cancel a match before its start."""
    who = seated()
    opened = here().matches.open(match_id, who)
    here().matches.cancel(match_id, who, if_match(opened.version))
    here().watch.hurry()
    return Response(status=204)


@bp.get("")
def index() -> Response:
    """List public matches and the caller's own."""
    viewer = player()
    asked = query(MatchesQuery())
    limit, of = asked["limit"], asked.get("player")
    rows = here().store.list_matches(
        viewer.player_id if viewer else None,
        game=asked.get("game"),
        status=asked.get("status"),
        player=me().player_id if of == "me" else of,
        before=_read_cursor(asked["cursor"]) if "cursor" in asked else None,
        limit=limit + 1,
    )
    more = _cursor(rows[limit - 1]) if len(rows) > limit else None
    return answer(listed(match_list(rows[:limit]), more))


def _cursor(last: MatchRow) -> str:
    return urlsafe_b64encode(f"{last.created_ms}.{last.match_no}".encode()).decode().rstrip("=")


def _read_cursor(text: str) -> tuple[int, int]:
    try:
        plain = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)).decode("ascii")
    except ValueError:
        plain = ""
    found = re.fullmatch(r"([0-9]{1,15})\.([0-9]{1,15})", plain)
    if found is None:
        raise Problem("bad_arguments", errors={"cursor": ["Send `next` of the page before, as it is."]})
    return int(found[1]), int(found[2])
