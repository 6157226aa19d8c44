"""The table as it was at any version, from any seat that is open to the caller."""

from flask import Blueprint, Response

from api.bodies import query
from api.here import here
from api.identity import caller
from api.present import answer, position, tagged
from api.problems import Problem
from api.schemas import ReplayQuery
from events.matches import Seen

bp = Blueprint("replay", __name__, url_prefix="/v1/matches/<match_id>/replay")


@bp.get("")
def show(match_id: str) -> Response:
    """Show the table as it was."""
    who = caller()
    now = here().matches.see(match_id, who)
    asked = query(ReplayQuery())
    version, seat = asked.get("version"), asked.get("seat")
    if version is not None and version > now.version:
        raise Problem("bad_arguments", errors={"version": [f"The match is at version {now.version}."]})
    if seat is not None and seat.isdecimal():
        if int(seat) not in now.match.seats:
            raise Problem("bad_arguments", errors={"seat": [f"The seats are 0 to {now.match.seats[-1]}."]})
        seat = str(int(seat))
    then = here().matches.replay(match_id, who, version, seat)
    return tagged(answer(_replayed(then)), now.version)


def _replayed(then: Seen) -> dict[str, object]:
    return {
        "id": then.match_id,
        "game": then.match.game.name,
        "version": then.version,
        "seat": then.seat if then.seat is not None else then.reader,
        "status": then.match.status,
        **position(then),
    }
