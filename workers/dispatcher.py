"""The dispatcher takes due work from the database and publishes it on the broker.

The rows in the database are the queue; a task on the broker only announces it (decision 2). What cannot be published
is given back at once, what was published and got lost is due again when its lease has run out. Any number of
dispatchers may run: no two claim the same row.

What waits on the broker can no longer be put in order, so no more is published than workers have shares for.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

from domain.core.clock import Time
from events import times
from events.notify import claims
from events.service import projections as outbox
from events.store import leases, tables
from events.store.pending_records import Due, Owed
from events.store.protocol import Store
from events.store.tables.pending_rows import PENDING
from workers.shares import Shares

BATCH: Final = 100
"""The most work that is claimed at a time: so little that it is done before its lease is over."""
PAUSE: Final = 0.04
"""The pause between two queries of a database that other processes write to, in seconds."""
LONG_PAUSE: Final = 5.0
"""The pause where every commit wakes the dispatcher, in seconds. It is the delay if a wake-up is lost."""
LONGEST_BACKOFF: Final = 1.0
"""The longest pause after a failure, in seconds: players wait."""
BOTS_ALONE: Final = 2
PRUNE_MS: Final = 3_600_000
TIMED: Final = frozenset({outbox.CLOCK, outbox.START})
"""The kinds of work that take something from players who were too late."""


class Lost(Exception):
    """A task could not be published; what was claimed has been given back."""


def _nothing() -> None:
    """Note nothing before work by time."""


class Dispatcher:
    """The dispatcher publishes due work.

    `pause` is the longest time between two queries, in seconds; `bots_alone` the most matches in which only bots play
    that workers have at the same time. `beat` notes that this process is at work; it is called before deadlines are
    settled, which waits until it is known that the server was not down when they were due.
    """

    def __init__(
        self,
        store: Store,
        publish: Callable[[Due], None],
        *,
        pause: float = PAUSE,
        now: Callable[[], Time] = times.now,
        bots_alone: int = BOTS_ALONE,
        beat: Callable[[], None] = _nothing,
    ) -> None:
        self._store = store
        self._shares = Shares(bots_alone)
        self._publish = publish
        self._pause = pause
        self._now = now
        self._lost = False
        self._pruned = Time(0)
        self._beat = beat
        self._beaten = Time(0)

    @property
    def trouble(self) -> str | None:
        """Say in a word what cannot be reached."""
        return "broker" if self._lost else None

    def look(self) -> float:
        """Publish what is due; says how many seconds to wait for more."""
        now = self._now()
        if abs(now - self._pruned) >= PRUNE_MS:
            tables.idempotency_rows.prune(self._store, now)
            tables.token_rows.prune(self._store, now)
            tables.outage_rows.merge_old(self._store, now)
            self._pruned = now
        taken = self.dispatch()
        if taken == BATCH:
            return 0.0
        if self._pause < LONG_PAUSE:
            return self._pause * random.uniform(0.6, 1.0)
        due = tables.pending_rows.next_due(self._store)
        if due is None:
            return self._pause
        # What is due already has to wait for what workers have.
        return PAUSE if due <= self._now() else min(self._pause, (due - self._now()) / 1000)

    def dispatch(self) -> int:
        """Claim what is due and publish it; says how much it was. Raises `Lost`."""
        claimed = tables.pending_rows.claim_due(self._store, self._now(), BATCH, choose=self._choose)
        try:
            leases.hand_on(self._store, PENDING, claimed, self._publish, self._now())
        except Exception as error:
            self._lost = True
            raise Lost(str(error)) from error
        if claimed and self._lost:
            # The broker may have lost what it held, and be the only one to know.
            claims.end_untaken(self._store, self._now())
            self._lost = False
        return len(claimed)

    def _choose(self, owed: Sequence[Owed]) -> list[Owed]:
        owed, now = self._without_unproven(owed), self._now()
        room = BATCH - tables.pending_rows.count_claimed(self._store, now)
        return (
            self._shares.choose(owed, tables.pending_rows.turns_at_work(self._store, now), room, now)
            if room > 0
            else []
        )

    def _without_unproven(self, owed: Sequence[Owed]) -> Sequence[Owed]:
        """Leave out deadlines at which the server may have been down, as far as is known."""
        latest = max((work.claimable_ms for work in owed if work.kind in TIMED), default=None)
        if latest is None:
            return owed
        if latest > self._beaten:
            self._beaten = self._now()
            self._beat()
        proven = tables.outage_rows.proven_until(self._store, self._now())
        return [work for work in owed if work.kind not in TIMED or proven is None or work.claimable_ms <= proven]
