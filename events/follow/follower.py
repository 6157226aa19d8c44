"""The generic follower reads all commits and remembers its position.

Any number of followers with the same name may run, in any number of processes. The handler's results for a page are
written in the transaction that moves the checkpoint, so each page takes effect once. A follower that is killed, or
finds the checkpoint moved, has written nothing.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from sqlalchemy import Connection

from domain.core.clock import Time
from events import times
from events.store.follow_records import Followed
from events.store.protocol import Store
from events.store.tables import checkpoint_rows

PAGE: Final = 300
"""Maximum commits per page."""

SKIP_MS: Final = 5_000
"""Interval at which a checkpoint moves to the end of the log if its handler wants nothing, in milliseconds."""

Write = Callable[[Connection], None]
"""Write what follows from a page, in the transaction that moves the checkpoint."""


class Handler(Protocol):
    """Handles commits. `name` is that of its checkpoint; a new name begins with the first commit."""

    @property
    def name(self) -> str: ...

    def wants_commits(self) -> bool:
        """Return whether commits are handled now. Commits written in the meantime are skipped."""

    def read(self, page: Sequence[Followed]) -> Write:
        """Read a page of commits of all streams, before the transaction begins; the page may be read again."""


class Follower:
    """Hands the log to a handler, from its stored checkpoint on."""

    def __init__(self, store: Store, handler: Handler, *, now: Callable[[], Time] = times.now) -> None:
        self._store = store
        self._handler = handler
        self._now = now
        self._skipped_ms = 0

    def step(self) -> int | None:
        """Handle the next page of the log; return its number of commits, or None if the handler wants nothing."""
        end = self._store.end() if self._now() - self._skipped_ms >= SKIP_MS else None
        if self._handler.wants_commits():
            return self._follow()
        if end is not None:
            before = checkpoint_rows.read_position(self._store, self._handler.name)
            self._move(before, max(before, end), lambda _: None)
            self._skipped_ms = self._now()
        return None

    def _follow(self) -> int:
        at = checkpoint_rows.read_position(self._store, self._handler.name)
        page = self._store.follow(at, PAGE)
        if page:
            self._move(at, page[-1].at, self._handler.read(page))
        return len(page)

    def _move(self, before: int, at: int, write: Write) -> None:
        """Move the checkpoint and write, in one transaction; do neither if another follower was faster."""

        def work(connection: Connection) -> None:
            if checkpoint_rows.move_position(connection, self._handler.name, before, at):
                write(connection)

        if at != before:
            self._store.write(work)
