"""The record of a match: all of it that the caller may see, as one document to keep and to verify."""

from typing import Any, Final

from flask import Blueprint, Response, request

from api import present
from api.bodies import query
from api.events import whole
from api.here import here
from api.identity import caller
from api.present import FOR_THE_CALLER, JSON, tagged
from api.schemas import SeatQuery
from events import record
from events.foreign import at_home
from events.matches import Seen

bp = Blueprint("record", __name__, url_prefix="/v1/matches/<match_id>/record")

FORMS: Final = (record.MEDIA_TYPE, JSON)

OF_THE_MATCH: Final = (
    "id", "game", "rules", "preset", "options", "series", "clock", "visibility", "created_at",
    "version", "head", "status", "result",
)  # fmt: skip
OF_A_SEAT: Final = ("seat", "kind", "player", "level")


@bp.get("")
def show(match_id: str) -> Response:
    """Give the record, a piece at a time."""
    who = caller()
    seen = here().matches.see(match_id, who)
    seat = query(SeatQuery()).get("seat")
    if seat is not None:
        seen = here().matches.see_from(match_id, who, seat)
    match = about(seen)
    form = request.accept_mimetypes.best_match(FORMS) or record.MEDIA_TYPE
    pieces = record.write(match, whole(here().matches, seen, 0))
    response = Response(pieces, headers=FOR_THE_CALLER, content_type=form)
    response.headers["Content-Disposition"] = f'attachment; filename="{match["game"]}-{match["id"]}.json"'
    return tagged(response, _tag(seen, match))


def about(seen: Seen) -> dict[str, Any]:
    """Give the match as its record shows it: what it shows to this reader, without what is the server's alone."""
    match = present.match(seen)
    seats = [
        {name: seat[name] for name in OF_A_SEAT} | {"player": _at_home(seen, seat["player"])}
        for seat in match["seats"]
    ]
    own = {"reader": seen.reader, "seats": seats, "visibility": seen.match.created.visibility}
    return {name: match[name] for name in OF_THE_MATCH} | own


def _at_home(seen: Seen, player: dict[str, Any] | None) -> dict[str, Any] | None:
    """Give a player by the id that the log has: what is said beside it must agree, also of a match that was imported."""
    return player and player | {"id": at_home(seen.match_id, player["id"])}


def _tag(seen: Seen, match: dict[str, Any]) -> str:
    """Give what a record follows from: the version, and which of its players have been erased since."""
    erased = [
        str(seat["seat"]) for seat in match["seats"] if seat["player"] and seat["player"]["name"] is None
    ]
    return "-".join([str(seen.version), *erased])
