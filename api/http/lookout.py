"""Warns in the log of an API process that due work is late, once each time that it becomes late."""

import logging
from threading import Event, Thread
from typing import Final

from events import times
from events.errors import Unavailable
from events.service.crew import crew
from events.store.protocol import Store

LOOK_SECONDS: Final = 10.0

log = logging.getLogger(__name__)


class Lookout:
    """The lookout looks at the pending work every ten seconds, in a thread of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._late = False
        self._stopping = Event()

    def start(self) -> None:
        """Begin to look."""
        Thread(target=self._run, name="lookout", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._stopping.set()

    def look(self) -> None:
        """Warn if work has become late."""
        try:
            found = crew(self._store, times.now())
        except Unavailable:  # which the store has logged
            return
        if found.is_late and not self._late:
            log.warning(
                "due work waits for %d s already: %d schedulers and %d workers live, and the broker is %s",
                found.late_ms // 1000,
                found.schedulers,
                found.workers,
                found.broker,
            )
        self._late = found.is_late

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            self.look()
