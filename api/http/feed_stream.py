"""Streams the events of a match or a tournament as server-sent events, until no more of them can come."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from flask import Response, request
from msgspec import Struct, json

from api.http.app_state import app_state
from api.http.auth import make_token_check
from api.http.change_poller import ChangePoller, Wait
from api.http.common_fields import LARGEST
from api.http.long_polling import CHECK_SECONDS, HEARTBEAT, ServerSentEvent, stream_answer
from api.http.openapi_operations import Parameter
from api.http.problems import Problem, wrong_fields
from api.http.responses import answer_if_changed, no_content
from api.http.sparse_fields import select_fields_of_lines
from domain.core.game import Refused
from domain.core.values import value
from events.errors import NotFound, Unavailable

LAST_EVENT_ID: Final = Parameter(
    "Last-Event-ID",
    "header",
    "For a stream: replaces `after`.",
    {"type": "string", "pattern": "^[0-9]{1,10}$"},
)


def last_event_id(after: int) -> int:
    """Return the number to continue from: that of the last event the client saw, if it is given."""
    last = request.headers.get("Last-Event-ID")
    if last is None:
        return after
    if not re.fullmatch(r"[0-9]{1,10}", last) or int(last) > LARGEST:
        raise wrong_fields({"Last-Event-ID": ["Send the `id` of the last event."]})
    return int(last)


_BEYOND: Final = (
    "You asked for events after {0}, but there are only {1}. Keep the last `digest` or signed head that you"
    " have as evidence, and read again without `after`."
)


def check_reached(after: int, version: int) -> None:
    """Check that the last event that the caller has read exists; otherwise the caller has another history."""
    if after > version:
        raise Problem("another_history", _BEYOND.format(after, version))


@value
class Feed:
    """A feed as a caller has just found it: the number of its stream, its version, and whether it has ended.

    `events` returns the events after a version as the caller may read them, each as JSON.
    """

    number: int
    version: int
    over: bool
    events: Callable[[int], Iterator[bytes]]


def stream_feed(greeting: str, look: Callable[[], Feed], found: Feed, after: int, asked: str | None = None) -> Response:
    """Stream past and future events; 204 if none can follow, so that clients stop reconnecting.

    `look` reads the feed again, without the request, which has ended by then. `asked` names the fields of each event.
    """
    if found.over and after == found.version:
        return no_content(found.version)
    news = _news(app_state().poller, look, make_token_check(), found, after)
    return answer_if_changed(stream_answer(greeting, _in_part(news, asked)), found.version)


def _in_part(news: Iterator[ServerSentEvent | Wait], asked: str | None) -> Iterator[ServerSentEvent | Wait]:
    for one in news:
        if isinstance(one, ServerSentEvent):
            (data,) = select_fields_of_lines([one.data], asked)
            yield one._replace(data=data)
        else:
            yield one


class _Kind(Struct):
    type: str


_kind: Final = json.Decoder(_Kind).decode


def _news(
    watch: ChangePoller, look: Callable[[], Feed], check: Callable[[], None], found: Feed, after: int
) -> Iterator[ServerSentEvent | Wait]:
    try:
        while True:
            for event in found.events(after):
                after += 1
                yield ServerSentEvent(after, _kind(event).type, event)
            if found.over:
                return
            yield watch.match(found.number, found.version, CHECK_SECONDS, HEARTBEAT)
            if watch.closed:
                return
            check()
            found = look()
            check_reached(after, found.version)
    except (Unavailable, NotFound, Refused, Problem):
        # The client reconnects automatically with its last id, if it still has access.
        return
