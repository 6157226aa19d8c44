"""Reads a request before a thread works on it, and lets it wait without one (decision 19)."""

import asyncio
import logging
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from random import uniform
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final, cast

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from api.http import cors, page_safety
from api.http.auth import RECOGNISED
from api.http.callers import Callers
from api.http.fair_queue import Asker, Crowded
from api.http.fair_shares import FairShares
from api.http.logs import REQUEST, WHERE
from api.http.openapi_operations import operation_of
from api.http.pace import Pace
from api.http.places import RETRY_SECONDS
from api.http.prefix import prefix_of, without_prefix
from api.http.problems import Problem, answer
from api.http.request_ids import ENVIRON, HEADER, request_id
from api.http.turns import Turns
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
"""The maximum number of requests that wait for a thread; callers share them out."""

QUEUE_SECONDS: Final = 20.0
"""A request that has waited this long for a thread is refused."""

MOST_HELD_BYTES: Final = 64 << 20
"""The maximum size of all bodies of requests in memory, in bytes; further ones are in files. Callers share them out."""

MOST_FILES: Final = 32
"""The maximum number of concurrent requests whose body is in a file; callers share them out."""

REFUSE_SECONDS: Final = (3.0, 7.0)
"""A refusal for too many requests is given after a time between these, so that asking again at once costs little."""

MOST_BYTES_A_SECOND: Final = 8 << 20
"""The bodies of one network are read at most this fast."""

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


SHARE: Final = "Your address has too many requests here at once. Wait for their answers before you send more."
"""The detail of a refusal for too many requests or bodies of one network."""


class Unanswered(Exception):
    """The app has no answer to a request.

    408: it took too long. 429: its caller has its share already. 503: there is no room for it. 500: the app failed.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Vanished(Exception):
    """The client has gone."""


@dataclass(slots=True)
class Received:
    """A request's body has been received, or enough of it to show that it is too large."""

    caller: Asker
    body: IO[bytes]
    size: int = 0
    held: int = 0
    filed: bool = False
    whole: bool = False


class Front:
    """This is an ASGI app, made in the process that serves it."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        self._app = app
        self._prefix = prefix_of(settings.dealt_public_url)
        self.public = settings.dealt_public_url.rstrip("/")
        self._body_bytes = settings.dealt_max_body
        self._read_seconds = settings.dealt_read_seconds
        self._callers = Callers(settings.dealt_trusted_proxies)
        self._answering: Turns[Piece] = Turns(settings.dealt_threads, MOST_QUEUED, "answer")
        # What wakes all at once, such as a match with many spectators, is told beside the requests, not before them.
        self._going_on: Turns[Piece] = Turns(2, sys.maxsize, "go on")
        self._pace = Pace(MOST_BYTES_A_SECOND)
        self._held, self._filed = FairShares(MOST_HELD_BYTES), FairShares(MOST_FILES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        caller, recognised = self._callers.name(scope)
        body = cast("IO[bytes]", SpooledTemporaryFile(self._body_bytes))  # noqa: SIM115 -- closed below
        received = Received(caller, body)
        REQUEST.set(request_id(dict(scope["headers"]).get(_REQUEST_ID, b"").decode("latin-1")))
        try:
            has_body = await self._receive(scope, receive, received)
            asked = environ(scope, body, received.size if has_body else None)
            await self._answer(asked | {ENVIRON: REQUEST.get(), RECOGNISED: recognised}, received, send)
            if not received.whole:
                await self._linger(receive, caller)
        except Unanswered as error:
            self._free(received)
            await self._refuse(scope, receive, send, received, error.status)
        except Vanished:
            return
        finally:
            self._free(received)

    def _free(self, received: Received) -> None:
        """Free what holds a body."""
        received.body.close()
        if received.held:
            self._held.give_back(received.caller.network, received.held)
        if received.filed:
            self._filed.give_back(received.caller.network)
        received.held, received.filed = 0, False

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, received: Received, status: int) -> None:
        """Answer a request that does not reach the app."""
        if status == 429:
            await asyncio.sleep(uniform(*REFUSE_SECONDS))
        else:
            log.info("A request did not get to its end: %s", status)
        refusal = refused(status, self.public)
        if status in (429, 503) and dict(scope["headers"]).get(b"accept", b"").startswith(SSE.encode()):
            refusal = come_back(refusal)
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in refusal.headers]
        if not received.whole:
            headers.append(CLOSE)
        await _send(send, {"type": "http.response.start", "status": refusal.status_code, "headers": headers})
        await _send(send, {"type": "http.response.body", "body": refusal.get_data()})
        if not received.whole:
            await self._linger(receive, received.caller)

    async def _linger(self, receive: Receive, caller: Asker) -> None:
        """Throw away what is left of a body, so that its sender reads the answer before the connection ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                while (message := await receive()).get("more_body"):
                    await self._rest(caller, message)

    async def _rest(self, caller: Asker, message: Message) -> None:
        """Wait until more of the caller's bodies may be read."""
        now = asyncio.get_running_loop().time()
        if seconds := self._pace.note(caller.network, len(message["body"]), now):
            await asyncio.sleep(seconds)

    # --- Receiving --------------------------------------------------------------------------------------------

    async def _receive(self, scope: Scope, receive: Receive, received: Received) -> bool:
        """Read the body; says whether there is one. Raises `Unanswered` and `Vanished`."""
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
                        break
                    due.reschedule(until + received.size / BYTES_A_SECOND)
                    if more:
                        await self._rest(received.caller, message)
                received.whole = received.size <= most
        except TimeoutError:
            raise Unanswered(408) from None
        received.body.seek(0)
        return True

    def _keep(self, received: Received, chunk: bytes) -> None:
        """Put a piece of a body with the rest. Raises `Unanswered` if there is no room for it."""
        received.size += len(chunk)
        network = received.caller.network
        if received.size > self._body_bytes and not received.filed:
            _take(self._filed, network, 1)
            self._held.give_back(network, received.held)
            received.held, received.filed = 0, True
        if not received.filed:
            _take(self._held, network, len(chunk))
            received.held += len(chunk)
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
        call, started = AppCall(self._app, asked), False
        try:
            piece = await self._first(received.caller, call)
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
                piece = await self._going_on.take(received.caller, call.go_on, None)
        except Unanswered:
            raise
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
                self._going_on.beside(call.close)

    async def _first(self, caller: Asker, call: AppCall) -> Piece:
        """Return the first piece of an answer. Raises `Unanswered` if it cannot be worked on."""
        try:
            return await self._answering.take(caller, call.go_on, QUEUE_SECONDS)
        except TimeoutError:
            raise Unanswered(503) from None
        except Crowded as error:
            raise Unanswered(429 if error.by_caller else 503) from None


def _take(shares: FairShares, who: str, amount: int) -> None:
    """Take a part of what is shared out. Raises `Unanswered` if there is none."""
    if not shares.has_room(who, amount):
        raise Unanswered(429 if shares.held(who) else 503)
    shares.take(who, amount)


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


def refused(status: int, public: str, detail: str | None = None) -> Response:
    """Make the problem that answers a request which could not be read (4xx), or for which there is no room (5xx)."""
    problem = Problem(_CODES.get(status, "bad_request"), detail)
    if status == 429:
        problem = Problem("too_many_requests", SHARE, headers={"Retry-After": str(RETRY_SECONDS)})
    return answer_without_app(problem, public, status)


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
