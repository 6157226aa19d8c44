"""Works on requests in threads, in the order of a fair queue."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, Generic, TypeVar

from api.http.fair_queue import Asker, FairQueue

T = TypeVar("T")

STRETCH: Final = 4
"""Maximum ratio of elapsed time to processor time that counts as work.

On a busy machine, the same work takes longer. Waiting for a database or a process costs no processor time.
"""


def _nothing() -> None:
    pass


@dataclass(eq=False, slots=True)
class _Turn:
    """A turn that begins once the queue allows it; `called` notifies the waiting request."""

    called: "asyncio.Future[None]"
    has_begun: bool = False

    def begin(self) -> None:
        self.has_begun = True
        if not self.called.done():
            self.called.set_result(None)


class RequestThreads(Generic[T]):
    """Gives callers turns in `slots` threads. It belongs to one event loop."""

    def __init__(self, slots: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(slots, name)
        self._queue: FairQueue[_Turn] = FairQueue(slots)
        self._timer: asyncio.TimerHandle | None = None

    async def take(
        self,
        caller: Asker,
        work: Callable[[], T],
        seconds: float | None = None,
        begin: Callable[[], None] = _nothing,
    ) -> T:
        """Return the result of the work, which runs when the caller has its turn; `begin` is called right before.

        Raise `TimeoutError` if its turn does not begin within this many seconds.
        """
        loop = asyncio.get_running_loop()
        turn, done = _Turn(loop.create_future()), loop.create_future()
        self._queue.enter(caller, turn, loop.time())
        self._begin(loop)
        try:
            async with asyncio.timeout(seconds):
                await turn.called
        except BaseException:
            if turn.has_begun:
                self._end(loop, turn, 0.0)
            else:
                self._queue.leave(turn)
            raise
        begin()
        # The turn ends with the work, even if its client has disconnected.
        self._threads.submit(self._work, loop, turn, work, done)
        worked: T = await done
        return worked

    def counts(self) -> tuple[int, int]:
        """Return how many threads work, and how many requests wait for one."""
        return self._queue.counts()

    def run_uncounted(self, work: Callable[[], object]) -> None:
        """Do the work that belongs to no caller."""
        self._threads.submit(work)

    def _work(self, loop: asyncio.AbstractEventLoop, turn: _Turn, work: Callable[[], T], done: Any) -> None:
        began, used_before = time.monotonic(), time.thread_time()
        tell: tuple[Callable[..., None], object]
        try:
            tell = done.set_result, work()
        except BaseException as error:  # it belongs to the caller
            tell = done.set_exception, error
        used = min(time.monotonic() - began, STRETCH * (time.thread_time() - used_before))
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._worked, loop, turn, used, done, *tell)

    def _worked(
        self,
        loop: asyncio.AbstractEventLoop,
        turn: _Turn,
        used: float,
        done: "asyncio.Future[T]",
        tell: Callable[[Any], None],
        what: Any,
    ) -> None:
        self._end(loop, turn, used)
        if not done.done():
            tell(what)

    def _end(self, loop: asyncio.AbstractEventLoop, turn: _Turn, used: float) -> None:
        self._queue.end(turn, used, loop.time())
        self._begin(loop)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin the turns that can begin, and return when another can."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        for turn in self._queue.begin(loop.time()):
            turn.begin()
        if isfinite(seconds := self._queue.wait(loop.time())):
            self._timer = loop.call_later(seconds, self._begin, loop)
