"""The matches that wait for the caller."""

from hashlib import sha256

from flask import Blueprint, Response, request
from msgspec import json

from api.bodies import query
from api.here import here
from api.identity import me
from api.present import answer, listed, tagged, time_or_none
from api.schemas import InboxQuery
from api.waiting import preferred, waiting
from events.store import Turn
from events.times import write_time

bp = Blueprint("inbox", __name__, url_prefix="/v1/inbox")


@bp.get("")
def index() -> Response:
    """List the matches that wait for the caller."""
    player = me().player_id
    seconds = waiting(query(InboxQuery()))
    stamp = _stamp(player)
    if seconds and _nothing_new(stamp):
        with here().watch.place():
            here().watch.inbox(player, stamp, seconds)
        stamp = _stamp(player)
    return preferred(tagged(answer(listed(_items(player))), _tag(stamp)))


def _stamp(player: str) -> tuple[Turn, ...]:
    return here().store.waiting_stamp([player]).get(player, ())


def _tag(stamp: tuple[Turn, ...]) -> str:
    return sha256(json.encode(stamp)).hexdigest()[:32]


def _nothing_new(stamp: tuple[Turn, ...]) -> bool:
    if "If-None-Match" in request.headers:
        return request.if_none_match.contains_weak(_tag(stamp))
    return not stamp


def _items(player: str) -> list[dict[str, object]]:
    return [
        {
            "match": turn.match_id,
            "game": turn.game,
            "seat": turn.seat,
            "version": turn.version,
            "since": write_time(turn.since_ms),
            "deadline": time_or_none(turn.deadline_ms),
        }
        for turn in here().store.inbox(player)
    ]
