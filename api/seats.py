"""The seats of a match: sitting down, adding to one's own, leaving; and the invites to them."""

from typing import Any

from flask import Blueprint, Response

from api.bodies import body, if_match, load
from api.here import here
from api.identity import seated
from api.matches import shown
from api.once import key, once
from api.present import answer
from api.problems import Problem
from api.schemas import Nothing, SitDown
from events.matches import Opened

bp = Blueprint("seats", __name__, url_prefix="/v1/matches/<match_id>/seats/<int:seat>")


def _seat_of(opened: Opened, seat: int) -> int:
    if seat not in opened.seats:
        raise Problem("not_found")
    return seat


@bp.put("")
def sit(match_id: str, seat: int) -> Response:
    """Take a seat, or add to one's own."""
    given = body(optional=True)
    who = seated(_invite(given))
    opened = here().matches.open(match_id, who)
    _seat_of(opened, seat)
    sent = load(SitDown(), given)
    if "eaten_at" in sent and opened.game.opening is None:
        raise Problem("bad_arguments", errors={"eaten_at": [f"{opened.game.title} does not ask for it."]})
    sent.pop("invite", None)
    seen = here().matches.sit(match_id, who, seat, if_match(opened.version), **sent)
    here().watch.hurry()
    return shown(seen)


def _invite(given: dict[str, Any]) -> str | None:
    """Look for the invite before the body is checked: it may be what lets its holder find the match at all."""
    invite = given.get("invite")
    return invite if isinstance(invite, str) else None


@bp.delete("")
def leave(match_id: str, seat: int) -> Response:
    """Leave a seat before the start."""
    who = seated()
    opened = here().matches.open(match_id, who)
    here().matches.leave(match_id, who, _seat_of(opened, seat), if_match(opened.version))
    here().watch.hurry()
    return Response(status=204)


@bp.post("/invite")
def invite(match_id: str, seat: int) -> Response:
    """Issue a new invite to a seat."""
    given = body(optional=True)
    idempotency = key(given)
    who = seated()
    matches = here().matches
    _seat_of(matches.open(match_id, who), seat)

    def do() -> Response:
        load(Nothing(), given)
        return _issued(seat, matches.invite(match_id, who, seat, idempotency))

    return once(
        idempotency, do, lambda _: _issued(seat, matches.invite_before(match_id, who, seat, idempotency))
    )


def _issued(seat: int, code: str) -> Response:
    return answer({"seat": seat, "invite": code}, 201)
