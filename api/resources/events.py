"""The feed of a match: as pages, as one long text, as a stream; waiting for what is new."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from flask import Blueprint, Response, request
from msgspec import Struct, json

from api.http.auth import caller, still
from api.http.bodies import query
from api.http.context import here
from api.http.present import FOR_THE_CALLER, JSON, nothing, raw, seated, tagged
from api.http.problems import Problem
from api.http.schemas import EVENTS_PAGE, NO_INT, EventsQuery
from api.http.waiting import preferred, waiting
from api.http.watch import Watch
from api.resources.export import told
from domain.core.game import Refused
from events.errors import NotFound, Unavailable
from events.service.matches import Matches
from events.service.views import Seen

bp = Blueprint("events", __name__, url_prefix="/v1/matches/<match_id>/events")

NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"
TEXT: Final = "text/plain"
FORMS: Final = (JSON, NDJSON, SSE, TEXT)
HEARTBEAT_SECONDS: Final = 15.0


@bp.get("")
def index(match_id: str) -> Response:
    """Give the feed in the form that the request asks for."""
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
    if form == TEXT:
        return _streamed(told(matches, seen, seated(seen.match), after), TEXT, seen)
    if seconds and after >= seen.version and not seen.match.over:
        with here().watch.place():
            here().watch.match(seen.match_no, seen.version, seconds)
        still()()
        seen = look()
    return _page(seen, after, asked["limit"])


def _page(seen: Seen, after: int, limit: int) -> Response:
    items = list(here().matches.feed(seen, after, limit))
    reached = min(after, seen.version) + len(items)
    body = b'{"items":[' + b",".join(items) + b'],"next":' + str(reached).encode() + b"}"
    return preferred(tagged(raw(body), seen.version))


def _whole(seen: Seen, after: int) -> Response:
    lines = (event + b"\n" for event in whole(here().matches, seen, after))
    return _streamed(lines, NDJSON, seen)


def whole(matches: Matches, seen: Seen, after: int) -> Iterator[bytes]:
    """Give all events of a feed up to the version that was seen, page by page."""
    while after < seen.version:
        page = list(matches.feed(seen, after, min(EVENTS_PAGE, seen.version - after)))
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
    if not re.fullmatch(r"[0-9]{1,10}", last) or int(last) > NO_INT:
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
        return  # the client comes back by itself, with the last id it saw; if it may still read
