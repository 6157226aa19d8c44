"""Reads a request before a thread works on it, and lets it wait without a thread (decision 19)."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from random import uniform
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final, TypeVar, cast

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from api.http import cors, page_security_headers
from api.http.app_state import state_of
from api.http.auth import RECOGNISED
from api.http.change_poller import Wait
from api.http.client_networks import KnownCallers, network_of
from api.http.connection_limits import UploadPace
from api.http.fair_queue import Asker
from api.http.fair_shares import FairShares, NoRoom
from api.http.log_setup import REQUEST, WHERE
from api.http.long_polling import SSE, reconnect_later
from api.http.openapi_operations import operation_of
from api.http.path_prefix import prefix_of, without_prefix
from api.http.problems import Problem, problem_answer
from api.http.request_ids import ENVIRON, HEADER, request_id
from api.http.request_threads import RequestThreads
from api.http.waiting_limits import RETRY_SECONDS
from api.http.wsgi_calls import AppCall, Piece, environ
from events.settings import Settings

log = logging.getLogger(__name__)

Scope = Mapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
T = TypeVar("T")

MOST_QUEUED: Final = 1_000
"""Maximum number of requests that wait for a thread."""

QUEUE_SECONDS: Final = 20.0
"""Seconds after which a request that waits for a thread is refused."""

MOST_HELD_BYTES: Final = 64 << 20
"""Maximum size of all request bodies in memory, in bytes; further ones are in files."""

MOST_FILES: Final = 64
"""Maximum number of concurrent requests with a body in a file, so that as many networks can send one each."""

REFUSE_SECONDS: Final = (3.0, 7.0)
"""Bounds of the delay of a 429, in seconds, so that immediate retries cost little."""

MOST_BYTES_A_SECOND: Final = 4 << 20
"""Maximum rate at which the bodies of one network are read, in bytes per second."""

BYTES_A_SECOND: Final = 65_536
"""Minimum rate of a body, in addition to the time that each request has."""

PAUSE_SECONDS: Final = 50.0
"""Seconds of a pause in a body after which it is refused. The host would end its wait after 60 seconds, without an
answer.
"""

HEALTH_THREADS: Final = {"/healthz": 1, "/readyz": 2}
"""Number of threads that answer health checks, by path."""

CLOSE: Final = (b"Connection", b"close")
"""The header that ends the connection after the answer."""

HEARTBEAT_SECONDS: Final = 10.0
"""Seconds between two heartbeats of an idle stream; a client that does not acknowledge them is lost."""

WRITE_SECONDS: Final = 30.0
"""Seconds without progress after which a client is cut off."""

LINGER_SECONDS: Final = 2.0
"""Seconds for which the rest of an unread body is discarded, so that its sender gets the answer."""


SHARE: Final = "Your address has too many open requests. Wait for their answers before you send more."
"""The detail of a 429 for too many requests or bodies of one network."""


class Unanswered(Exception):
    """The app has no answer to a request.

    408: it took too long. 429: its caller has used its share. 503: there is no room for it. 500: the app failed.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Vanished(Exception):
    """The client has disconnected."""


@dataclass(eq=False, slots=True)
class Received:
    """A request whose body is complete, partly received, or known to be too large."""

    caller: Asker
    task: "asyncio.Task[Any]"
    body: IO[bytes]
    size: int = 0
    filed: bool = False
    whole: bool = False
    has_begun: bool = False
    is_evicted: bool = False

    def evict(self) -> None:
        """Refuse this request, because its network holds the most."""
        self.is_evicted = True
        self.task.cancel()


class AsgiBridge:
    """An ASGI app, made in the process that serves it."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        self._app = app
        self._prefix = prefix_of(settings.dealt_public_url)
        self.public = settings.dealt_public_url.rstrip("/")
        self._body_bytes = settings.dealt_max_body
        self._read_seconds = settings.dealt_read_seconds
        self._callers = KnownCallers(settings.dealt_trusted_proxies)
        self._answering: RequestThreads[Any] = RequestThreads(settings.dealt_threads, "answer")
        # Notify many waiting requests, such as the spectators of a match, together with new requests and not before
        # them.
        self._going_on: RequestThreads[Piece] = RequestThreads(2, "go on")
        # Health checks have their own threads, so that a server without free threads can report it.
        self._health: Mapping[str, RequestThreads[Any]] = {
            path: RequestThreads(slots, path[1:]) for path, slots in HEALTH_THREADS.items()
        }
        self._pace = UploadPace(MOST_BYTES_A_SECOND)
        self._queued, self._held, self._filed = (
            FairShares(most, _newest_that_waits) for most in (MOST_QUEUED, MOST_HELD_BYTES, MOST_FILES)
        )

    def measure_load(self) -> None:
        """Record how many requests run and wait, if the server is measured."""
        if (state := state_of(self._app)) and state.metrics:
            state.metrics.note_load(*self._answering.counts(), state.waiting_limits.taken)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        caller, recognised = self._callers.name(scope)
        REQUEST.set(request_id(dict(scope["headers"]).get(_REQUEST_ID, b"").decode("latin-1")))
        try:
            with self._holding(caller) as received:
                has_body = await self._receive(scope, receive, received)
                asked = environ(scope, received.body, received.size if has_body else None)
                threads = self._health.get(without_prefix(scope["path"], self._prefix), self._answering)
                await self._answer(asked | {ENVIRON: REQUEST.get(), RECOGNISED: recognised}, received, send, threads)
                if not received.whole:
                    await self._linger(receive, caller)
        except Unanswered as error:
            await self._refuse(scope, receive, send, received, error.status)
        except Vanished:
            return

    async def refuse_unread(self, address: str | None, status: int, detail: str | None) -> Response:
        """Return the answer to a request that could not be read. It counts like any other of its network."""
        try:
            with self._holding(Asker(network_of(address))) as received:
                refuse = partial(refusal_problem, status, self.public, detail)
                refusal: Response = await self._first(received, refuse, self._answering)
                return refusal
        except Unanswered as error:
            if error.status == 429:
                await asyncio.sleep(uniform(*REFUSE_SECONDS))
            return refusal_problem(error.status, self.public)

    @contextmanager
    def _holding(self, caller: Asker) -> Iterator[Received]:
        """Count the resources of a request until its end. Raises `Unanswered` if it is evicted."""
        task = asyncio.current_task()
        assert task is not None
        body = cast("IO[bytes]", SpooledTemporaryFile(self._body_bytes))  # noqa: SIM115 -- closed below
        received = Received(caller, task, body)
        try:
            yield received
        except asyncio.CancelledError:
            # The client may have left at the same time.
            if not received.is_evicted or task.uncancel():
                raise
            raise Unanswered(429) from None
        finally:
            body.close()
            for shares in (self._queued, self._held, self._filed):
                shares.give_back(caller.network, received)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, received: Received, status: int) -> None:
        """Answer a request without calling the app."""
        if (state := state_of(self._app)) and state.metrics:
            state.metrics.count("refused", scope["method"], status, None)
        if status == 429:
            await asyncio.sleep(uniform(*REFUSE_SECONDS))
        else:
            log.info("A request could not be served and was answered with %s", status)
        refusal = refusal_problem(status, self.public)
        if status in (429, 503) and dict(scope["headers"]).get(b"accept", b"").startswith(SSE.encode()):
            refusal = reconnect_later(refusal)
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in refusal.headers]
        if not received.whole:
            headers.append(CLOSE)
        await _send(send, {"type": "http.response.start", "status": refusal.status_code, "headers": headers})
        await _send(send, {"type": "http.response.body", "body": refusal.get_data()})
        if not received.whole:
            await self._linger(receive, received.caller)

    async def _linger(self, receive: Receive, caller: Asker) -> None:
        """Discard the rest of a body, so that its sender reads the answer before the connection ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                while (message := await receive()).get("more_body"):
                    await self._rest(caller, message)

    async def _rest(self, caller: Asker, message: Message) -> float:
        """Wait until more of the caller's bodies may be read; return the seconds waited."""
        now = asyncio.get_running_loop().time()
        if seconds := self._pace.note(caller.network, len(message["body"]), now):
            await asyncio.sleep(seconds)
        return seconds

    # --- Receiving --------------------------------------------------------------------------------------------

    async def _receive(self, scope: Scope, receive: Receive, received: Received) -> bool:
        """Read the body; return whether there is one. Raises `Unanswered` and `Vanished`."""
        headers = dict(scope["headers"])
        length = int(headers.get(b"content-length", 0))
        if not length and b"transfer-encoding" not in headers:
            received.whole = True
            return b"content-length" in headers
        most = self._body_bytes if length <= self._body_bytes else self._most(scope)
        if length > most:
            received.size = length
            return True
        loop = asyncio.get_running_loop()
        until = loop.time() + self._read_seconds
        try:
            async with asyncio.timeout_at(min(until, loop.time() + PAUSE_SECONDS)) as due:
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Vanished
                    more = message["more_body"]
                    self._keep(received, message["body"])
                    if received.size > most:
                        most = self._most(scope)
                    if received.size > most:
                        break
                    if more:
                        # The client is not late: it is the server that pauses.
                        due.reschedule(None)
                        until += await self._rest(received.caller, message)
                    due.reschedule(min(until + received.size / BYTES_A_SECOND, loop.time() + PAUSE_SECONDS))
                received.whole = received.size <= most
        except TimeoutError:
            raise Unanswered(408) from None
        received.body.seek(0)
        return True

    def _keep(self, received: Received, chunk: bytes) -> None:
        """Add a piece to a body. Raises `Unanswered` if there is no room for it."""
        received.size += len(chunk)
        if received.size > self._body_bytes and not received.filed:
            _take(self._filed, received)
            self._held.give_back(received.caller.network, received)
            received.filed = True
        if not received.filed:
            _take(self._held, received, len(chunk))
        received.body.write(chunk)

    def _most(self, scope: Scope) -> int:
        """Return the maximum size of the body if it is larger than usual."""
        with suppress(HTTPException):
            endpoint, _ = self._app.url_map.bind("").match(without_prefix(scope["path"], self._prefix), scope["method"])
            said = operation_of(self._app, endpoint)
            if said and said.body and said.body.most_bytes:
                return said.body.most_bytes
        return self._body_bytes

    # --- Answering --------------------------------------------------------------------------------------------

    async def _answer(
        self, asked: dict[str, Any], received: Received, send: Send, threads: RequestThreads[Any]
    ) -> None:
        """Send the answer of the app."""
        call, started = AppCall(self._app, asked), False
        try:
            piece = await self._first(received, call.go_on, threads)
            while True:
                if call.status and not started:
                    started = True
                    headers = call.headers if received.whole else [*call.headers, CLOSE]
                    await _send(send, {"type": "http.response.start", "status": call.status, "headers": headers})
                if piece.data or piece.last:
                    await _send(send, {"type": "http.response.body", "body": piece.data, "more_body": not piece.last})
                if piece.last:
                    return
                if piece.wait:
                    await _wait(piece.wait, send)
                piece = await self._going_on.take(received.caller, call.go_on)
        except Unanswered:
            raise
        except TimeoutError:
            log.warning("A client read nothing of its answer for %d s; closed its connection", WRITE_SECONDS)
        except Exception as error:
            # The message of the error may contain a card or a token, so it is not logged.
            where = "".join(traceback.format_tb(error.__traceback__))
            log.error("Sending an answer failed with %s", type(error).__name__, extra={WHERE: where})  # noqa: TRY400
            if not started:
                raise Unanswered(500) from None
        finally:
            if not call.closed:
                self._going_on.run_uncounted(call.close)

    async def _first(self, received: Received, work: Callable[[], T], threads: RequestThreads[Any]) -> T:
        """Return the result of the work that begins an answer. Raises `Unanswered` if it fails."""

        def begin() -> None:
            received.has_begun = True
            self._queued.give_back(received.caller.network, received)

        _take(self._queued, received)
        try:
            worked: T = await threads.take(received.caller, work, QUEUE_SECONDS, begin)
        except TimeoutError:
            raise Unanswered(503) from None
        return worked


def _newest_that_waits(requests: Iterator[Received]) -> Received | None:
    """Return the first request that no thread works on yet."""
    return next((request for request in requests if not request.has_begun), None)


def _take(shares: FairShares[Received], received: Received, amount: int = 1) -> None:
    """Take a unit of a shared resource. Raises `Unanswered` if none is left."""
    try:
        shares.take(received.caller.network, received, amount)
    except NoRoom as error:
        raise Unanswered(429 if error.by_caller else 503) from None


async def _send(send: Send, message: Message) -> None:
    """Send a message; raise `TimeoutError` if the client does not accept it."""
    async with asyncio.timeout(WRITE_SECONDS):
        await send(message)


async def _wait(wait: Wait, send: Send) -> None:
    """Wait until there is news, or until the waiting time is over."""
    loop = asyncio.get_running_loop()
    woken = loop.create_future()
    until = loop.time() + wait.seconds

    def wake() -> None:
        loop.call_soon_threadsafe(_set, woken)

    wait.begin(wake)
    try:
        while not woken.done() and (left := until - loop.time()) > 0:
            await asyncio.wait((woken,), timeout=min(left, HEARTBEAT_SECONDS))
            if wait.heartbeat and not woken.done():
                await _send(send, {"type": "http.response.body", "body": wait.heartbeat, "more_body": True})
    finally:
        wait.end()


def _set(woken: "asyncio.Future[None]") -> None:
    if not woken.done():
        woken.set_result(None)


def refusal_problem(status: int, public: str, detail: str | None = None) -> Response:
    """Make the problem for a request that could not be read (4xx), or has no room (5xx)."""
    problem = Problem(_CODES.get(status, "bad_request"), detail)
    if status == 429:
        problem = Problem("too_many_requests", SHARE, headers={"Retry-After": str(RETRY_SECONDS)})
    return answer_without_app(problem, public, status)


def answer_without_app(problem: Problem, public: str, status: int | None = None) -> Response:
    """Return a problem as an answer outside the app, with the headers of all answers.

    `public` is the public address of the server.
    """
    refusal = problem_answer(problem, status, public)
    refusal.headers.update({**cors.HEADERS, **page_security_headers.HEADERS})
    refusal.headers[HEADER] = REQUEST.get() or request_id(None)
    return refusal


_REQUEST_ID: Final = HEADER.lower().encode()
_CODES: Final = {500: "internal_error", 501: "bad_request", 503: "unavailable"}
