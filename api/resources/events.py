"""Serves the feed of a match: as pages, as one long text, as a stream, or by waiting for news."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, cast

from flask import Blueprint, Response, request
from msgspec import UNSET, Meta, Raw, Struct, UnsetType, json

from api.http.app_state import here
from api.http.auth import INVITE, caller, still
from api.http.bodies import query
from api.http.operations import (
    ETAG,
    FORBIDDEN,
    JSON,
    MATCH_ID,
    NOT_FOUND,
    NOT_MODIFIED,
    PREFERENCE_APPLIED,
    UNBUFFERED,
    Answer,
    Count,
    Digest,
    Operation,
    Ordinal,
    Parameter,
    Reply,
    Timestamp,
    says,
)
from api.http.present import FOR_THE_CALLER, IF_NONE_MATCH, answer, nothing, tagged
from api.http.problems import Problem
from api.http.schemas import LARGEST, SeatQuery, number, said
from api.http.waiting import PREFER, preferred, wait_for, waiting
from api.http.watch import Watch
from api.resources.export import exported
from api.resources.match_answer import seated
from domain.core.game import Refused
from events.errors import NotFound, Unavailable
from events.service.matches import Matches
from events.service.views import Seen

bp = Blueprint("events", __name__, url_prefix="/v1/matches/<match_id>/events")

NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"
PLAIN: Final = "text/plain"
FORMS: Final = (JSON, NDJSON, SSE, PLAIN)
HEARTBEAT_SECONDS: Final = 15.0
LONGEST_PAGE: Final = 1_000
"""A page has at most this many events."""

LAST_EVENT_ID: Final = Parameter(
    "Last-Event-ID",
    "header",
    "For a stream, instead of `after`.",
    {"type": "string", "pattern": "^[0-9]{1,10}$"},
)


class EventsQuery(SeatQuery):
    after = number(0, LARGEST, 0, **said("Only events after this version."))
    limit = number(1, LONGEST_PAGE, LONGEST_PAGE, **said("How many at most, on a page of JSON."))
    wait = wait_for("How many seconds to wait for something new. At once when the match is over.")


Cause = Literal["move", "bot", "timeout", "auto"]
OfParts = Mapping[str, Mapping[str, Digest]]


class EventAnswer(Answer):
    """What has happened, with the fields that you may see; `docs/proof.md` says how seals and digests are checked."""

    v: Annotated[int, says("The version of the event's own schema.")]
    seq: Ordinal
    commit: Annotated[Ordinal, says("The first event of the same move.")]
    type: Annotated[str, Meta(examples=["CardPlayed"])]
    data: Mapping[str, Any]
    at: Timestamp
    cause: Cause
    seals: Annotated[OfParts, says("For each secret field and reader, the seal.")]
    digest: Digest
    text: Annotated[
        str,
        says(
            "The event in one line of English, as you may know it; it is not part of what is hashed.",
            examples=["Seat 2 plays QS."],
        ),
    ]
    unseal: Annotated[OfParts | UnsetType, says("The keys of the seals that you may open.")] = UNSET
    disclosed: Annotated[Mapping[str, Mapping[str, Any]] | UnsetType, says("What a later disclosure has opened.")] = (
        UNSET
    )


class EventPageAnswer(Answer):
    items: list[EventAnswer]
    next: Annotated[Count, says("Send it as `after`.")]


def written_events(found: Iterable[bytes]) -> list[EventAnswer]:
    """Put events into an answer: they are JSON already."""
    return cast("list[EventAnswer]", [Raw(event) for event in found])


@bp.get("")
@Operation(
    id="listEvents",
    tag="history",
    access="optional",
    parameters=(MATCH_ID, INVITE, PREFER, LAST_EVENT_ID, IF_NONE_MATCH),
    query=EventsQuery(),
    replies={
        200: Reply(
            "The events.",
            {
                JSON: EventPageAnswer,
                NDJSON: {"type": "string", "description": "An Event on each line."},
                SSE: {
                    "type": "string",
                    "description": "`id` is the version, `event` the type, `data` an Event.",
                },
                PLAIN: {
                    "type": "string",
                    "description": "What is played and by whom, then a line for each event, each hand a paragraph.",
                },
            },
            headers=(ETAG, PREFERENCE_APPLIED, UNBUFFERED),
        ),
        204: Reply("The match is over and you have all of it.", headers=(ETAG,)),
        304: NOT_MODIFIED,
    },
    refuses=(FORBIDDEN, NOT_FOUND),
)
def index(match_id: str) -> Response:
    """Read the events.

    Every event of the match, with the fields that you may see. `Accept` chooses the form: pages of JSON, the
    whole feed as lines of JSON (`application/x-ndjson`), the same told for people to read (`text/plain`), or a
    stream of server-sent events (`text/event-stream`) that ends when the match is over; its ids are versions,
    and `Last-Event-ID` is honoured. A stream that is taken up again after the end is answered 204, which tells
    clients to stop.
    """
    form = request.accept_mimetypes.best_match(FORMS)
    who, matches = caller(), here().matches
    seen = matches.see(match_id, who)
    asked = query(EventsQuery())
    seat, after, seconds = asked.get("seat"), asked["after"], waiting(asked)

    def look() -> Seen:
        return matches.see(match_id, who) if seat is None else matches.see_from(match_id, who, seat)

    if seat is not None:
        seen = look()
    if form == SSE:
        return _stream(look, seen, last_event_id(after))
    if form == NDJSON:
        return _whole(seen, after)
    if form == PLAIN:
        return _streamed(exported(matches, seen, seated(seen.match), after), PLAIN, seen)
    if seconds and after >= seen.version and not seen.match.over:
        with here().watch.place():
            here().watch.match(seen.match_no, seen.version, seconds)
        still()()
        seen = look()
    return _page(seen, after, asked["limit"])


def _page(seen: Seen, after: int, limit: int) -> Response:
    items = written_events(here().matches.feed(seen, after, limit))
    page = EventPageAnswer(items, min(after, seen.version) + len(items))
    return preferred(tagged(answer(page), seen.version))


def _whole(seen: Seen, after: int) -> Response:
    lines = (event + b"\n" for event in whole(here().matches, seen, after))
    return _streamed(lines, NDJSON, seen)


def whole(matches: Matches, seen: Seen, after: int) -> Iterator[bytes]:
    """Give all events of a feed up to the version that was seen, page by page."""
    while after < seen.version:
        page = list(matches.feed(seen, after, min(LONGEST_PAGE, seen.version - after)))
        yield from page
        after += len(page)


def _streamed(chunks: Iterator[bytes], form: str, seen: Seen) -> Response:
    response = Response(chunks, headers=FOR_THE_CALLER, content_type=f"{form}; charset=utf-8")
    return tagged(response, seen.version)


# --- Server-sent events ---------------------------------------------------------------------------------


class _Kind(Struct):
    type: str


_kind: Final = json.Decoder(_Kind).decode


def last_event_id(after: int) -> int:
    """Give the number to go on from: of what the client saw last, where it says so."""
    last = request.headers.get("Last-Event-ID")
    if last is None:
        return after
    if not re.fullmatch(r"[0-9]{1,10}", last) or int(last) > LARGEST:
        raise Problem("bad_arguments", errors={"Last-Event-ID": ["Send the `id` of the last event."]})
    return int(last)


def _stream(look: Callable[[], Seen], seen: Seen, after: int) -> Response:
    """Stream what is and what comes; nothing more to come ends a client's reconnecting (204)."""
    if seen.match.over and after >= seen.version:
        return nothing(seen.version)
    watch = here().watch
    watch.enter()
    response = _streamed(_news(here().matches, watch, look, still(), seen, after), SSE, seen)
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(watch.leave)
    return response


def _news(
    matches: Matches,
    watch: Watch,
    look: Callable[[], Seen],
    check: Callable[[], None],
    seen: Seen,
    after: int,
) -> Iterator[bytes]:
    yield b": the events of a match, until it is over\n\n"
    try:
        while True:
            for event in whole(matches, seen, after):
                after += 1
                yield f"id: {after}\nevent: {_kind(event).type}\ndata: ".encode() + event + b"\n\n"
            if seen.match.over:
                return
            heard = watch.match(seen.match_no, seen.version, HEARTBEAT_SECONDS)
            if watch.closed:
                return
            check()
            if not heard:
                yield b": still here\n\n"
            seen = look()
    except (Unavailable, NotFound, Refused, Problem):
        # The client comes back by itself, with the last id it saw; if it may still read.
        return
