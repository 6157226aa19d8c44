"""Warns in the log that due work is late, once each time that it becomes late.

The processes of one `dealt api` share a log, so they warn once between them. Those on another machine warn in their own
log: an operator should not have to know which of several logs has the warning.
"""

import logging
from mmap import mmap
from threading import Event, Thread
from typing import Final

from events import times
from events.errors import Unavailable
from events.service.worker_health import look_up_workers
from events.store.protocol import Store

LOOK_SECONDS: Final = 10.0

log = logging.getLogger(__name__)


def shared_warning_flag() -> mmap:
    """Return a byte of shared memory for the processes forked later: 1 once the warning was given."""
    return mmap(-1, 1)


class LateWorkAlarm:
    """Check every ten seconds, in its own thread, whether due work is late; `warned` is from `shared_warning_flag`."""

    def __init__(self, store: Store, warned: mmap) -> None:
        self._store = store
        self._warned = warned
        self._stopping = Event()

    def start(self) -> None:
        """Begin to look."""
        Thread(target=self._run, name="late-work-alarm", daemon=True).start()

    def stop(self) -> None:
        """Stop watching."""
        self._stopping.set()

    def look(self) -> None:
        """Warn if work has become late."""
        try:
            found = look_up_workers(self._store, times.now())
        except Unavailable:  # the store has logged it
            return
        if found.is_late and not self._warned[0]:
            self._warned[0] = 1
            log.warning(
                "due work is %d s late, and followers are up to %d s behind:"
                " %d schedulers and %d workers are running, and the broker is %s",
                found.late_ms // 1000,
                max(found.behind_ms.values()) // 1000,
                found.schedulers,
                found.workers,
                found.broker,
            )
        if not found.is_late:
            self._warned[0] = 0

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            self.look()
