"""The two clients, which differ only in how they wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from dealt_client.async_operations import AsyncOperations
from dealt_client.calls import Attempts, Call, content_of
from dealt_client.errors import Refused
from dealt_client.operations import Operations
from dealt_client.streams import SILENCE, StreamMessage, StreamReader
from dealt_client.turns import Waiting, loop_over

if TYPE_CHECKING:
    from dealt_client.models import Move, MoveMade

ATTEMPTS = 8
TIMEOUT = httpx.Timeout(60.0, connect=10.0)
"""More than the seconds for which the server holds a request."""

STREAM_TIMEOUT = httpx.Timeout(SILENCE, connect=10.0)
NO_MORE = 204
"""The status of a stream that has ended."""


@dataclass(frozen=True)
class Turn(Waiting):
    """Your turn in a match."""

    client: Client

    def play(self, move: Move) -> MoveMade:
        """Make a move, and return what happened."""
        return self.client.make_move(self.match_id, move)


class Client(Operations):
    """A client of the server at an address, such as `https://cards.example.org`.

    A request without an answer is sent again if that is safe, and so is one that the server has no room for. Pass your
    own `httpx.Client` to set proxies, certificates or timeouts.
    """

    def __init__(
        self, address: str, token: str | None = None, *, attempts: int = ATTEMPTS, http: httpx.Client | None = None
    ) -> None:
        self.address = address
        self.token = token
        self.attempts = attempts
        self._http = http or httpx.Client(timeout=TIMEOUT)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def send(self, call: Call) -> httpx.Response:
        """Send a request until it is answered. Return the answer even if it is a refusal."""
        attempts, options = Attempts(call, self.attempts), call.options(self.address, self.token)
        while True:
            try:
                response = self._http.request(**options)
                pause = attempts.pause_after_answer(response)
            except httpx.TransportError as error:
                pause = attempts.pause_after_failure(error)
            if pause is None:
                return response
            time.sleep(pause)

    def turns(self, match_id: str | None = None) -> Iterator[Turn]:
        """Yield your turns: in one match until it is over, or in all your matches without an end.

        If you do not play a turn, it comes again when the match or the inbox has changed.
        """
        loop, response = loop_over(match_id), None
        with suppress(StopIteration):
            while True:
                step = loop.send(response)
                if isinstance(step, Waiting):
                    yield Turn(**vars(step), client=self)
                else:
                    response = self.send(step)

    def _call(self, call: Call) -> Any:
        return content_of(self.send(call))

    def _stream(self, call: Call) -> Iterator[StreamMessage]:
        reader, attempts = StreamReader(call.last_event_id), Attempts(call, self.attempts)
        while True:
            options = call.options(self.address, self.token, reader.last_event_id)
            try:
                with self._http.stream(**options, timeout=STREAM_TIMEOUT) as response:
                    pause = attempts.pause_after_answer(response)
                    if pause is None:
                        if response.status_code == NO_MORE:
                            return
                        if response.is_error:
                            response.read()
                            raise Refused(response)
                        for piece in response.iter_bytes():
                            for message in reader.feed(piece):
                                attempts.made = 0
                                yield message
                        pause = max(reader.retry, attempts.pause())
            except httpx.TransportError as error:
                pause = attempts.pause_after_failure(error)
            reader.restart()
            time.sleep(pause)


@dataclass(frozen=True)
class AsyncTurn(Waiting):
    """Your turn in a match."""

    client: AsyncClient

    async def play(self, move: Move) -> MoveMade:
        """Make a move, and return what happened."""
        return await self.client.make_move(self.match_id, move)


class AsyncClient(AsyncOperations):
    """The same client for coroutines."""

    def __init__(
        self, address: str, token: str | None = None, *, attempts: int = ATTEMPTS, http: httpx.AsyncClient | None = None
    ) -> None:
        self.address = address
        self.token = token
        self.attempts = attempts
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def send(self, call: Call) -> httpx.Response:
        """Send a request until it is answered. Return the answer even if it is a refusal."""
        attempts, options = Attempts(call, self.attempts), call.options(self.address, self.token)
        while True:
            try:
                response = await self._http.request(**options)
                pause = attempts.pause_after_answer(response)
            except httpx.TransportError as error:
                pause = attempts.pause_after_failure(error)
            if pause is None:
                return response
            await asyncio.sleep(pause)

    async def turns(self, match_id: str | None = None) -> AsyncIterator[AsyncTurn]:
        """Yield your turns: in one match until it is over, or in all your matches without an end.

        If you do not play a turn, it comes again when the match or the inbox has changed.
        """
        loop, response = loop_over(match_id), None
        with suppress(StopIteration):
            while True:
                step = loop.send(response)
                if isinstance(step, Waiting):
                    yield AsyncTurn(**vars(step), client=self)
                else:
                    response = await self.send(step)

    async def _call(self, call: Call) -> Any:
        return content_of(await self.send(call))

    async def _stream(self, call: Call) -> AsyncIterator[StreamMessage]:
        reader, attempts = StreamReader(call.last_event_id), Attempts(call, self.attempts)
        while True:
            options = call.options(self.address, self.token, reader.last_event_id)
            try:
                async with self._http.stream(**options, timeout=STREAM_TIMEOUT) as response:
                    pause = attempts.pause_after_answer(response)
                    if pause is None:
                        if response.status_code == NO_MORE:
                            return
                        if response.is_error:
                            await response.aread()
                            raise Refused(response)
                        async for piece in response.aiter_bytes():
                            for message in reader.feed(piece):
                                attempts.made = 0
                                yield message
                        pause = max(reader.retry, attempts.pause())
            except httpx.TransportError as error:
                pause = attempts.pause_after_failure(error)
            reader.restart()
            await asyncio.sleep(pause)
