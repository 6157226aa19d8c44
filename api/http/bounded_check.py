"""Runs a check in a separate thread, so that a check that hangs does not delay requests for long."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Final, Generic, TypeVar

T = TypeVar("T")

ANSWER_SECONDS: Final = 0.8
"""A check counts as failed after this time, in seconds, so that `/readyz` answers within one second."""


class BoundedCheck(Generic[T]):
    """Runs `check` once for all concurrent callers.

    While one run hangs, no other begins, and callers get an answer immediately.
    """

    def __init__(self, check: Callable[[], T], seconds: float = ANSWER_SECONDS) -> None:
        self._check = check
        self._seconds = seconds
        self._thread = ThreadPoolExecutor(1, "check")
        self._lock = Lock()
        self._run: Future[T] | None = None
        self._until = 0.0

    def result(self) -> T:
        """Return the check's result, or raise its exception. Raises `TimeoutError` if it takes too long."""
        with self._lock:
            if self._run is None or self._run.done():
                self._run, self._until = self._thread.submit(self._check), time.monotonic() + self._seconds
            run, until = self._run, self._until
        return run.result(max(0.0, until - time.monotonic()))
