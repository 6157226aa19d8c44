"""Sends the heartbeat of a process: it records in the database at short intervals that the process is alive.

A killed process falls silent. A scheduler notices, and releases the dead process's claims, so a crash delays work only
by seconds.
"""

import logging
import os
import secrets
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from threading import Event, Thread
from typing import Final

from domain.core.clock import Time
from events import times
from events.errors import Unavailable
from events.notify import claims
from events.store.protocol import Store
from events.store.tables import process_rows

BEAT_SECONDS: Final = 1.0
LIVES_SECONDS: Final = 3.0
"""The time without a beat after which a process counts as dead, in seconds."""
STOP_SECONDS: Final = 2.0
"""The longest that a process which ends waits for the database, in seconds."""
SCHEDULER: Final = "scheduler"
WORKER: Final = "worker"
SERVE: Final = "serve"

log = logging.getLogger(__name__)


def own_name() -> str:
    """Return the name of this process; a forked process has another name."""
    return _name(os.getpid())


@cache
def _name(pid: int) -> str:
    return f"{socket.gethostname()}:{pid}:{secrets.token_hex(4)}"


def _nothing() -> None:
    """Do nothing."""


class Heartbeat:
    """Runs in its own thread until it is stopped, and calls `after` after each beat that was in time.

    `trouble` returns the name of a service that the process cannot reach. `pace` is the seconds between beats: 1, or
    more for a process on which no other waits.
    """

    def __init__(
        self,
        store: Store,
        kind: str,
        after: Callable[[], None] = _nothing,
        trouble: Callable[[], str | None] = lambda: None,
        pace: float = 1.0,
    ) -> None:
        self._store = store
        self._kind = kind
        self._after = after
        self._trouble = trouble
        self._pace = pace
        self._stopping = Event()
        self._last: float | None = None
        self._thread = Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and release the claims of this process for others. Without the database, they expire later."""
        self._stopping.set()
        # A silent database does not prevent the process from ending.
        ending = Thread(target=self._end, name="last beat", daemon=True)
        ending.start()
        ending.join(STOP_SECONDS)

    def _end(self) -> None:
        with suppress(Unavailable):
            claims.end_own(self._store, own_name(), times.now())

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._beat()
            except Exception as error:  # the database is away, which other parts report
                log.debug("cannot write the heartbeat (%s)", type(error).__name__)
            self._stopping.wait(BEAT_SECONDS * self._pace)

    def _beat(self) -> None:
        now, last = time.monotonic(), self._last
        life_ms = int(1000 * LIVES_SECONDS * self._pace)
        process_rows.beat(self._store, own_name(), self._kind, life_ms, self._trouble())
        self._last = time.monotonic()
        # After an outage of the database, the others have not had time for a heartbeat either.
        if last is not None and now - last < LIVES_SECONDS * self._pace / 2 and self._last - now < BEAT_SECONDS:
            self._after()


class Reaper:
    """Releases the claims of dead processes. A scheduler calls it after each beat."""

    def __init__(self, store: Store, now: Callable[[], Time] = times.now) -> None:
        self._store = store
        self._now = now
        self._workers = 0

    def __call__(self) -> None:
        """Release the claims of dead processes; when the first worker appears, also all announced work."""
        if dead := claims.end_of_the_dead(self._store, self._now()):
            log.warning("released the work of dead processes: processes=%d", dead)
        workers = sum(process.kind != SCHEDULER for process in process_rows.read_living(self._store))
        if workers and not self._workers:
            claims.end_untaken(self._store, self._now())
        self._workers = workers
