"""This module notes every second that a process is at work. The time without such a beat is an outage (decision 34)."""

import logging
from collections.abc import Callable
from secrets import token_hex
from threading import Event, Lock, Thread, current_thread
from typing import Final

from domain.core.clock import Time
from events import times
from events.store.protocol import Store
from events.store.tables import outage_rows
from events.store.tables.outage_rows import Role

BEAT_SECONDS: Final = 1.0
STOP_SECONDS: Final = 2.0
"""The longest that a process which ends waits for the database, in seconds."""

log = logging.getLogger(__name__)


class UptimeBeats:
    """Notes once a second, in its own thread, that a process is at work, until the process ends."""

    def __init__(self, store: Store, role: Role, now: Callable[[], Time] = times.now) -> None:
        self._store = store
        self._role = role
        self._now = now
        self._process = token_hex(8)
        self._beating = Lock()
        self._stopping = Event()
        self._last = Thread(target=self._try, name="last beat", daemon=True)

    def start(self) -> None:
        """Beat now, which ends an outage, and from now on."""
        self._try()
        Thread(target=self._run, name="at work", daemon=True).start()

    def refuse_requests(self) -> None:
        """Beat a last time, without waiting for it. The process takes no new requests, so an outage begins."""
        if not self._stopping.is_set():
            self._stopping.set()
            self._last.start()

    def stop(self) -> None:
        """Beat a last time. A database that has fallen silent does not keep the process from ending."""
        self.refuse_requests()
        self._last.join(STOP_SECONDS)

    def beat(self) -> None:
        """Note that the process is at work, unless it is ending.

        Once that has failed it goes by another name: it was cut off meanwhile.
        """
        if self._stopping.is_set() and current_thread() is not self._last:
            return
        with self._beating:
            try:
                outage_rows.beat(self._store, self._now(), self._process, self._role)
            except Exception:
                self._process = token_hex(8)
                raise

    def _run(self) -> None:
        while not self._stopping.wait(BEAT_SECONDS):
            self._try()

    def _try(self) -> None:
        try:
            self.beat()
        except Exception as error:  # the database is away, of which others complain
            log.debug("no beat (%s)", type(error).__name__)
