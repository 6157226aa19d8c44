"""The feed of a match: as pages, as one long text, as a stream; waiting for what is new."""

from collections.abc import Callable, Iterator
from typing import Final

from flask import Blueprint, Response, request
from msgspec import Struct, json

from api.bodies import query
from api.here import here
from api.identity import caller
from api.present import JSON, raw, tagged
from api.problems import Problem
from api.schemas import EVENTS_PAGE, NO_INT, EventsQuery
from api.waiting import preferred, waiting
from events.matches import Caller, Matches, Seen
from events.store import Unavailable

bp = Blueprint("events", __name__, url_prefix="/v1/matches/<match_id>/events")

NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"
FORMS: Final = (JSON, NDJSON, SSE)
HEARTBEAT_SECONDS: Final = 15.0


@bp.get("")
def index(match_id: str) -> Response:
    """Give the feed in the form that the request asks for."""
    form = request.accept_mimetypes.best_match(FORMS)
    who = caller()
    seen = here().matches.see(match_id, who)
    asked = query(EventsQuery())
    after, seconds = asked["after"], waiting(asked)
    if form == SSE:
        return _stream(seen, who, _last_event_id(after))
    if form == NDJSON:
        return _whole(seen, after)
    if seconds and after >= seen.version and not seen.match.over:
        with here().watch.place():
            here().watch.match(seen.match_no, seen.version, seconds)
        seen = here().matches.see(match_id, who)
    return _page(seen, after, asked["limit"])


def _page(seen: Seen, after: int, limit: int) -> Response:
    items = list(here().matches.feed(seen, after, limit))
    body = b'{"items":[' + b",".join(items) + b'],"next":' + str(after + len(items)).encode() + b"}"
    return preferred(tagged(raw(body), seen.version))


def _whole(seen: Seen, after: int) -> Response:
    lines = (event + b"\n" for event in _all(here().matches, seen, after))
    return _streamed(lines, NDJSON, seen)


def _all(matches: Matches, seen: Seen, after: int) -> Iterator[bytes]:
    """Give all events up to the version that was seen, page by page."""
    while after < seen.version:
        page = list(matches.feed(seen, after, min(EVENTS_PAGE, seen.version - after)))
        yield from page
        after += len(page)


def _streamed(chunks: Iterator[bytes], form: str, seen: Seen) -> Response:
    response = Response(chunks, content_type=f"{form}; charset=utf-8")
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Vary"] = "Authorization, Accept"
    return tagged(response, seen.version)


# --- Server-sent events ---------------------------------------------------------------------------------


class _Kind(Struct):
    type: str


_kind: Final = json.Decoder(_Kind).decode


def _last_event_id(after: int) -> int:
    """Give the version to go on from: what the client saw last, where it says so."""
    last = request.headers.get("Last-Event-ID")
    if last is None:
        return after
    if not last.isascii() or not last.isdecimal() or int(last) > NO_INT:
        raise Problem("bad_arguments", errors={"Last-Event-ID": ["Send the `id` of the last event."]})
    return int(last)


def _stream(seen: Seen, who: Caller, after: int) -> Response:
    """Stream what is and what comes; nothing more to come ends a client's reconnecting (204)."""
    if seen.match.over and after >= seen.version:
        return Response(
            status=204, headers={"Cache-Control": "private, no-store", "Vary": "Authorization, Accept"}
        )
    watch = here().watch
    watch.enter()
    response = _streamed(_news(here().matches, watch.match, seen, who, after), SSE, seen)
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(watch.leave)
    return response


def _news(
    matches: Matches, wait: Callable[[int, int, float], bool], seen: Seen, who: Caller, after: int
) -> Iterator[bytes]:
    yield b": the events of a match, until it is over\n\n"
    try:
        while True:
            for event in _all(matches, seen, after):
                after += 1
                yield f"id: {after}\nevent: {_kind(event).type}\ndata: ".encode() + event + b"\n\n"
            if seen.match.over:
                return
            if not wait(seen.match_no, seen.version, HEARTBEAT_SECONDS):
                yield b": still here\n\n"
            seen = matches.see(seen.match_id, who)
    except Unavailable:
        return  # the client comes back by itself, with the last id it saw
