"""Serves the table as it was at any version, from any seat that is open to the caller."""

from typing import Any, Final

from flask import Blueprint, Response, request
from msgspec import UNSET

from api.http.app_state import app_state
from api.http.auth import INVITE, request_caller
from api.http.common_fields import LARGEST, NothingBody, doc, number_field, pattern_field
from api.http.compression import compress
from api.http.openapi_operations import (
    ETAG,
    JSON,
    MATCH_ID,
    NOT_MODIFIED,
    Operation,
    Reply,
    text,
)
from api.http.problems import Problem
from api.http.rate_limits import charge_for_events
from api.http.request_parsing import read_query
from api.http.responses import (
    FOR_THE_CALLER,
    IF_NONE_MATCH,
    answer_if_changed,
    client_has,
    json_answer,
    not_modified,
    set_etag,
)
from api.http.strict_fields import Strict
from api.resources.event_routes import NDJSON
from api.resources.replay_answer import STEP, MarkAnswer, MarksAnswer, ReplayAnswer, replay_answer, replay_line
from events.service import replay, replay_steps
from events.service.replay import Past
from events.service.replay_marks import NoSuchMark

bp = Blueprint("replay", __name__, url_prefix="/v1/matches/<match_id>/replay")


class ReplayQuery(Strict):
    version = number_field(1, LARGEST, **doc("By default the last."))
    first = number_field(1, LARGEST, data_key="from", **doc("As lines: the first version, by default 1."))
    last = number_field(1, LARGEST, data_key="to", **doc("As lines: the last version, by default the last there is."))
    release = pattern_field(
        "[0-9a-f]{16}",
        **doc(
            "As lines, with `to`: the `release` of the list of games. As long as it is that of the server, lines of a"
            " match that is over may be kept for ever."
        ),
    )
    at = pattern_field(
        r"(?:(?:game|hand):[1-9][0-9]{0,5}|[a-z][a-z0-9_]{0,59}:[1-9][0-9]{0,5}\.[1-9][0-9]{0,5})",
        **doc(
            "A mark, instead of `version`. `hand:3` and `game:2` are the first decision in that hand or game;"
            " `trick:2.7` is the position before the lead to trick 7 of hand 2. A game may have moments of other"
            " kinds, as `turn:2.7`: the position after the seventh of them in hand 2. `GET …/replay/marks` lists those"
            " that there are."
        ),
    )
    seat = pattern_field(
        "(?:[0-9]{1,2}|all|spectators)",
        **doc("A seat's number, `all` or `spectators`; by default your own."),
    )


REPLAYED_PER_REQUEST: Final = 30
"""To play this many events again takes about as long as a request."""

DRAWN_PER_REQUEST: Final = 10
"""To draw this many tables takes about as long as a request."""

FOR_EVER: Final = "private, max-age=31536000, immutable"
"""With this header, the requesting client keeps an answer for a year."""


@bp.get("")
@Operation(
    tag="history",
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=ReplayQuery(),
    replies={
        200: Reply(
            "The table.",
            {JSON: ReplayAnswer, NDJSON: text(STEP.decode() + "\n", "A table on each line, after its event.")},
            headers=(ETAG,),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_seated", "forbidden", "not_found", "game_not_installed"),
)
def replay_match(match_id: str) -> Response:
    """Replay a match.

    At any version, or at a mark, from your own seat or as a spectator; from another seat, or with every card
    (`all`), once all hands up to that version are disclosed (else 403). As lines of JSON (`application/x-ndjson`) it is
    the tables of all versions `from` one `to` another, 500 at most, each with its event in words.
    """
    past = replay.open_past(app_state().context, match_id, request_caller())
    asked = read_query(ReplayQuery())
    as_lines = request.accept_mimetypes.best_match((JSON, NDJSON)) == NDJSON
    _check_form(asked, as_lines=as_lines)
    seat = _seat(past, asked)
    if as_lines:
        return _lines(past, asked, seat)
    version = _version(past, asked)
    if client_has(past.head.version):
        return not_modified(past.head.version)
    charge_for_events(version, REPLAYED_PER_REQUEST)
    then = replay.replay_table(app_state().context, past, version, seat)
    return set_etag(json_answer(replay_answer(then)), past.head.version)


@bp.get("/marks")
@Operation(
    tag="history",
    access="optional",
    parameters=(MATCH_ID, INVITE, IF_NONE_MATCH),
    query=NothingBody(),
    replies={200: Reply("The marks, in order.", MarksAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_seated", "not_found", "game_not_installed"),
)
def list_marks(match_id: str) -> Response:
    """List replay marks.

    The games, hands, tricks and other moments of the match with their versions, for `at` in a replay. They are public.
    """
    past = replay.open_past(app_state().context, match_id, request_caller())
    read_query(NothingBody())
    items = [MarkAnswer(*mark) for mark in replay.list_marks(app_state().context, past)]
    return answer_if_changed(json_answer(MarksAnswer(items, None)), past.head.version)


def _check_form(asked: dict[str, Any], *, as_lines: bool) -> None:
    """Refuse what is about the other form of the answer."""
    wrong, other = (("version", "at"), "one table") if as_lines else (("from", "to", "release"), f"lines ({NDJSON})")
    given = {"first": "from", "last": "to"}
    if errors := {name: [f"This is for {other}."] for name in (given.get(n, n) for n in asked) if name in wrong}:
        raise Problem("bad_arguments", errors=errors)


def _seat(past: Past, asked: dict[str, Any]) -> str | None:
    """Return the view that the query asks for; None for the caller's own."""
    seat: str | None = asked.get("seat")
    if seat is None or not seat.isdecimal():
        return seat
    if int(seat) not in past.seats:
        raise Problem("bad_arguments", errors={"seat": [f"The seats are 0 to {past.seats[-1]}."]})
    return str(int(seat))


def _lines(past: Past, asked: dict[str, Any], seat: str | None) -> Response:
    """Answer with the tables of many versions."""
    now, first = past.head.version, asked.get("first", 1)
    last = asked.get("last", now)
    if not first <= last <= now:
        raise Problem("bad_arguments", errors={"from": [f"Send 1 <= from <= to <= {now}."]})
    if client_has(tag := f"{replay_steps.name_release()}-{now:x}"):
        return not_modified(tag)
    ends = min(last, first + replay_steps.MOST - 1)
    charge_for_events(ends, REPLAYED_PER_REQUEST)
    charge_for_events(ends - first, DRAWN_PER_REQUEST)
    context = app_state().context
    there = replay.replay_table(context, past, ends, seat)
    steps = replay_steps.replay_versions(context, past, there, first)
    lines = (replay_line(step, ends + 1 if step.seen.version == ends < last else UNSET) for step in steps)
    response = Response(lines, headers=FOR_THE_CALLER, content_type=f"{NDJSON}; charset=utf-8")
    response = set_etag(response, tag)
    if past.over and "last" in asked and asked.get("release") == replay_steps.name_release():
        response.headers["Cache-Control"] = FOR_EVER
    is_open = past.over and replay.is_disclosed(context, past.head.match_no, there.match)
    return compress(response) if is_open else response


def _version(past: Past, asked: dict[str, Any]) -> int:
    """Return the version that the query asks for."""
    now = past.head.version
    if "at" in asked:
        if "version" in asked:
            raise Problem("bad_arguments", errors={"at": ["Send either `version` or `at`."]})
        try:
            return replay.version_of_mark(app_state().context, past, asked["at"])
        except NoSuchMark as error:
            raise Problem("bad_arguments", errors={"at": [str(error)]}) from None
    version: int = asked.get("version", now)
    if version > now:
        raise Problem("bad_arguments", errors={"version": [f"The match is at version {now}."]})
    return version
