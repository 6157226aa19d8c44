"""Serves the events of tournaments."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Any, Final

from flask import Response, request
from msgspec import Raw, json

from api.http import long_polling
from api.http.app_state import app_state
from api.http.auth import request_caller
from api.http.feed_stream import LAST_EVENT_ID, Feed, check_reached, last_event_id, stream_feed
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


class TournamentEventAnswer(Answer):
    v: Annotated[Ordinal, says("The version of its type.")]
    seq: Annotated[Ordinal, says("The number of the event.")]
    commit: Annotated[Ordinal, says("The number of the first event in the same commit.")]
    type: Annotated[str, says("What happened.")]
    data: Annotated[dict[str, Any], says("The fields of the event.")]
    at: Annotated[Timestamp, says("The time when the event was written.")]
    cause: Annotated[str, says("`move`, `auto` or `timeout`.", examples=["move"])]
    seals: Annotated[dict[str, dict[str, Digest]], says("Empty: nothing of a tournament is sealed.")]
    digest: Annotated[Digest, says("The hash of the previous digest and the event.")]


class TournamentEventsAnswer(Answer):
    items: Annotated[list[TournamentEventAnswer], says("The events, in order.")]
    next: Annotated[Count, says("Send this as `after` to get the next events.")]


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


@Operation(
    tag="tournaments",
    searches=("follow a tournament", "tournament stream"),
    access="optional",
    parameters=(TOURNAMENT_ID, long_polling.PREFER, LAST_EVENT_ID, IF_NONE_MATCH),
    query=TournamentEventsQuery,
    replies={
        200: Reply(
            "Events, in order.",
            {
                JSON: TournamentEventsAnswer,
                long_polling.SSE: text(
                    long_polling.stream_example(GREETING, long_polling.ServerSentEvent(41, "TournamentPaused", PAUSED)),
                    "`id` is the number of the event, `event` its type, `data` a TournamentEvent.",
                ),
            },
            headers=(ETAG, PREFERENCE_APPLIED, UNBUFFERED),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_found", "another_history"),
)
def list_tournament_events(tournament_id: str) -> Response:
    """List tournament events.

    All other data of a tournament follow from its events, which are public and linked by digests. With `wait`, the
    server answers as soon as there is an event after `after`. `Accept: text/event-stream` returns a stream that ends
    with the tournament. Its ids are event numbers; resume with `Last-Event-ID`. Resuming after an event
    that does not exist returns 409 `another_history`.
    """
    who, asked = request_caller(), read_query(TournamentEventsQuery)
    form = request.accept_mimetypes.best_match((JSON, long_polling.SSE))
    found = tournaments.see_tournament(app_state().context, tournament_id, who)
    after = last_event_id(asked.after) if form == long_polling.SSE else asked.after
    check_reached(after, found.head.version)
    if form != long_polling.SSE and not long_polling.seconds_to_wait(asked.wait) and client_has(found.head.version):
        return long_polling.confirm_preference(not_modified(found.head.version))
    charge_for_reading(found)
    limit, seconds = asked.limit, long_polling.seconds_to_wait(asked.wait)
    if form == long_polling.SSE:
        context = app_state().context
        return stream_feed(
            GREETING,
            lambda: _feed(tournaments.see_tournament(context, tournament_id, who)),
            _feed(found),
            after,
        )
    version = found.head.version
    if seconds and after == version and not found.state.ended:
        return long_polling.answer_after(app_state().poller.match(found.head.match_no, version, seconds))
    items = [Raw(item) for item in islice(_events(found, after), limit)]
    last = min(after + limit, version)
    # The events are JSON already.
    page = TournamentEventsAnswer(items, last)  # type: ignore[arg-type]
    return long_polling.confirm_preference(answer_if_changed(json_answer(page), version))


def _feed(found: HeldTournament) -> Feed:
    return Feed(found.head.match_no, found.head.version, found.state.ended, partial(_events, found))


def _events(found: HeldTournament, after: int) -> Iterator[bytes]:
    """Yield the events of a tournament after one of them, each as JSON."""
    rows = [row for row in found.rows if row.first + row.n - 1 > after]
    first = rows[0].first if rows else 0
    return (item for seq, item in enumerate(serve_events(rows), first) if seq > after)
