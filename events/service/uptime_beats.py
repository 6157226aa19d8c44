"""Records every second that a process is running. Time without such a beat is an outage (decision 34)."""

import logging
from collections.abc import Callable
from secrets import token_hex
from threading import Event, Lock, Thread, current_thread
from typing import Final

from domain.core.clock import Time
from events import times
from events.store.protocol import Store
from events.store.tables import outage_rows
from events.store.tables.outage_rows import STILL_MS, Role

BEAT_SECONDS: Final = 1.0
STOP_SECONDS: Final = 2.0
"""The longest time that an ending process waits for the database, in seconds."""
PATIENCE_SECONDS: Final = 0.5
"""The longest time that a call waits for another thread's beat, in seconds."""

log = logging.getLogger(__name__)


class UptimeBeats:
    """Records once a second, in its own thread, that a process is running, until the process ends."""

    def __init__(self, store: Store, role: Role, now: Callable[[], Time] = times.now) -> None:
        self._store = store
        self._role = role
        self._now = now
        self._process = token_hex(8)
        self._beating = Lock()
        self._latest: Time | None = None
        self._stopping = Event()
        self._last = Thread(target=self._try, name="last beat", daemon=True)

    def start(self) -> None:
        """Beat now, which ends an outage, and then every second."""
        self._try()
        Thread(target=self._run, name="at work", daemon=True).start()

    def refuse_requests(self) -> None:
        """Beat a last time, without waiting for it. The process takes no new requests, so an outage begins."""
        if not self._stopping.is_set():
            self._stopping.set()
            self._last.start()

    def stop(self) -> None:
        """Beat a last time. A silent database does not keep the process from ending."""
        self.refuse_requests()
        self._last.join(STOP_SECONDS)

    def beat(self) -> None:
        """Record that the process is running, unless it is ending.

        After a failure it uses another name, because it lost the database.
        """
        with self._beating:
            self._beat()

    def beat_after_freeze(self) -> None:
        """Beat now if the process was frozen. Call this before each request, commit and poll.

        An outage ends with the first beat after it. Deadlines that are shown or opened before that beat would move
        afterwards. A silent database delays at most one call: the others do not wait for its beat, and after a failed
        beat the thread sends the next one.
        """
        if self._was_frozen() and self._beating.acquire(timeout=PATIENCE_SECONDS):
            try:
                if self._was_frozen():
                    self._beat()
            except Exception as error:  # The database is unreachable, which other parts report.
                log.debug("cannot write the heartbeat (%s)", type(error).__name__)
            finally:
                self._beating.release()

    def _was_frozen(self) -> bool:
        latest = self._latest
        return latest is not None and self._now() - latest > STILL_MS

    def _beat(self) -> None:
        if self._stopping.is_set() and current_thread() is not self._last:
            return
        try:
            at = self._now()
            outage_rows.beat(self._store, at, self._process, self._role)
            self._latest = at
        except Exception:
            self._process, self._latest = token_hex(8), None
            raise

    def _run(self) -> None:
        while not self._stopping.wait(BEAT_SECONDS):
            self._try()

    def _try(self) -> None:
        try:
            self.beat()
        except Exception as error:  # The database is unreachable, which other parts report.
            log.debug("cannot write the heartbeat (%s)", type(error).__name__)
