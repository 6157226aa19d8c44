"""Serves the feed of a match: as pages, as one long text, as a stream, or by waiting for news."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from flask import Blueprint, Response, request
from msgspec import UNSET, UnsetType, json

from api.http.app_state import app_state
from api.http.auth import INVITE, request_caller
from api.http.common_fields import LARGEST, SeatQuery, doc, number_field
from api.http.compression import compress
from api.http.feed_stream import LAST_EVENT_ID, Feed, check_reached, last_event_id, stream_feed
from api.http.long_polling import (
    PREFER,
    SSE,
    ServerSentEvent,
    StreamQuery,
    answer_after,
    confirm_preference,
    seconds_to_wait,
    stream_example,
    wait_field,
)
from api.http.openapi_operations import (
    ETAG,
    JSON,
    MATCH_ID,
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
from api.http.rate_limits import charge_for_events
from api.http.request_parsing import read_query
from api.http.responses import (
    FOR_THE_CALLER,
    IF_NONE_MATCH,
    answer_if_changed,
    client_has,
    json_answer,
    not_modified,
    raw_json_parts,
    set_etag,
)
from api.http.signed_answers import SignedHeadAnswer, add_signed_head, sign_seen_head
from api.http.sparse_fields import fields_parameter, select_fields, select_fields_of_lines
from api.resources.log_text_answer import export_log
from api.resources.seat_answer import seat_answers
from events.proof.keys import KeyRing
from events.service import replay, views
from events.service.context import Context
from events.service.views import Seen

bp = Blueprint("events", __name__, url_prefix="/v1/matches/<match_id>/events")

NDJSON: Final = "application/x-ndjson"
PLAIN: Final = "text/plain"
FORMS: Final = (JSON, NDJSON, SSE, PLAIN)
WRITTEN_PER_REQUEST: Final = 10
"""To write this many events takes about as long as a request."""

LONGEST_PAGE: Final = 1_000
"""A page has at most this many events."""


Cause = Literal["move", "bot", "timeout", "auto", "operator"]
OfParts = Mapping[str, Mapping[str, Digest]]
Seals = Annotated[OfParts, says("For each secret field and reader, the seal.")]
Keys = Annotated[OfParts | UnsetType, says("The keys of the seals that you may open.")]
Disclosed = Annotated[
    Mapping[str, Mapping[str, Any]] | UnsetType,
    says("Secrets that a later event disclosed: the value of each field for each of its readers."),
]


class EventAnswer(Answer):
    """An event says what has happened, with the fields that you may see.

    `docs/proof.md` says how seals and digests are checked.
    """

    v: Annotated[int, says("The version of the event's own schema.")]
    seq: Annotated[Ordinal, says("The number of the event in the match, from 1.")]
    commit: Annotated[Ordinal, says("The first event of the same move.")]
    type: Annotated[str, says("The type of the event.", examples=["CardPlayed"])]
    data: Annotated[Mapping[str, Any], says("The fields of the event that you may see.")]
    at: Annotated[Timestamp, says("When it happened.")]
    cause: Annotated[Cause, says("The cause: a player, a bot, a clock, the rules, or the operator.")]
    seals: Seals
    digest: Annotated[Digest, says("The digest of the event and of all before it, in hex.")]
    text: Annotated[
        str,
        says(
            "The event in one line of English, as you may know it; it is not part of the digest.",
            examples=["Seat 2 plays QS."],
        ),
    ]
    unseal: Keys = UNSET
    disclosed: Disclosed = UNSET
    signed: Annotated[
        SignedHeadAnswer | UnsetType,
        says("With the last event that there is: its digest as the head of the match, with the server's signature."),
    ] = UNSET


class EventsQuery(SeatQuery, StreamQuery):
    after = number_field(0, LARGEST, 0, **doc("Only events after this version."))
    limit = number_field(1, LONGEST_PAGE, LONGEST_PAGE, **doc("How many at most, on a page of JSON."))
    wait = wait_field("How many seconds to wait for something new. At once when the match is over.")
    wanted = fields_parameter(EventAnswer)


class EventPageAnswer(Answer):
    """A page of a feed, with the game that it is about."""

    game: Annotated[str, says("The name of the game.")]
    items: Annotated[list[EventAnswer], says("The events, in order.")]
    next: Annotated[Count, says("Send it as `after`.")]


GREETING: Final = "the events of a match, until it is over"
CUT: Final = json.encode(
    EventAnswer(
        v=1,
        seq=6,
        commit=1,
        type="CardCut",
        data={"card": "4S", "seat": 0},
        at="2026-11-21T10:00:00.000Z",
        cause="auto",
        seals={},
        digest="e3fd37cdd22155e43fec061ef6d666f84102a266358bfb710de7cdbb0d9e3da6",
        text="Seat 0 cuts 4S.",
    )
)
"""An event, as an example."""
TOLD: Final = text(
    example="""\
Hearts: match 8n9y4jktn4n1gzhahebf, playing, 6 events

Three cards go left, right, across, and then none. The two of clubs is led. Hearts are open after a trick
with one. Hearts cost 1, QS 13, JD -10. Who takes all hearts, QS and JD has 0 points, each other
seat 26. Once somebody has 100, the lowest total wins, and a tie shares the win.

  Seat 0: Ann
  Seat 1: steady bot
  Seat 2: steady bot
  Seat 3: steady bot

What seat 0 may know:

2026-11-21, times in UTC
1  10:00:00  A Hearts match with 4 seats is created.
2  10:00:00  Shuffles committed; verifiable later: \
4228ed9602f3cafa05504a481f34beabb7a31a805d28f4b39c2468cff0c2ad64.
3  10:00:00  Seat 0 joins the table.
4  10:00:00  The match starts: seat 0 is a player, seat 1 is a bot (steady), \
seat 2 is a bot (steady), seat 3 is a bot (steady).

5  10:00:00  Game 1 begins.
6  10:00:00  Seat 0 cuts 4S.
""",
    description="The game and its players, then a line for each event and a paragraph for each hand.",
)


@bp.get("")
@Operation(
    tag="history",
    access="optional",
    parameters=(MATCH_ID, INVITE, PREFER, LAST_EVENT_ID, IF_NONE_MATCH),
    query=EventsQuery(),
    replies={
        200: Reply(
            "The events.",
            {
                JSON: EventPageAnswer,
                NDJSON: text(CUT.decode() + "\n", "An Event on each line."),
                SSE: text(
                    stream_example(GREETING, ServerSentEvent(6, "CardCut", CUT)),
                    "`id` is the version, `event` the type, `data` an Event.",
                ),
                PLAIN: TOLD,
            },
            headers=(ETAG, PREFERENCE_APPLIED, UNBUFFERED),
        ),
        204: Reply("The match is over and you have all of it.", headers=(ETAG,)),
        304: NOT_MODIFIED,
    },
    refuses=("not_seated", "not_found", "another_history"),
)
def list_events(match_id: str) -> Response:
    """List events.

    Every event of the match, with the fields that you may see. `Accept` chooses the form: pages of JSON, the whole feed
    as lines of JSON (`application/x-ndjson`), readable text (`text/plain`), or server-sent events
    (`text/event-stream`). The stream ends when the match is over; its ids are versions, and `Last-Event-ID` is
    honoured. Resuming a stream that has ended returns 204, which tells clients to stop. If the server has no free place
    for a stream, it ends immediately, and `retry` tells you when to try again. Resuming after an event that is not here
    returns 409 `another_history`: your history is not that of this server.
    """
    form = request.accept_mimetypes.best_match(FORMS)
    who, context = request_caller(), app_state().context
    seen = views.see_match(context, match_id, who)
    asked = read_query(EventsQuery())
    seat, after, seconds = asked.get("seat"), asked["after"], seconds_to_wait(asked)

    def look() -> Seen:
        return (
            views.see_match(context, match_id, who)
            if seat is None
            else views.see_from_seat(context, match_id, who, seat)
        )

    if seat is not None:
        seen = look()
    if form == SSE:
        after = last_event_id(after)
    check_reached(after, seen.version)
    if form in (SSE, NDJSON, PLAIN):
        charge_for_events(seen.version - after, WRITTEN_PER_REQUEST)
    if form == SSE:
        return _stream(look, seen, after, asked)
    if form == NDJSON:
        return compress_if_disclosed(_whole(seen, after, asked), seen)
    if form == PLAIN:
        return compress_if_disclosed(
            _streamed(export_log(context, seen, seat_answers(seen.match), after), PLAIN, seen), seen
        )
    if seconds and after == seen.version and not seen.match.over:
        return answer_after(app_state().poller.match(seen.match_no, seen.version, seconds))
    return compress_if_disclosed(select_fields(_page(seen, after, asked["limit"]), asked), seen)


def compress_if_disclosed(response: Response, seen: Seen) -> Response:
    """Compress what is told of a match that is over, once all of it has been disclosed to everybody (decision 25)."""
    is_open = seen.match.over and replay.is_disclosed(app_state().context, seen.match_no, seen.match)
    return compress(response, is_kept=False) if is_open else response


def _page(seen: Seen, after: int, limit: int) -> Response:
    if client_has(seen.version):
        return confirm_preference(not_modified(seen.version))
    charge_for_events(min(limit, seen.version - after), WRITTEN_PER_REQUEST)
    items = raw_json_parts(
        _vouched(views.read_feed(app_state().context, seen, after, limit), app_state().keys, seen, after)
    )
    page = EventPageAnswer(seen.match.game.name, items, after + len(items))
    return confirm_preference(set_etag(json_answer(page), seen.version))


def _whole(seen: Seen, after: int, asked: Mapping[str, Any]) -> Response:
    events = _vouched(all_events(app_state().context, seen, after), app_state().keys, seen, after)
    lines = (event + b"\n" for event in select_fields_of_lines(events, asked))
    return _streamed(lines, NDJSON, seen)


def _vouched(events: Iterable[bytes], ring: KeyRing, seen: Seen, after: int) -> Iterator[bytes]:
    """Give events of a feed, the last that there is with the signature over the head."""
    for version, event in enumerate(events, after + 1):
        yield add_signed_head(event, sign_seen_head(ring, seen)) if version == seen.version else event


def all_events(context: Context, seen: Seen, after: int) -> Iterator[bytes]:
    """Give all events of a feed up to the version that was seen, page by page."""
    while after < seen.version:
        page = list(views.read_feed(context, seen, after, min(LONGEST_PAGE, seen.version - after)))
        yield from page
        after += len(page)


def _streamed(chunks: Iterator[bytes], form: str, seen: Seen) -> Response:
    response = Response(chunks, headers=FOR_THE_CALLER, content_type=f"{form}; charset=utf-8")
    return answer_if_changed(response, seen.version)


# --- Server-sent events ---------------------------------------------------------------------------------


def _stream(look: Callable[[], Seen], seen: Seen, after: int, asked: Mapping[str, Any]) -> Response:
    """Stream what is and what comes."""
    context, ring = app_state().context, app_state().keys

    def feed(seen: Seen) -> Feed:
        def events(after: int) -> Iterator[bytes]:
            return _vouched(all_events(context, seen, after), ring, seen, after)

        return Feed(seen.match_no, seen.version, seen.match.over, events)

    return stream_feed(GREETING, lambda: feed(look()), feed(seen), after, asked)
