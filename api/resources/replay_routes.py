"""Serves the table as it was at any version, from any seat that is open to the caller."""

from collections.abc import Sequence
from typing import Annotated, Final

from flask import Response, request
from msgspec import UNSET, UnsetType, json

from api.http import responses
from api.http.app_state import app_state
from api.http.auth import INVITE, request_caller
from api.http.common_fields import LARGEST, NothingBody, Status
from api.http.compression import compress
from api.http.openapi_operations import (
    ETAG,
    JSON,
    MATCH_ID,
    NOT_MODIFIED,
    Answer,
    Digest,
    NextCursor,
    Operation,
    Ordinal,
    Reply,
    Timestamp,
    of_game,
    says,
    text,
)
from api.http.problems import wrong_fields
from api.http.rate_limits import charge_for_events
from api.http.request_parsing import read_query
from api.http.request_records import Request, matches
from api.http.responses import time_or_none
from api.resources.event_routes import NDJSON
from api.resources.match_answer import ResultAnswer, SceneAnswer, TableAnswer, result_answer, scene_answer, table_answer
from domain import match as life
from domain.core.options import Omissible, Range
from events.service import replay
from events.service.replay import Past, Step
from events.service.replay_marks import NoSuchMark
from events.service.views import Seen
from events.times import write_time


class ReplayAnswer(Answer):
    id: Annotated[str, says("The id of the match.")]
    game: Annotated[str, of_game("one"), says("The name of the game.")]
    version: Annotated[int, says("The number of the last event before this state.")]
    seat: Annotated[int | str, says("The seat's number, `all` or `spectators`.")]
    status: Annotated[Status, says("The status of the match at that version.")]
    to_act: Annotated[Sequence[int], says("The seats whose decision the match waited for.")]
    deadline: Annotated[Timestamp | None, says("Time at which the first open decision fell due; null if none did.")]
    table: TableAnswer | None
    scene: Annotated[SceneAnswer | None, says("The table as data for drawing it; null before the start.")]
    result: Annotated[ResultAnswer | None, says("The result; null before the end.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]


class StepAnswer(Answer):
    """A line of a replay is the table after one event."""

    version: Annotated[Ordinal, says("The number of the last event before this state.")]
    commit: Annotated[Ordinal, says("The number of the first event of its commit: that of a move, for all it caused.")]
    at: Annotated[Timestamp, says("When it happened.")]
    text: Annotated[str, says("The event in words, as you may know it now.")]
    status: Annotated[Status, says("The status of the match at that version.")]
    to_act: Annotated[Sequence[int], says("The seats whose decision the match waited for.")]
    deadline: Annotated[Timestamp | None, says("Time at which the first open decision fell due; null if none did.")]
    scene: Annotated[SceneAnswer | None, says("The table as data for drawing it; null before the start.")]
    result: Annotated[ResultAnswer | None, says("The result; null before the end.")]
    head: Annotated[Digest, says("The digest of that event, in hex.")]
    next: Annotated[int | UnsetType, says("With the last line of many: send it as `from` for those that follow.")] = (
        UNSET
    )


class MarkAnswer(Answer):
    at: Annotated[str, says("The mark, for `at`.", examples=["trick:2.7"])]
    version: Annotated[Ordinal, says("The number of its event.")]
    text: Annotated[str, says("The mark in words.", examples=["Hand 2, trick 7"])]


class MarksAnswer(Answer):
    items: Annotated[list[MarkAnswer], says("The marks, in order.")]
    next: NextCursor


STEP: Final = json.encode(
    StepAnswer(
        version=4,
        commit=1,
        at="2026-11-21T10:00:00.000Z",
        text="The match started: seat 0 is a player, seat 1 is a bot (steady).",
        status="playing",
        to_act=[],
        deadline=None,
        scene=None,
        result=None,
        head="e3fd37cdd22155e43fec061ef6d666f84102a266358bfb710de7cdbb0d9e3da6",
    )
)
"""A line, as an example."""


def replay_line(step: Step, after: int | UnsetType) -> bytes:
    """Write the table after an event; `after` is the version to go on from, with the last line of many."""
    then = step.seen
    m = then.match
    said = StepAnswer(
        version=then.version,
        commit=step.commit,
        at=write_time(step.at),
        text=step.text,
        status=m.status,
        to_act=life.to_act(m),
        deadline=time_or_none(life.first_due_time(m)),
        scene=scene_answer(then, step.text),
        result=result_answer(m),
        head=then.head,
        next=after,
    )
    return json.encode(said) + b"\n"


def replay_answer(then: Seen) -> ReplayAnswer:
    """Show the table as it was."""
    m = then.match
    return ReplayAnswer(
        id=then.match_id,
        game=m.game.name,
        version=then.version,
        seat=then.seat if then.seat is not None else then.reader,
        status=m.status,
        to_act=life.to_act(m),
        deadline=time_or_none(life.first_due_time(m)),
        table=table_answer(m, then.seat),
        scene=scene_answer(then),
        result=result_answer(m),
        head=then.head,
    )


Version = Annotated[int, Range(1, LARGEST)]
MARK: Final = r"(?:(?:game|hand):[1-9][0-9]{0,5}|[a-z][a-z0-9_]{0,59}:[1-9][0-9]{0,5}\.[1-9][0-9]{0,5})"


class ReplayQuery(Request):
    version: Omissible[Version] = None
    """The version; by default the last."""
    from_: Omissible[Version] = None
    """With lines: the first version; by default 1."""
    to: Omissible[Version] = None
    """With lines: the last version; by default the current one."""
    release: Omissible[Annotated[str, matches("[0-9a-f]{16}", "16 hexadecimal digits in lower case")]] = None
    """With lines and `to`: the `release` of the list of games.

    While it is the server's, you can cache the lines of a finished match forever.
    """
    at: Omissible[Annotated[str, matches(MARK, "a mark, such as `hand:3` or `trick:2.7`")]] = None
    """A mark, instead of `version`.

    `hand:3` and `game:2` are the first decision in that hand or game; `trick:2.7` is the position before the lead to
    trick 7 of hand 2. Games can have other kinds of moments, such as `turn:2.7`: the position after the seventh of them
    in hand 2. `GET …/replay/marks` lists all marks.
    """
    seat: Omissible[
        Annotated[str, matches("(?:[0-9]{1,2}|all|spectators)", "the number of a seat, `all` or `spectators`")]
    ] = None
    """A seat's number, `all` or `spectators`; by default your own."""


REPLAYED_PER_REQUEST: Final = 30
"""The number of events whose replay takes about as long as a request."""

DRAWN_PER_REQUEST: Final = 10
"""The number of tables whose drawing takes about as long as a request."""

FOR_EVER: Final = "private, max-age=31536000, immutable"
"""With this header, the requesting client keeps an answer for a year."""


@Operation(
    tag="history",
    searches=("replay", "step through"),
    access="optional",
    parameters=(MATCH_ID, INVITE, responses.IF_NONE_MATCH),
    query=ReplayQuery,
    replies={
        200: Reply(
            "The table.",
            {JSON: ReplayAnswer, NDJSON: text(STEP.decode() + "\n", "A table per line, after its event.")},
            headers=(ETAG,),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_seated", "forbidden", "not_found", "game_not_installed"),
)
def replay_match(match_id: str) -> Response:
    """Replay a match.

    Returns the table at a version or mark, from your seat or as a spectator. Once all hands up to that version are
    disclosed, also from another seat or with every card (`all`), else 403. `Accept: application/x-ndjson` returns the
    tables of up to 500 versions, from `from` to `to`, each with its event in words.
    """
    past = replay.open_past(app_state().context, match_id, request_caller())
    asked = read_query(ReplayQuery)
    as_lines = request.accept_mimetypes.best_match((JSON, NDJSON)) == NDJSON
    _check_form(asked, as_lines=as_lines)
    seat = _seat(past, asked)
    if as_lines:
        return _lines(past, asked, seat)
    version = _version(past, asked)
    if responses.client_has(past.head.version):
        return responses.not_modified(past.head.version)
    charge_for_events(version, REPLAYED_PER_REQUEST)
    then = replay.replay_table(app_state().context, past, version, seat)
    return responses.set_etag(responses.json_answer(replay_answer(then)), past.head.version)


@Operation(
    tag="history",
    searches=("jump to a trick", "key moments"),
    access="optional",
    parameters=(MATCH_ID, INVITE, responses.IF_NONE_MATCH),
    query=NothingBody,
    replies={200: Reply("The marks, in order.", MarksAnswer, headers=(ETAG,)), 304: NOT_MODIFIED},
    refuses=("not_seated", "not_found", "game_not_installed"),
)
def list_marks(match_id: str) -> Response:
    """List replay marks.

    Lists games, hands, tricks and other moments with their versions. Use them as `at` in a replay. They are public.
    """
    past = replay.open_past(app_state().context, match_id, request_caller())
    read_query(NothingBody)
    items = [MarkAnswer(*mark) for mark in replay.list_marks(app_state().context, past)]
    return responses.answer_if_changed(responses.json_answer(MarksAnswer(items, None)), past.head.version)


def _check_form(asked: ReplayQuery, *, as_lines: bool) -> None:
    """Refuse parameters of the other form of the answer."""
    of_table = {"version": asked.version, "at": asked.at}
    of_lines = {"from": asked.from_, "to": asked.to, "release": asked.release}
    wrong, other = (of_table, "one table") if as_lines else (of_lines, f"lines ({NDJSON})")
    if errors := {name: [f"Send this only for {other}."] for name, given in wrong.items() if given is not None}:
        raise wrong_fields(errors)


def _seat(past: Past, asked: ReplayQuery) -> str | None:
    """Return the view that the query asks for; None for the caller's own."""
    seat = asked.seat
    if seat is None or not seat.isdecimal():
        return seat
    if int(seat) not in past.seats:
        raise wrong_fields({"seat": [f"The seats are 0 to {past.seats[-1]}."]})
    return str(int(seat))


def _lines(past: Past, asked: ReplayQuery, seat: str | None) -> Response:
    """Answer with the tables of many versions."""
    now, first = past.head.version, asked.from_ or 1
    last = asked.to or now
    if not first <= last <= now:
        raise wrong_fields({"from": [f"Send 1 <= from <= to <= {now}."]})
    if responses.client_has(tag := f"{replay.name_release()}-{now:x}"):
        return responses.not_modified(tag)
    ends = min(last, first + replay.MOST - 1)
    charge_for_events(ends, REPLAYED_PER_REQUEST)
    charge_for_events(ends - first, DRAWN_PER_REQUEST)
    context = app_state().context
    there = replay.replay_table(context, past, ends, seat)
    steps = replay.replay_versions(context, past, there, first)
    lines = (replay_line(step, ends + 1 if step.seen.version == ends < last else UNSET) for step in steps)
    response = Response(lines, headers=responses.FOR_THE_CALLER, content_type=f"{NDJSON}; charset=utf-8")
    response = responses.set_etag(response, tag)
    if past.over and asked.to is not None and asked.release == replay.name_release():
        response.headers["Cache-Control"] = FOR_EVER
    is_open = past.over and replay.is_disclosed(context, past.head.match_no, there.match)
    return compress(response) if is_open else response


def _version(past: Past, asked: ReplayQuery) -> int:
    """Return the version that the query asks for."""
    now = past.head.version
    if asked.at is not None:
        if asked.version is not None:
            raise wrong_fields({"at": ["Send either `version` or `at`."]})
        try:
            return replay.version_of_mark(app_state().context, past, asked.at)
        except NoSuchMark as error:
            raise wrong_fields({"at": [str(error)]}) from None
    version = asked.version or now
    if version > now:
        raise wrong_fields({"version": [f"Must be at most {now}, the version of the match."]})
    return version
