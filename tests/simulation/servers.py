"""The servers of a simulation: stores, a scheduler, a broker, workers, and their failures.

The code is the real one, down to the database. Only two parts are simulated: the broker, a list of messages that may be
late, duplicated or lost, and the worker process, which dies by an exception between two statements.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from sqlalchemy import event, select

from domain.core.clock import Time
from domain.core.monte_carlo import BRIEF
from events.ids import from_bytes
from events.service import create as creation
from events.service import deal_groups, lobby
from events.service import projections as outbox
from events.store.opening import open_store
from events.store.pending_records import Due
from events.store.protocol import Store
from events.store.schema.log_schema import due
from events.store.sqlite import SqliteStore
from events.store.tables import pending_rows
from events.store.tables.order_rows import ORDER
from tests.bound import Matches
from tests.simulation.timeline import DAY, HOUR, MINUTE, SECOND, Interval, Timeline
from tests.worked import worked
from workers.dispatcher import Dispatcher, Lost
from workers.tasks import bot_turn_tasks, deadline_tasks, order_tasks

TASKS: dict[str, Callable[[Matches, str], int]] = {outbox.BOT: bot_turn_tasks.play_bot_turns, ORDER: order_tasks.look}


class Killed(BaseException):
    """Stands for the death of a worker."""


@contextmanager
def seeded(rng: Random) -> Iterator[None]:
    """Derive ids and choices from a seed, and let bots think a number of steps, so that a year can be repeated."""
    with ExitStack() as stack:
        for part in (creation, lobby, deal_groups):
            stack.enter_context(patch.object(part, "new_id", lambda: from_bytes(rng.randbytes(20))))
        stack.enter_context(patch.object(bot_turn_tasks, "Random", lambda _: rng))
        stack.enter_context(patch.object(bot_turn_tasks, "timed_budget", lambda _: BRIEF))
        stack.enter_context(patch.object(bot_turn_tasks, "monotonic", lambda: 0.0))
        yield


def hasty(url: str) -> Store:
    """Open a store; for SQLite, one that does not wait for the disk, because no power is cut here."""
    store = open_store(url)
    if isinstance(store, SqliteStore):
        event.listen(store.engine, "connect", lambda driver, _: driver.execute("PRAGMA synchronous=OFF"))
    return store


class Worker:
    """A worker with its own store and memory; `doom` is the number of appends before its death."""

    def __init__(self, url: str, clock: Timeline, rng: Random) -> None:
        self.store = hasty(url)
        self._clock, self._rng = clock, rng
        self._append: Any = self.store.append
        self.store.append = self._mortal  # type: ignore[method-assign,assignment]
        self.met: Callable[[], None] = lambda: None
        self.doom: int | None = None
        self.written = True
        self.meanwhile: Callable[[], object] | None = None  # what another does before the first append
        self.reborn()

    def reborn(self) -> None:
        """Restart without any memory."""
        self.doom = None
        self.matches = Matches(self.store, now=self._clock, lease_ms=outbox.LEASE_MS, draw=self._rng.randbytes)

    def _mortal(self, *args: Any) -> Any:
        if (meanwhile := self.meanwhile) is not None:
            self.meanwhile = None
            self.met()
            meanwhile()
        if self.doom is not None:
            self.doom -= 1
            if self.doom < 0 and not self.written:
                raise Killed
        done = self._append(*args)
        if self.doom is not None and self.doom < 0:
            raise Killed
        return done


class Servers:
    """All servers. `outages` are the times without a scheduler heartbeat, `away` those in which the API was down."""

    def __init__(self, url: str, clock: Timeline, rng: Random, *, until: int) -> None:
        self.clock, self.rng = clock, rng
        self.store = hasty(url)
        self.api = [Matches(self.store, now=clock, draw=rng.randbytes) for _ in range(2)]
        self.workers = [Worker(url, clock, rng) for _ in range(3)]
        self.dispatcher = Dispatcher(self.store, self._publish, now=clock, beat=self._beat_now)
        self.up, self.api_up, self.broker_up = True, True, True
        self.beaten = clock.at
        self.outages: list[Interval] = []
        self.down: list[Interval] = []  # all times without a scheduler, short ones too
        self.no_broker: list[Interval] = []
        self.mishaps: dict[str, list[int]] = {}
        self.did: dict[str, int] = {}
        self.name = "scheduler 0"
        self.begun = clock.at
        self._beat_now()
        self._until = until
        self._plan(self._scheduler_falls, 2 * DAY, 12 * DAY)
        self._plan(self._broker_falls, DAY, 8 * DAY)
        self._plan(self._api_falls, 3 * DAY, 9 * DAY)

    def note(self, what: str) -> None:
        self.did[what] = self.did.get(what, 0) + 1

    # --- The scheduler --------------------------------------------------------------------------------------

    def beat(self) -> None:
        """Add a heartbeat for every second until now. Of the heartbeats in between, only the last leaves a trace."""
        last = self.beaten + (self.clock.at - self.beaten) // SECOND * SECOND
        if self.up and last > self.beaten:
            self.beaten = last
            worked(self.store, self.begun, self.beaten, self.name)

    def _beat_now(self) -> None:
        self.beaten = self.clock.at
        worked(self.store, self.begun, self.beaten, self.name)

    def next_look(self) -> int | None:
        """Return when the scheduler next finds something to do."""
        if not (self.up and self.broker_up):
            return None
        next_due = pending_rows.next_due(self.store)
        return None if next_due is None else max(next_due, self.clock.at)

    def look(self, at: int) -> None:
        """Let the scheduler publish what is due then."""
        self.clock.at = at + self.rng.randrange(40)
        self.beat()
        try:
            claimed = self.dispatcher.dispatch()
        except Lost:
            self.note("broker lost")
            self.broker_up = False
            for_ms = self.rng.choice([2 * SECOND, MINUTE, 20 * MINUTE])
            self.no_broker.append((self.clock.at, self.clock.at + for_ms))
            self.clock.then(self.clock.at + for_ms, self._broker_back)
        else:
            if not claimed:  # Matches of only bots wait while people play.
                waiting = self.store.read(select(due.c.kind).where(due.c.claimable_ms <= self.clock.at))
                assert {kind for (kind,) in waiting} <= {outbox.BOT}

    def _scheduler_falls(self) -> None:
        if self.up:
            self.beat()
            self.up = False
            for_ms = self.rng.choice([20 * SECOND, 59 * SECOND, 5 * MINUTE, 3 * HOUR, 9 * HOUR, DAY, 3 * DAY])
            if self.rng.random() < 0.4:
                self.api_up = False
            self.clock.then(self.clock.at + for_ms, self._scheduler_back)
        self._plan(self._scheduler_falls, 2 * DAY, 15 * DAY)

    def _scheduler_back(self) -> None:
        gap = (self.beaten, self.clock.at)
        self.down.append(gap)
        if gap[1] > gap[0]:
            self.outages.append(gap)
        self.up = self.api_up = True
        self.name = f"scheduler {len(self.down)}"
        self.begun = self.clock.at
        self._beat_now()
        self.note("scheduler back")

    def _broker_falls(self) -> None:
        self.broker_failing = True
        self._plan(self._broker_falls, DAY, 8 * DAY)

    broker_failing = False

    def _broker_back(self) -> None:
        self.broker_up = True

    def _api_falls(self) -> None:
        if self.api_up:
            self.api_up = False
            self.clock.then(self.clock.at + self.rng.choice([MINUTE, HOUR, 8 * HOUR]), self._api_back)
        self._plan(self._api_falls, 3 * DAY, 12 * DAY)

    def _api_back(self) -> None:
        self.api_up = self.api_up or self.up

    def _plan(self, what: Callable[[], None], soonest: int, latest: int) -> None:
        at = self.clock.at + self.rng.randrange(soonest, latest)
        if at < self._until:
            self.clock.then(at, what)

    # --- The broker -----------------------------------------------------------------------------------------

    def mishap(self, match_id: str, what: str) -> None:
        self.note(what)
        self.mishaps.setdefault(match_id, []).append(self.clock.at)

    def _publish(self, due: Due) -> None:
        if self.broker_failing:
            self.broker_failing = False
            raise ConnectionError("the broker is away")
        fate = self.rng.random()
        times = 2 if fate < 0.04 else 1
        if fate > 0.97:
            self.mishap(due.match_id, "word lost")
            return
        for _ in range(times):
            late = self.rng.randrange(2 * MINUTE) if 0.04 < fate < 0.08 else self.rng.randrange(5, 200)
            if late > 200:
                self.mishap(due.match_id, "word late")
            self.clock.then(self.clock.at + late, lambda: self._task(due))
        self.note(f"word of {due.kind}")

    # --- The workers ----------------------------------------------------------------------------------------

    def _task(self, due: Due) -> None:
        self.beat()
        fate, task = self.rng.random(), TASKS.get(due.kind, deadline_tasks.settle)
        worker = self.rng.choice(self.workers)
        dies = fate < 0.08
        if fate > 0.95:
            other = self.rng.choice([w for w in self.workers if w is not worker])
            worker.meanwhile = lambda: task(other.matches, due.match_id)
            worker.met = lambda: self.note("two workers at once")
        if dies:
            worker.doom, worker.written = self.rng.randrange(3), self.rng.random() < 0.5
        try:
            task(worker.matches, due.match_id)
        except Killed:
            self.mishap(due.match_id, f"worker killed {'after' if worker.written else 'before'} an append")
        worker.meanwhile = None
        if dies:
            worker.reborn()
            if self.rng.random() < 0.5:  # unacknowledged notices are delivered again
                self.clock.then(self.clock.at + self.rng.randrange(3 * SECOND), lambda: self._task(due))

    def now(self) -> Time:
        return self.clock()

    def close(self) -> None:
        """Disconnect from the databases."""
        self.store.close()
        for worker in self.workers:
            worker.store.close()
