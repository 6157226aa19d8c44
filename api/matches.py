"""Matches: creating, listing, showing, cancelling."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

from flask import Blueprint, Response

from api.bodies import body, if_match, load, query
from api.here import here
from api.identity import caller, me, player, seated
from api.new_match import new_match
from api.once import key, once
from api.present import answer, listed, marked, match, match_list, nothing
from api.problems import Problem
from api.schemas import MatchesQuery, NewMatch, SeatQuery
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
    return urlsafe_b64encode(f"{last.created_ms}.{last.match_id}".encode()).decode().rstrip("=")


def _read_cursor(text: str) -> tuple[int, int]:
    """Give the time and number of the last match of the page before; the number itself would tell how many there are."""
    try:
        plain = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)).decode("ascii")
    except ValueError:
        plain = ""
    found = re.fullmatch(r"([0-9]{1,15})\.([0-9a-z]{20})", plain)
    if found is None:
        raise Problem("bad_arguments", errors={"cursor": ["Send `next` of the page before, as it is."]})
    last = here().store.head(found[2])
    return int(found[1]), last.match_no if last else 0
