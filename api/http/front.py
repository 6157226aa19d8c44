"""Reads a request before a thread works on it, and lets it wait without one (decision 19)."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final, cast

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from api.http import cors, page_safety
from api.http.logs import REQUEST, WHERE
from api.http.openapi_operations import operation_of
from api.http.prefix import prefix_of, without_prefix
from api.http.problems import Problem, answer
from api.http.request_ids import ENVIRON, HEADER, request_id
from api.http.waiting import SSE, come_back
from api.http.watch import Wait
from api.http.wsgi import AppCall, Piece, environ
from events.settings import Settings

log = logging.getLogger(__name__)

Scope = Mapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MOST_QUEUED: Final = 1_000
"""The maximum number of requests that wait for a thread; one more is refused."""

MOST_HELD_BYTES: Final = 64 << 20
"""The maximum size of all bodies of requests in memory, in bytes; further ones lie in files."""

MOST_FILES: Final = 32
"""The maximum number of concurrent requests whose body lies in a file."""

BYTES_A_SECOND: Final = 65_536
"""A body may arrive as slowly as this, beyond the time that each request has."""

CLOSE: Final = (b"Connection", b"close")
"""With this header the connection ends after the answer."""

HEARTBEAT_SECONDS: Final = 10.0
"""A stream with nothing to send shows this often that it lives; a client that does not confirm it is lost."""

WRITE_SECONDS: Final = 30.0
"""A client that has taken nothing for this long is cut off."""

LINGER_SECONDS: Final = 2.0
"""The rest of a body that is not read is thrown away for this long, so that its sender gets the answer."""


class Unanswered(Exception):
    """The app has no answer to a request: 408, it took too long; 503, there is no room for it; 500, the app failed."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Vanished(Exception):
    """The client has gone."""


@dataclass(slots=True)
class Received:
    """A request's body has been received, or enough of it to show that it is too large."""

    body: IO[bytes]
    size: int = 0
    held: int = 0
    filed: bool = False
    whole: bool = True


class Front:
    """This is an ASGI app, made in the process that serves it."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        self._app = app
        self._prefix = prefix_of(settings.dealt_public_url)
        self.public = settings.dealt_public_url.rstrip("/")
        self._body_bytes = settings.dealt_max_body
        self._read_seconds = settings.dealt_read_seconds
        self._most_begun = settings.dealt_threads + MOST_QUEUED
        self._answering = ThreadPoolExecutor(settings.dealt_threads, "answer")
        # What wakes all at once, such as a match with many spectators, is told beside the requests, not before them.
        self._waking = ThreadPoolExecutor(2, "wake")
        self._begun = self._held = self._filed = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        received = Received(cast("IO[bytes]", SpooledTemporaryFile(self._body_bytes)))  # noqa: SIM115 -- closed below
        REQUEST.set(request_id(dict(scope["headers"]).get(_REQUEST_ID, b"").decode("latin-1")))
        try:
            has_body = await self._receive(scope, receive, received)
            asked = environ(scope, received.body, received.size if has_body else None)
            await self._answer(asked | {ENVIRON: REQUEST.get()}, received, send)
            if not received.whole:
                await _linger(receive)
        except Unanswered as error:
            log.info("A request did not get to its end: %s", error.status)
            await _refuse(scope, send, refused(error.status, self.public))
            await _linger(receive)
        except Vanished:
            return
        finally:
            received.body.close()
            self._held -= received.held
            self._filed -= received.filed

    # --- Receiving --------------------------------------------------------------------------------------------

    async def _receive(self, scope: Scope, receive: Receive, received: Received) -> bool:
        """Read the body; says whether there is one. Raises `Unanswered` and `Vanished`."""
        headers = dict(scope["headers"])
        length = int(headers.get(b"content-length", 0))
        if not length and b"transfer-encoding" not in headers:
            return b"content-length" in headers
        most = self._body_bytes if length <= self._body_bytes else self._most(scope)
        if length > most:
            received.size, received.whole = length, False
            return True
        loop = asyncio.get_running_loop()
        until = loop.time() + self._read_seconds
        try:
            async with asyncio.timeout_at(until) as due:
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
                        received.whole = False
                        break
                    due.reschedule(until + received.size / BYTES_A_SECOND)
        except TimeoutError:
            raise Unanswered(408) from None
        received.body.seek(0)
        return True

    def _keep(self, received: Received, chunk: bytes) -> None:
        """Put a piece of a body with the rest; `Unanswered` if there is no room for it."""
        received.size += len(chunk)
        if received.size > self._body_bytes and not received.filed:
            self._held, received.held = self._held - received.held, 0
            if self._filed >= MOST_FILES:
                raise Unanswered(503)
            self._filed, received.filed = self._filed + 1, True
        if not received.filed:
            self._held, received.held = self._held + len(chunk), received.held + len(chunk)
            if self._held > MOST_HELD_BYTES:
                raise Unanswered(503)
        received.body.write(chunk)

    def _most(self, scope: Scope) -> int:
        """Give how many bytes the body may have where it is larger than is usual."""
        with suppress(HTTPException):
            endpoint, _ = self._app.url_map.bind("").match(without_prefix(scope["path"], self._prefix), scope["method"])
            said = operation_of(self._app, endpoint)
            if said and said.body and said.body.most_bytes:
                return said.body.most_bytes
        return self._body_bytes

    # --- Answering --------------------------------------------------------------------------------------------

    async def _answer(self, asked: dict[str, Any], received: Received, send: Send) -> None:
        """Send what the app answers."""
        if self._begun >= self._most_begun:
            raise Unanswered(503)
        call, pool, started = AppCall(self._app, asked), self._answering, False
        try:
            self._begun += 1
            try:
                piece = await _worked(pool, call)
            finally:
                self._begun -= 1
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
                    pool = self._waking
                piece = await _worked(pool, call)
        except TimeoutError:
            log.warning("A client took nothing of its answer for %d seconds", WRITE_SECONDS)
        except Exception as error:
            # What it said stays out of the log: it may be a card or a token.
            where = "".join(traceback.format_tb(error.__traceback__))
            log.error("An answer failed with %s", type(error).__name__, extra={WHERE: where})  # noqa: TRY400
            if not started:
                raise Unanswered(500) from None
        finally:
            if not call.closed:
                self._waking.submit(call.close)


def _worked(pool: Executor, call: AppCall) -> Awaitable[Piece]:
    return asyncio.get_running_loop().run_in_executor(pool, call.go_on)


async def _send(send: Send, message: Message) -> None:
    """Send a message; `TimeoutError` if the client does not take what it gets."""
    async with asyncio.timeout(WRITE_SECONDS):
        await send(message)


async def _wait(wait: Wait, send: Send) -> None:
    """Wait until there is news, or for as long as is to be waited."""
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


async def _refuse(scope: Scope, send: Send, refusal: Response) -> None:
    """Answer a request that does not reach the app."""
    if refusal.status_code == 503 and dict(scope["headers"]).get(b"accept", b"").startswith(SSE.encode()):
        refusal = come_back(refusal)
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in refusal.headers]
    headers.append(CLOSE)
    await _send(send, {"type": "http.response.start", "status": refusal.status_code, "headers": headers})
    await _send(send, {"type": "http.response.body", "body": refusal.get_data()})


def refused(status: int, public: str, detail: str | None = None) -> Response:
    """Make the problem that answers a request which could not be read (4xx), or for which there is no room (5xx)."""
    return answer_without_app(Problem(_CODES.get(status, "bad_request"), detail), public, status)


def answer_without_app(problem: Problem, public: str, status: int | None = None) -> Response:
    """Write a problem as the answer to what does not reach the app, with the headers that all answers have.

    `public` is the public address of the server.
    """
    refusal = answer(problem, status, public)
    refusal.headers.update({**cors.HEADERS, **page_safety.HEADERS})
    refusal.headers[HEADER] = REQUEST.get() or request_id(None)
    return refusal


_REQUEST_ID: Final = HEADER.lower().encode()
_CODES: Final = {500: "internal_error", 501: "bad_request", 503: "unavailable"}


async def _linger(receive: Receive) -> None:
    """Throw away what is left of a body, so that its sender reads the answer before the connection ends."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body"):
                pass
