"""Takes due work from the database and publishes it on the broker.

The rows in the database are the queue; a task on the broker only announces it (decision 2). Work that cannot be
published is given back immediately. Published work that got lost is due again when its lease has run out. Any number of
dispatchers may run: no two claim the same row.

Work on the broker can no longer be reordered, so the dispatcher publishes only as much as workers have shares for.
"""

import random
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from domain.core.clock import Time
from events import times
from events.notify import claims
from events.service import projections as outbox
from events.store import leases
from events.store.pending_records import Due, Owed
from events.store.protocol import Store
from events.store.tables import idempotency_rows, outage_rows, pending_rows, report_rows, token_rows
from events.store.tables.pending_rows import BOT, PENDING

OF_AN_OWNER: Final = 8
"""Maximum number of bots' turns in one owner's matches that workers have at the same time."""

PEOPLE_MS: Final = 1_000
"""The time for which people count as playing after a bot has answered one of them, in milliseconds."""

REST_MS: Final = 200
"""The pause between two turns of a bot-only match while people are playing, in milliseconds."""

REMEMBERED: Final = 10_000
"""Maximum number of owners whose last turn is remembered."""

Whose = tuple[str, bool]
"""The owner of a match, and whether only bots play in it."""


class Shares:
    """Chooses work. Workers have at most `bots_alone` turns of bot-only matches at a time."""

    def __init__(self, bots_alone: int) -> None:
        self._bots_alone = bots_alone
        self._taken: deque[int] = deque(maxlen=bots_alone)
        self._people_ms = -PEOPLE_MS
        self._served: dict[Whose, int] = {}
        self._round = 0

    def choose(self, owed: Sequence[Owed], at_work: Mapping[Whose, int], limit: int, now: int) -> list[Owed]:
        """Choose from the work that can be claimed at `now`, in milliseconds, sorted by its due time.

        `at_work` has the number of bots' turns in progress, by owner.
        """
        queues = self._queues(owed, at_work)
        first = self._in_turn({whose: queue for whose, queue in queues.items() if not whose[1]}, limit)
        if any(work.kind == BOT for work in first):
            self._people_ms = now
        then = {whose: queue for whose, queue in queues.items() if whose[1]}
        then_taken = self._in_turn(then, min(self._room(at_work, now), limit - len(first)))
        self._taken.extend([now] * len(then_taken))
        return first + then_taken

    def _room(self, at_work: Mapping[Whose, int], now: int) -> int:
        """Return the number of bot-only matches to take now; while people play, fewer than workers could handle."""
        busy = sum(n for (_, bots_alone), n in at_work.items() if bots_alone)
        if abs(now - self._people_ms) < PEOPLE_MS:
            busy = max(busy, sum(abs(now - taken) < REST_MS for taken in self._taken))
        return self._bots_alone - busy

    def _queues(self, owed: Sequence[Owed], at_work: Mapping[Whose, int]) -> dict[Whose, deque[Owed]]:
        """Return the work by owner, with at most as many bots' turns each as there is room for."""
        queues: defaultdict[Whose, deque[Owed]] = defaultdict(deque)
        turns: defaultdict[Whose, int] = defaultdict(int, at_work)
        for work in owed:
            whose = (work.owner, work.bots_alone)
            if work.kind == BOT:
                turns[whose] += 1
                if turns[whose] > OF_AN_OWNER:
                    continue
            queues[whose].append(work)
        return queues

    def _in_turn(self, queues: dict[Whose, deque[Owed]], most: int) -> list[Owed]:
        """Take one item from each queue in turn, beginning with the owner whose last turn is longest ago."""
        chosen: list[Owed] = []
        while queues and len(chosen) < most:
            whose = min(queues, key=lambda each: (self._served.get(each, 0), queues[each][0].claimable_ms))
            chosen.append(queues[whose].popleft())
            if not queues[whose]:
                del queues[whose]
            self._note(whose)
        return chosen

    def _note(self, whose: Whose) -> None:
        self._round += 1
        self._served.pop(whose, None)
        self._served[whose] = self._round
        if len(self._served) > REMEMBERED:
            del self._served[next(iter(self._served))]


BATCH: Final = 100
"""Maximum amount of work claimed at a time: small enough to be done before its lease is over."""
PAUSE: Final = 0.04
"""The pause between two queries of a database that other processes write to, in seconds."""
LONG_PAUSE: Final = 5.0
"""The pause if every commit wakes the dispatcher, in seconds. It is the delay after a lost wake-up."""
LONGEST_BACKOFF: Final = 1.0
"""The longest pause after a failure, in seconds: players wait."""
BOTS_ALONE: Final = 2
PRUNE_MS: Final = 3_600_000
TIMED: Final = frozenset({outbox.CLOCK, outbox.START})
"""The kinds of work that take something from players who were too late."""


class Lost(Exception):
    """A task could not be published; the claimed work was given back."""


def _nothing() -> None:
    """Do nothing."""


class Dispatcher:
    """Publishes due work.

    `pause` is the maximum time between two queries, in seconds. `bots_alone` is the maximum number of bot-only matches
    in work at the same time. `beat` sends this process's heartbeat before deadlines are settled: they must wait until
    it is known that the server was up when they were due.
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
        """Return the name of the unreachable service, in a word; None if there is none."""
        return "broker" if self._lost else None

    def look(self) -> float:
        """Publish all due work; return the seconds until the next query."""
        now = self._now()
        if abs(now - self._pruned) >= PRUNE_MS:
            idempotency_rows.prune(self._store, now)
            token_rows.prune(self._store, now)
            report_rows.prune_reports(self._store, now)
            outage_rows.merge_old(self._store, now)
            # An erasure leaves its data in the files while a transaction reads them.
            self._store.overwrite_deleted()
            self._pruned = now
        taken = self.dispatch()
        if taken == BATCH:
            return 0.0
        if self._pause < LONG_PAUSE:
            return self._pause * random.uniform(0.6, 1.0)
        due = pending_rows.next_due(self._store)
        if due is None:
            return self._pause
        # Due work must already be stored when the workers' tasks run.
        return PAUSE if due <= self._now() else min(self._pause, (due - self._now()) / 1000)

    def dispatch(self) -> int:
        """Claim due work and publish it; return the number of tasks. Raise `Lost`."""
        claimed = pending_rows.claim_due(self._store, self._now(), BATCH, choose=self._choose)
        try:
            leases.hand_on(self._store, PENDING, claimed, self._publish, self._now())
        except Exception as error:
            self._lost = True
            raise Lost(str(error)) from error
        if claimed and self._lost:
            # The broker may have lost its messages without anyone noticing.
            claims.end_untaken(self._store, self._now())
            self._lost = False
        return len(claimed)

    def _choose(self, owed: Sequence[Owed]) -> list[Owed]:
        owed, now = self._without_unproven(owed), self._now()
        room = BATCH - pending_rows.count_claimed(self._store, now)
        return self._shares.choose(owed, pending_rows.turns_at_work(self._store, now), room, now) if room > 0 else []

    def _without_unproven(self, owed: Sequence[Owed]) -> Sequence[Owed]:
        """Return the work without deadlines at which the server may have been down."""
        latest = max((work.claimable_ms for work in owed if work.kind in TIMED), default=None)
        if latest is None:
            return owed
        if latest > self._beaten:
            self._beaten = self._now()
            self._beat()
        proven = outage_rows.proven_until(self._store, self._now())
        return [work for work in owed if work.kind not in TIMED or proven is None or work.claimable_ms <= proven]
