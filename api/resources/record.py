"""The record of a match: all of it that the caller may see, as one document to keep and to verify."""

from collections.abc import Iterator
from typing import Any, Final

from flask import Blueprint, Response, request

from api.http import present
from api.http.auth import caller
from api.http.bodies import query
from api.http.context import here
from api.http.present import FOR_THE_CALLER, JSON, tagged
from api.http.problems import Problem
from api.http.schemas import RecordQuery
from api.resources.events import whole
from events.formats.phh import write as phh
from events.log.foreign import at_home
from events.proof import record
from events.service.views import Seen

bp = Blueprint("record", __name__, url_prefix="/v1/matches/<match_id>/record")

AS_RECORD: Final = (record.MEDIA_TYPE, JSON)
FORMS: Final = (*AS_RECORD, phh.MEDIA_TYPE)

OF_THE_MATCH: Final = (
    "id", "game", "rules", "preset", "options", "series", "clock", "visibility", "created_at",
    "version", "head", "status", "result",
)  # fmt: skip
OF_A_SEAT: Final = ("seat", "kind", "player", "level")


@bp.get("")
def show(match_id: str) -> Response:
    """Give the record, or the hands of poker in their own format, a piece at a time."""
    who = caller()
    seen = here().matches.see(match_id, who)
    asked = query(RecordQuery())
    if asked["format"] == "record" and "hand" in asked:
        raise Problem("bad_arguments", errors={"hand": ["Send this with `format=phh` alone."]})
    if "seat" in asked:
        seen = here().matches.see_from(match_id, who, asked["seat"])
    match = about(seen)
    if asked["format"] == "phh":
        response = _hands(seen, match, asked.get("hand"))
    else:
        pieces = record.write(match, whole(here().matches, seen, 0))
        response = _named(pieces, _form(AS_RECORD), f"{match['game']}-{match['id']}.json")
    return tagged(response, _tag(seen, match))


def _hands(seen: Seen, match: dict[str, Any], number: int | None) -> Response:
    """Give all finished hands, or one, in the format PHH."""
    if match["game"] not in phh.GAMES:
        raise Problem("bad_arguments", errors={"format": ["Only hands of poker can be had in PHH."]})
    form, feed = _form((phh.MEDIA_TYPE,)), whole(here().matches, seen, 0)
    name = f"{match['game']}-{match['id']}"
    if number is None:
        return _named(phh.write(match, feed), form, f"{name}.phhs")
    try:
        return _named(phh.write_hand(match, feed, number), form, f"{name}-{number}.phh")
    except phh.NoSuchHand as error:
        raise Problem("bad_arguments", errors={"hand": [str(error)]}) from None


def _form(forms: tuple[str, ...]) -> str:
    """Choose the media type that the request prefers. Raises 406."""
    if not request.accept_mimetypes:
        return forms[0]
    if (form := request.accept_mimetypes.best_match(forms)) is None:
        raise Problem("not_acceptable")
    return form


def _named(pieces: bytes | Iterator[bytes], form: str, name: str) -> Response:
    response = Response(pieces, headers=FOR_THE_CALLER, content_type=form)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


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
