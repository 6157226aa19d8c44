"""Serves the table as it was at any version, from any seat that is open to the caller."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from flask import Blueprint, Response
from msgspec import Meta

from api.http.app_state import here
from api.http.auth import INVITE, caller
from api.http.bodies import query
from api.http.fields import Strict
from api.http.openapi_operations import (
    CONFLICT,
    ETAG,
    FORBIDDEN,
    MATCH_ID,
    NOT_FOUND,
    NOT_MODIFIED,
    Answer,
    Digest,
    Operation,
    Ordinal,
    Reply,
    Timestamp,
    of_game,
    says,
)
from api.http.present import IF_NONE_MATCH, answer, tagged, time_or_none
from api.http.problems import Problem
from api.http.rate_limits import charge_for_events
from api.http.schemas import LARGEST, NothingBody, Status, number, said, shaped
from api.resources.match_answer import ResultAnswer, TableAnswer, result, scene, table
from api.resources.scene_answer import SceneAnswer
from domain import match as life
from events.service import replay
from events.service.marks import NoSuchMark
from events.service.replay import Past
from events.service.views import Seen

bp = Blueprint("replay", __name__, url_prefix="/v1/matches/<match_id>/replay")


class ReplayQuery(Strict):
    version = number(1, LARGEST, **said("By default the last."))
    at = shaped(
        r"(?:(?:game|hand):[1-9][0-9]{0,5}|trick:[1-9][0-9]{0,5}\.[1-9][0-9]{0,5})",
        **said(
            "A mark, instead of `version`: `hand:3` and `game:2` are where somebody may act in them, `trick:2.7` is the"
            " position before the lead to trick 7 of hand 2. `GET …/replay/marks` lists those that there are."
        ),
    )
    seat = shaped(
        "(?:[0-9]{1,2}|all|spectators)",
        **said("A seat's number, `all` or `spectators`; by default your own."),
    )


class ReplayAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: Annotated[str, of_game("one"), says("The name of the game.")]
    version: Annotated[int, says("The number of the event after which the table was so.")]
    seat: Annotated[int | str, says("The seat's number, `all` or `spectators`.")]
    status: Annotated[Status, says("How far the match was.")]
    to_act: Annotated[Sequence[int], says("The seats whose decision the match waited for.")]
    deadline: Annotated[Timestamp | None, says("When the first of the open decisions fell due; null: none did.")]
    table: TableAnswer | None
    scene: Annotated[SceneAnswer | None, says("The table as data for all who draw it; null before the start.")]
    result: Annotated[ResultAnswer | None, says("How the match came out; null: it had not yet.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]


class MarkAnswer(Answer):
    at: Annotated[str, Meta(examples=["trick:2.7"]), says("The mark, as `at` takes it.")]
    version: Annotated[Ordinal, says("The number of the event that it stands for.")]
    text: Annotated[str, Meta(examples=["Hand 2, trick 7"]), says("The mark in words.")]


class MarksAnswer(Answer):
    items: Annotated[list[MarkAnswer], says("The marks, in order.")]
    next: Annotated[None, says("Always null: all of them are here.")]


REPLAYED_PER_REQUEST: Final = 30
"""To play this many events again takes about as long as a request."""


@bp.get("")
@Operation(
    id="replayMatch",
    tag="history",
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=ReplayQuery(),
    replies={200: Reply("The table.", ReplayAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=(FORBIDDEN, NOT_FOUND, CONFLICT),
)
def show(match_id: str) -> Response:
    """See the table as it was.

    At any version, or at a mark, from your own seat or as a spectator; from another seat, or with every card
    (`all`), once all hands up to that version are disclosed (else 403).
    """
    past = replay.past(here().context, match_id, caller())
    asked = query(ReplayQuery())
    version, seat = _version(past, asked), asked.get("seat")
    if seat is not None and seat.isdecimal():
        if int(seat) not in past.seats:
            raise Problem("bad_arguments", errors={"seat": [f"The seats are 0 to {past.seats[-1]}."]})
        seat = str(int(seat))
    charge_for_events(version, REPLAYED_PER_REQUEST)
    then = replay.replay(here().context, past, version, seat)
    return tagged(answer(_replayed(then)), past.head.version)


@bp.get("/marks")
@Operation(
    id="listMarks",
    tag="history",
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=NothingBody(),
    replies={200: Reply("The marks, in order.", MarksAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=(FORBIDDEN, NOT_FOUND, CONFLICT),
)
def marks(match_id: str) -> Response:
    """List what one may jump to.

    The games, hands and tricks of the match with their versions, for `at` in a replay. They are public.
    """
    past = replay.past(here().context, match_id, caller())
    query(NothingBody())
    items = [MarkAnswer(*mark) for mark in replay.marks_of(here().context, past)]
    return tagged(answer(MarksAnswer(items, None)), past.head.version)


def _version(past: Past, asked: dict[str, Any]) -> int:
    """Give the version that the query asks for."""
    now = past.head.version
    if "at" in asked:
        if "version" in asked:
            raise Problem("bad_arguments", errors={"at": ["Send either `version` or `at`."]})
        try:
            return replay.marked(here().context, past, asked["at"])
        except NoSuchMark as error:
            raise Problem("bad_arguments", errors={"at": [str(error)]}) from None
    version: int = asked.get("version", now)
    if version > now:
        raise Problem("bad_arguments", errors={"version": [f"The match is at version {now}."]})
    return version


def _replayed(then: Seen) -> ReplayAnswer:
    m = then.match
    return ReplayAnswer(
        id=then.match_id,
        game=m.game.name,
        version=then.version,
        seat=then.seat if then.seat is not None else then.reader,
        status=m.status,
        to_act=life.to_act(m),
        deadline=time_or_none(life.due(m)),
        table=table(m, then.seat),
        scene=scene(then),
        result=result(m),
        head=then.head,
    )
