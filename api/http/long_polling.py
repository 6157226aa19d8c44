"""Lets requests wait without a thread: `wait=N` in a query, the header `Prefer: wait=N`, and event streams.

A waiting view returns `answer_after`. The server begins the `Wait` that this answer yields first, uses no thread for
it, and continues with the answer at its end: it calls the view again, which checks the caller's rights again. A stream
yields a `Wait` whenever it has nothing to send.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Final, Literal, NamedTuple, cast

from flask import Flask, Response, current_app, request

from api.http.app_state import app_state
from api.http.auth import player_or_none
from api.http.change_poller import Wait
from api.http.openapi_operations import Parameter, operation_of
from api.http.record_reader import Faults, read_texts
from api.http.request_parsing import invalid_request, preference
from api.http.request_records import Request
from api.http.responses import FOR_THE_CALLER
from api.http.waiting_limits import RETRY_SECONDS
from domain.core.options import Omissible, Range

LONGEST: Final = 30
"""Maximum seconds that a request may wait."""

PREFER: Final = Parameter("Prefer", "header", "`wait=N` does what `wait` does.", example="wait=20")


Seconds = Omissible[Annotated[int, Range(0, LONGEST)]]
"""The field for the seconds that a request waits."""


class WaitQuery(Request):
    wait: Seconds = None
    """Seconds to wait for news."""


def seconds_to_wait(asked: int | None) -> int:
    """Return the seconds that the request may still wait, by the field `wait`. Raise 422 for more than 30."""
    seconds = _preferred_seconds() if asked is None else asked
    return 0 if has_waited() else seconds


def _preferred_seconds() -> int:
    preferred = preference("wait")
    if preferred is None:
        return 0
    try:
        return read_texts(WaitQuery, {"wait": preferred}).wait or 0
    except Faults as faults:
        raise invalid_request(faults) from None


def confirm_preference(response: Response) -> Response:
    """Report that the header `Prefer` was applied."""
    seconds = preference("wait")
    if seconds is not None and "wait" not in request.args:
        response.headers["Preference-Applied"] = f"wait={seconds}"
    return response


# --- Waiting for one answer -------------------------------------------------------------------------------

_WAITED: Final = "dealt.waited"


def has_waited() -> bool:
    """Return whether the current request has waited already."""
    return _WAITED in request.environ


def answer_after(wait: Wait) -> Response:
    """Answer the current request after the wait, by calling its view again. Raises 429 and 503."""
    return _Later(cast("Any", current_app)._get_current_object(), wait, _place())  # noqa: SLF001 -- Flask's own way


class _Later(Response):
    """The answer to a waiting request: its view is called again after the wait."""

    def __init__(self, app: Flask, wait: Wait, leave: Callable[[], None]) -> None:
        super().__init__()
        self._app, self._wait, self._leave = app, wait, leave

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        return cast("Iterator[bytes]", self._answer(environ, start_response))

    def _answer(self, environ: dict[str, Any], start_response: Any) -> Iterator[bytes | Wait]:
        try:
            yield self._wait
        finally:
            self._leave()
        answer = self._app.wsgi_app({**environ, _WAITED: True}, start_response)
        try:
            yield from answer
        finally:
            getattr(answer, "close", _nothing)()


def _nothing() -> None:
    pass


def _place() -> Callable[[], None]:
    known = player_or_none()
    return app_state().waiting_limits.take(known.player_id if known else None, request.remote_addr)


# --- Streams ----------------------------------------------------------------------------------------------

SSE: Final = "text/event-stream"

HEARTBEAT: Final = b": still here\n\n"

CHECK_SECONDS: Final = 60.0
"""Seconds between two checks of an idle stream that its reader still has access."""


class ServerSentEvent(NamedTuple):
    """An event with its type, its data as JSON and an id for resuming."""

    id: str | int
    type: str
    data: bytes


class StreamQuery(Request):
    events: Omissible[Literal["message"]] = None
    """`message`: omit `event` in a stream, so that one listener gets all messages."""


def stream_answer(greeting: str, news: Iterator[ServerSentEvent | Wait]) -> Response:
    """Answer with server-sent events, after a comment. Raises 429 and 503."""
    leave = _place()
    sent = _encode_events(greeting, news, named=request.args.get("events") != "message")
    response = Response(cast("Iterator[bytes]", sent), headers=FOR_THE_CALLER, content_type=f"{SSE}; charset=utf-8")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(leave)
    return response


def stream_example(greeting: str, *events: ServerSentEvent) -> str:
    """Write a stream as it is sent, for the description."""
    return b"".join(cast("Iterator[bytes]", _encode_events(greeting, iter(events), named=True))).decode()


def _encode_events(greeting: str, news: Iterator[ServerSentEvent | Wait], *, named: bool) -> Iterator[bytes | Wait]:
    yield f": {greeting}\n\n".encode()
    for one in news:
        if isinstance(one, Wait):
            yield one
        else:
            event = f"event: {one.type}\n" if named else ""
            yield f"id: {one.id}\n{event}data: ".encode() + one.data + b"\n\n"


def answer_refused_streams(app: Flask) -> None:
    """Make refused streams say when to retry: a browser stops retrying after any status other than 200."""

    @app.after_request
    def comes_back(response: Response) -> Response:
        if response.status_code in (429, 503) and _wants_stream():
            return reconnect_later(response)
        return response


def reconnect_later(refusal: Response) -> Response:
    """Return a stream that ends immediately, with the time to retry from the refusal's `Retry-After`."""
    seconds = refusal.headers.get("Retry-After", str(RETRY_SECONDS))
    code = cast("dict[str, str]", refusal.get_json())["code"]
    refusal.set_data(f": {code}\nretry: {seconds}000\n\n")
    refusal.status_code = 200
    refusal.content_type = f"{SSE}; charset=utf-8"
    refusal.headers["Retry-After"] = seconds
    refusal.headers["X-Accel-Buffering"] = "no"
    return refusal


def _wants_stream() -> bool:
    said = operation_of(current_app, request.endpoint)
    return bool(said and SSE in said.forms and request.accept_mimetypes.best_match(said.forms) == SSE)
