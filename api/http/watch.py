"""Lets any number of requests wait for news, for which one thread asks the database."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Condition, Event, Lock, Thread
from typing import Any, Final

from events.errors import Unavailable
from events.store import tables
from events.store.protocol import Store
from events.store.records import Turn
from events.talk import messages as talk

log = logging.getLogger(__name__)

PERIOD_SECONDS: Final = 0.1


class Full(Exception):
    """The largest allowed number of requests waits already."""


@dataclass(eq=False, slots=True)
class Waiter:
    """A waiter is a request that waits for a match, its chat or a player's inbox to differ from what it knows."""

    kind: str
    key: Any
    known: Any
    woken: Event = field(default_factory=Event)


class Watch:
    """A watch holds the waiting requests, and the thread that looks for news while there are any."""

    def __init__(self, store: Store, most: int, period: float = PERIOD_SECONDS) -> None:
        self._store = store
        self._most = most
        self._period = period
        self._places = 0
        self._waiters: set[Waiter] = set()
        self._lock = Lock()
        self._news = Condition(self._lock)
        self._hurry = False
        self._running = False
        self.closed = False

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take one of the places for requests that wait. Raises `Full`."""
        self.enter()
        try:
            yield
        finally:
            self.leave()

    def enter(self) -> None:
        """Take a place until `leave`. Raises `Full`."""
        with self._lock:
            if self._places >= self._most:
                raise Full
            self._places += 1

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self._places -= 1

    def match(self, match_no: int, version: int, seconds: float) -> bool:
        """Wait until the match is past this version; False if it is not after this many seconds."""
        return self._wait(Waiter("match", match_no, version), seconds)

    def inbox(self, player_id: str, known: tuple[Turn, ...], seconds: float) -> bool:
        """Wait until what waits for the player differs from what is known."""
        return self._wait(Waiter("inbox", player_id, known), seconds)

    def chat(self, match_no: int, changes: int, seconds: float) -> bool:
        """Wait until a match has another number of changes to its messages than this."""
        return self._wait(Waiter("chat", match_no, changes), seconds)

    def hurry(self) -> None:
        """Look for news now: something has just been written here."""
        with self._news:
            self._hurry = True
            self._news.notify()

    def close(self) -> None:
        """End all waiting, now and later: the process is about to end."""
        with self._lock:
            self.closed = True
            for waiter in self._waiters:
                waiter.woken.set()

    def _wait(self, waiter: Waiter, seconds: float) -> bool:
        with self._news:
            if self.closed:
                return False
            self._waiters.add(waiter)
            self._hurry = True
            self._news.notify()
            if not self._running:
                self._running = True
                Thread(target=self._look_on, name="watch", daemon=True).start()
        try:
            return waiter.woken.wait(seconds)
        finally:
            with self._lock:
                self._waiters.discard(waiter)

    def _look_on(self) -> None:
        """Look for news again and again; end once no request has waited for a while."""
        idle_since: float | None = None
        while True:
            with self._news:
                if not self._hurry:
                    self._news.wait(self._period)
                self._hurry = False
                waiters = list(self._waiters)
                if waiters:
                    idle_since = None
                elif idle_since is None:
                    idle_since = time.monotonic()
                elif time.monotonic() - idle_since > _IDLE_SECONDS:
                    self._running = False
                    return
            if waiters:
                self._look(waiters)

    def _look(self, waiters: list[Waiter]) -> None:
        try:
            for kind, ask in self._asks.items():
                of_kind = [w for w in waiters if w.kind == kind]
                if of_kind:
                    news = ask({w.key for w in of_kind})
                    for waiter in of_kind:
                        if news.get(waiter.key, _NOTHING[kind]) != waiter.known:
                            waiter.woken.set()
        except Unavailable:
            log.warning("The database cannot be asked for news")

    @property
    def _asks(self) -> dict[str, Callable[[Any], dict[Any, Any]]]:
        return {
            "match": partial(tables.streams.versions, self._store),
            "inbox": partial(tables.inbox.stamp, self._store),
            "chat": lambda match_nos: talk.changes(self._store, match_nos),
        }


_IDLE_SECONDS: Final = 5.0
_NOTHING: Final[dict[str, Any]] = {"match": 0, "inbox": (), "chat": 0}
