"""Runs a check in a separate thread, so that a check that hangs does not delay requests for long."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Final, Generic, TypeVar

T = TypeVar("T")

ANSWER_SECONDS: Final = 0.8
"""Callers wait this long for a check, in seconds, so that `/readyz` answers within one second."""

RECENT_SECONDS: Final = 5.0
"""A slow check gives its last result for this time, in seconds: a busy server is not taken for one that hangs."""


class BoundedCheck(Generic[T]):
    """Runs `check` once for all concurrent callers.

    While one run is slow, no other begins, and callers get the last result if it is recent.
    """

    def __init__(
        self, check: Callable[[], T], seconds: float = ANSWER_SECONDS, recent_seconds: float = RECENT_SECONDS
    ) -> None:
        self._check = check
        self._seconds, self._recent_seconds = seconds, recent_seconds
        self._thread = ThreadPoolExecutor(1, "check")
        self._lock = Lock()
        self._run: Future[T] | None = None
        self._until = 0.0
        # The last result, and the time when it was there.
        self._last: tuple[T, float] | None = None

    def result(self) -> T:
        """Return the check's result, or raise its exception. Raises `TimeoutError` if it takes too long."""
        with self._lock:
            if self._run is None or self._run.done():
                self._run, self._until = self._thread.submit(self._find), time.monotonic() + self._seconds
            run, until = self._run, self._until
        try:
            return run.result(max(0.0, until - time.monotonic()))
        except TimeoutError:
            last = self._last
            if run.done() or last is None or time.monotonic() - last[1] > self._recent_seconds:
                raise
            return last[0]

    def _find(self) -> T:
        found = self._check()
        self._last = found, time.monotonic()
        return found
