"""Serves the events of tournaments."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Any, Final

from flask import Blueprint, Response, request
from msgspec import Raw, json

from api.http.app_state import app_state
from api.http.auth import request_caller
from api.http.feed_stream import LAST_EVENT_ID, Feed, check_reached, last_event_id, stream_feed
from api.http.long_polling import (
    PREFER,
    SSE,
    ServerSentEvent,
    answer_after,
    confirm_preference,
    seconds_to_wait,
    stream_example,
)
from api.http.openapi_operations import (
    ETAG,
    JSON,
    NOT_MODIFIED,
    PREFERENCE_APPLIED,
    UNBUFFERED,
    Answer,
    Count,
    Digest,
    Operation,
    Ordinal,
    Reply,
    Timestamp,
    says,
    text,
)
from api.http.request_parsing import read_query
from api.http.responses import IF_NONE_MATCH, answer_if_changed, client_has, json_answer, not_modified
from api.resources.tournament_request import TournamentEventsQuery
from api.resources.tournament_routes import TOURNAMENT_ID, charge_for_reading
from events.log.commits import serve_events
from events.service import tournaments
from events.service.tournaments import HeldTournament

bp = Blueprint("tournament_events", __name__, url_prefix="/v1/tournaments/<tournament_id>")


class TournamentEventAnswer(Answer):
    v: Annotated[Ordinal, says("The version of its type.")]
    seq: Annotated[Ordinal, says("Its number.")]
    commit: Annotated[Ordinal, says("The number of the first event that was written with it.")]
    type: Annotated[str, says("What happened.")]
    data: Annotated[dict[str, Any], says("What it is about.")]
    at: Annotated[Timestamp, says("When it was written.")]
    cause: Annotated[str, says("`move`, `auto` or `timeout`.", examples=["move"])]
    seals: Annotated[dict[str, dict[str, Digest]], says("Empty: nothing of a tournament is sealed.")]
    digest: Annotated[Digest, says("The hash of the digest before it and of the event.")]


class TournamentEventsAnswer(Answer):
    items: Annotated[list[TournamentEventAnswer], says("The events, in order.")]
    next: Annotated[Count, says("The version to send as `after` for what comes next.")]


GREETING: Final = "the events of a tournament, until it has ended"
PAUSED: Final = json.encode(
    TournamentEventAnswer(
        v=1,
        seq=41,
        commit=41,
        type="TournamentPaused",
        data={"by": "3jc9mhf6ktn4n1gzhahe", "reason": "Supper."},
        at="2026-11-21T10:00:00.000Z",
        cause="move",
        seals={},
        digest="e3fd37cdd22155e43fec061ef6d666f84102a266358bfb710de7cdbb0d9e3da6",
    )
)
"""An event, as an example."""


@bp.get("/events")
@Operation(
    tag="tournaments",
    access="optional",
    parameters=(TOURNAMENT_ID, PREFER, LAST_EVENT_ID, IF_NONE_MATCH),
    query=TournamentEventsQuery(),
    replies={
        200: Reply(
            "Events, in order.",
            {
                JSON: TournamentEventsAnswer,
                SSE: text(
                    stream_example(GREETING, ServerSentEvent(41, "TournamentPaused", PAUSED)),
                    "`id` is the number of the event, `event` its type, `data` a TournamentEvent.",
                ),
            },
            headers=(ETAG, PREFERENCE_APPLIED, UNBUFFERED),
        ),
        204: Reply("The tournament has ended and you have all of it.", headers=(ETAG,)),
        304: NOT_MODIFIED,
    },
    refuses=("not_found", "another_history"),
)
def list_tournament_events(tournament_id: str) -> Response:
    """List tournament events.

    Everything else follows from them. Nothing of them is secret. Each is bound to those before it by its digest. With
    `wait` it answers as soon as there is one after `after`. `Accept: text/event-stream` gives a stream of server-sent
    events that ends with the tournament; its ids are the numbers of the events, and `Last-Event-ID` is honoured.
    Resuming a stream that has ended returns 204, which tells clients to stop. If the server has no free place for a
    stream, it ends immediately, and `retry` tells you when to try again. Resuming after an event that is not here
    returns 409 `another_history`.
    """
    who, asked = request_caller(), read_query(TournamentEventsQuery())
    form = request.accept_mimetypes.best_match((JSON, SSE))
    found = tournaments.see_tournament(app_state().context, tournament_id, who)
    after = last_event_id(asked["after"]) if form == SSE else asked["after"]
    check_reached(after, found.head.version)
    if form != SSE and not seconds_to_wait(asked) and client_has(found.head.version):
        return confirm_preference(not_modified(found.head.version))
    charge_for_reading(found)
    limit, seconds = asked["limit"], seconds_to_wait(asked)
    if form == SSE:
        context = app_state().context
        return stream_feed(
            GREETING,
            lambda: _feed(tournaments.see_tournament(context, tournament_id, who)),
            _feed(found),
            after,
            asked,
        )
    version = found.head.version
    if seconds and after == version and not found.state.ended:
        return answer_after(app_state().poller.match(found.head.match_no, version, seconds))
    items = [Raw(item) for item in islice(_events(found, after), limit)]
    last = min(after + limit, version)
    # The events are JSON already.
    page = TournamentEventsAnswer(items, last)  # type: ignore[arg-type]
    return confirm_preference(answer_if_changed(json_answer(page), version))


def _feed(found: HeldTournament) -> Feed:
    return Feed(found.head.match_no, found.head.version, found.state.ended, partial(_events, found))


def _events(found: HeldTournament, after: int) -> Iterator[bytes]:
    """Yield the events of a tournament after one of them, each as JSON."""
    rows = [row for row in found.rows if row.first + row.n - 1 > after]
    first = rows[0].first if rows else 0
    return (item for seq, item in enumerate(serve_events(rows), first) if seq > after)
