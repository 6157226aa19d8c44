"""The table as it was at any version, from any seat that is open to the caller."""

from typing import Any

from flask import Blueprint, Response

from api.http.auth import caller
from api.http.bodies import query
from api.http.context import here
from api.http.present import answer, listed, position, tagged
from api.http.problems import Problem
from api.http.schemas import Nothing, ReplayQuery
from events.service.marks import NoSuchMark
from events.service.replay import Past
from events.service.views import Seen

bp = Blueprint("replay", __name__, url_prefix="/v1/matches/<match_id>/replay")


@bp.get("")
def show(match_id: str) -> Response:
    """Show the table as it was."""
    past = here().matches.past(match_id, caller())
    asked = query(ReplayQuery())
    version, seat = _version(past, asked), asked.get("seat")
    if seat is not None and seat.isdecimal():
        if int(seat) not in past.seats:
            raise Problem("bad_arguments", errors={"seat": [f"The seats are 0 to {past.seats[-1]}."]})
        seat = str(int(seat))
    then = here().matches.replay(past, version, seat)
    return tagged(answer(_replayed(then)), past.head.version)


@bp.get("/marks")
def marks(match_id: str) -> Response:
    """List the games, hands and tricks that one may jump to."""
    past = here().matches.past(match_id, caller())
    query(Nothing())
    items = [mark._asdict() for mark in here().matches.marks(past)]
    return tagged(answer(listed(items)), past.head.version)


def _version(past: Past, asked: dict[str, Any]) -> int:
    """Give the version that the query asks for."""
    now = past.head.version
    if "at" in asked:
        if "version" in asked:
            raise Problem("bad_arguments", errors={"at": ["Send either `version` or `at`."]})
        try:
            return here().matches.marked(past, asked["at"])
        except NoSuchMark as error:
            raise Problem("bad_arguments", errors={"at": [str(error)]}) from None
    version: int = asked.get("version", now)
    if version > now:
        raise Problem("bad_arguments", errors={"version": [f"The match is at version {now}."]})
    return version


def _replayed(then: Seen) -> dict[str, object]:
    return {
        "id": then.match_id,
        "game": then.match.game.name,
        "version": then.version,
        "seat": then.seat if then.seat is not None else then.reader,
        "status": then.match.status,
        **position(then),
    }
