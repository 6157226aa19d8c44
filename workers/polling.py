"""Runs the parts of a scheduler: each looks for work, waits and looks again, until it is stopped."""

import logging
import random
from collections.abc import Callable
from threading import Event
from typing import Final

LONGEST_BACKOFF: Final = 5.0
"""The longest pause after a failure, in seconds."""
TOGETHER: Final = 0.002
"""The time in which further wake-ups count as one, in seconds: a worker's commits follow each other quickly."""

log = logging.getLogger(__name__)


class Poll:
    """Calls `look`, which returns the seconds to wait, until it is stopped.

    It continues after failures, because the database or the broker may come back. The first of several failures
    is logged with the text of `failing` and the type of the exception. `note_work` is called before each look.
    """

    def __init__(
        self,
        look: Callable[[], float],
        failing: str,
        longest_backoff: float = LONGEST_BACKOFF,
        note_work: Callable[[], None] = lambda: None,
    ) -> None:
        self._look, self._failing, self._longest_backoff = look, failing, longest_backoff
        self._note_work = note_work
        self._woken = Event()
        self._stopping = Event()

    def wake(self) -> None:
        """Look immediately, because work was written."""
        self._woken.set()

    def stop(self) -> None:
        """Make `run` return soon."""
        self._stopping.set()
        self._woken.set()

    def run(self) -> None:
        """Look and wait repeatedly."""
        failures = 0
        while not self._stopping.is_set():
            self._woken.clear()
            try:
                self._note_work()
                wait = self._look()
            except Exception as error:
                if not failures:
                    what = type(error.__cause__ or error).__name__
                    log.warning("%s (%s), retrying until it works", self._failing, what)
                failures += 1
                backoff = min(self._longest_backoff, 0.1 * 2 ** min(failures, 10))
                self._stopping.wait(backoff * random.uniform(0.5, 1.0))
                continue
            if failures:
                log.info("recovered after failures=%d: %s", failures, self._failing)
                failures = 0
            if wait and self._woken.wait(wait):
                self._stopping.wait(TOGETHER)
