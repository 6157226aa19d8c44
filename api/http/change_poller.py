"""Polls the database, on one thread, for the changes that any number of requests wait for."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from threading import Condition, Lock, Thread
from typing import Any, Final, Literal

from events.errors import Unavailable
from events.service import inbox
from events.store.protocol import Store
from events.store.tables import stream_rows
from events.talk import messages as talk

log = logging.getLogger(__name__)

PERIOD_SECONDS: Final = 0.1
"""The polling interval of the database; it is also polled immediately after a write in this process."""

REST: Final = 9
"""The pause after a poll, as a multiple of its duration, so that many waiters cost at most a tenth of the time."""


@dataclass(eq=False, slots=True, kw_only=True)
class Wait:
    """Waits until a match, its chat or a player's inbox differs from the known state.

    It lasts at most `seconds`. A stream sends its `heartbeat` from time to time.
    """

    poller: "ChangePoller"
    kind: Literal["match", "chat", "inbox"]
    key: Any
    known: Any
    seconds: float
    heartbeat: bytes = b""

    def begin(self, wake: Callable[[], None]) -> None:
        """Wait until `end`; `wake` is called once, from any thread, when there is news or the process is to end."""
        self.poller.add(self, wake)

    def end(self) -> None:
        """Wait no longer."""
        self.poller.discard(self)


class ChangePoller:
    """Keep the waits, and the polling thread while there are any."""

    def __init__(self, store: Store, period: float = PERIOD_SECONDS) -> None:
        self._store = store
        self._period = period
        self._waits: dict[Wait, Callable[[], None]] = {}
        self._lock = Lock()
        self._news = Condition(self._lock)
        self._hurry = False
        self._running = False
        self.closed = False

    def match(self, match_no: int, version: int, seconds: float, heartbeat: bytes = b"") -> Wait:
        """Return a wait until the match is past this version."""
        return Wait(poller=self, kind="match", key=match_no, known=version, seconds=seconds, heartbeat=heartbeat)

    def inbox(self, player_id: str, known: inbox.Stamp, seconds: float, heartbeat: bytes = b"") -> Wait:
        """Return a wait until the player's inbox differs from the known one."""
        return Wait(poller=self, kind="inbox", key=player_id, known=known, seconds=seconds, heartbeat=heartbeat)

    def chat(self, match_no: int, changes: int, seconds: float, heartbeat: bytes = b"") -> Wait:
        """Return a wait until the number of changes to a match's messages differs from this."""
        return Wait(poller=self, kind="chat", key=match_no, known=changes, seconds=seconds, heartbeat=heartbeat)

    def hurry(self) -> None:
        """Poll now, after a write."""
        with self._news:
            self._hurry = True
            self._news.notify()

    def close(self) -> None:
        """End all waits, now and later: the process is about to end."""
        with self._lock:
            self.closed = True
            waking, self._waits = self._waits, {}
        for wake in waking.values():
            wake()

    def add(self, wait: Wait, wake: Callable[[], None]) -> None:
        """Begin a wait."""
        with self._news:
            if not self.closed:
                self._waits[wait] = wake
                self._hurry = True
                self._news.notify()
                if not self._running:
                    self._running = True
                    Thread(target=self._look_on, name="change-poller", daemon=True).start()
                return
        wake()

    def discard(self, wait: Wait) -> None:
        """End a wait."""
        with self._lock:
            self._waits.pop(wait, None)

    def _look_on(self) -> None:
        """Poll repeatedly; end after a while without waiting requests."""
        idle_since: float | None = None
        while True:
            with self._news:
                if not self._hurry:
                    self._news.wait(self._period)
                self._hurry = False
                waits = list(self._waits)
                if waits:
                    idle_since = None
                elif idle_since is None:
                    idle_since = time.monotonic()
                elif time.monotonic() - idle_since > _IDLE_SECONDS:
                    self._running = False
                    return
            if waits:
                began = time.monotonic()
                self._look(waits)
                time.sleep(min(_LONGEST_REST_SECONDS, REST * (time.monotonic() - began)))

    def _look(self, waits: list[Wait]) -> None:
        try:
            for kind, ask in self._asks.items():
                of_kind = [wait for wait in waits if wait.kind == kind]
                if of_kind:
                    now = ask({wait.key for wait in of_kind})
                    self._wake([w for w in of_kind if now.get(w.key, _NOTHING[kind]) != w.known])
        except Unavailable:  # the store has logged it
            return
        except Exception:  # waiting clients would hang if this thread ended
            log.exception("cannot look up changes for waiting requests")
            time.sleep(_LONGEST_REST_SECONDS)

    def _wake(self, waits: list[Wait]) -> None:
        with self._lock:
            waking = [wake for wait in waits if (wake := self._waits.pop(wait, None))]
        for wake in waking:
            wake()

    @property
    def _asks(self) -> dict[str, Callable[[Any], Mapping[Any, Any]]]:
        return {
            "match": partial(stream_rows.versions, self._store),
            "inbox": partial(inbox.inbox_stamps, self._store),
            "chat": partial(talk.changes, self._store),
        }


_IDLE_SECONDS: Final = 5.0
_LONGEST_REST_SECONDS: Final = 1.0
_NOTHING: Final[dict[str, Any]] = {"match": 0, "inbox": (), "chat": 0}
