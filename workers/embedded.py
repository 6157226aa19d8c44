"""Runs a worker, a dispatcher and their companions as threads in the process of `dealt serve`."""

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from queue import Empty
from threading import Event, Thread
from typing import Any, ClassVar, Final

from celery.worker import WorkController, state
from kombu.transport import TRANSPORT_ALIASES, memory

from events.service import projections as outbox
from events.service.context import Context
from events.service.uptime_beats import UptimeBeats
from events.settings import Settings
from events.store.protocol import Store
from workers.celery_app import celery_app, hostname
from workers.dispatcher import LONG_PAUSE
from workers.heartbeat import SERVE, Heartbeat, Reaper
from workers.scheduler import Scheduler

BROKER: Final = "in-process://here"
"""The address of the broker of `dealt serve`."""

TRANSPORT_ALIASES["in-process"] = "workers.embedded:Transport"


class RingingChannel(memory.Channel):
    """A channel that sets the event of its transport when a message arrives."""

    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:
        super()._put(queue, message, **kwargs)
        Transport.bell.set()


class Transport(memory.Transport):
    """The transport of `dealt serve`. There is one worker, so there is one event."""

    Channel = RingingChannel
    bell: ClassVar[Event] = Event()

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Deliver a message, or wait for one. Raise `TimeoutError` if none arrives in time."""
        self.bell.clear()
        assert self.cycle is not None
        try:
            self.cycle.get(self._deliver)
        except Empty:
            if not self.bell.wait(timeout):
                raise TimeoutError from None


SWITCH_SECONDS: Final = 0.001
"""Seconds for which a computing thread keeps the others waiting: bots think while requests are answered."""
ALONE_PACE: Final = 20.0
"""Pace of the heartbeat of a server that runs as a single process: see `workers.heartbeat.Heartbeat`."""

log = logging.getLogger(__name__)


class Embedded:
    """The threads of a worker and its companions, over the store of the process.

    Call `wake` after each commit that leaves work. `at_work` sends the heartbeat of the process.

    `moved`, if set, is called after each commit of these threads.
    """

    def __init__(self, settings: Settings, store: Store, at_work: UptimeBeats) -> None:
        self.moved: Callable[[], None] = lambda: None
        context = Context(store, woken=self.wake, lease_ms=outbox.LEASE_MS)
        context.note_work = at_work.beat_after_freeze
        context.bot_ms = settings.dealt_bot_ms
        self._app = celery_app(settings, BROKER, lambda: context, self._done)
        # There is one worker: it plays one bot-only match at a time, and a person waits for at most that one.
        alone = replace(settings, dealt_bots_at_once=1)
        self._scheduler = Scheduler(alone, store, self._app, at_work, LONG_PAUSE, self._done)
        # This process has locked its directory, so no other process watches its heartbeat and can take over.
        self._heartbeat = Heartbeat(store, SERVE, Reaper(store), pace=1 if settings.database_url else ALONE_PACE)
        self._stopping = Event()
        parts = {"worker": self._work, **{name: poll.run for name, poll in self._scheduler.polls.items()}}
        self._threads = [
            Thread(target=self._keep_up, args=(name, run), name=name, daemon=True) for name, run in parts.items()
        ]

    def wake(self) -> None:
        """Make the dispatcher query immediately."""
        self._scheduler.wake()

    def _done(self) -> None:
        """Make the dispatcher query again, because the worker is free."""
        self.wake()
        self.moved()

    def start(self) -> None:
        """Start the threads."""
        sys.setswitchinterval(SWITCH_SECONDS)
        state.should_stop = None
        for thread in self._threads:
            thread.start()
        self._heartbeat.start()

    def stop(self, seconds: float = 1.0) -> None:
        """Stop the threads, after waiting up to `seconds` for the current turn."""
        self._stopping.set()
        self._scheduler.stop()
        state.should_stop = 0  # type: ignore[assignment]  # Celery: to any exit code
        until = time.monotonic() + seconds
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < until:
            Transport.bell.set()  # in a loop: a stopping worker may wait for another message
            self._threads[0].join(0.02)
        self._heartbeat.stop()

    def _work(self) -> None:
        self._app.set_current()  # this is for the thread that runs the tasks
        WorkController(
            app=self._app,
            hostname=hostname(),
            pool_cls="solo",
            concurrency=1,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            task_events=False,
        ).start()

    def _keep_up(self, name: str, run: Callable[[], None]) -> None:
        """Call `run` again whenever it ends, even by an error, until `stop`."""
        while not self._stopping.is_set():
            try:
                run()
            except BaseException:  # this includes SystemExit: the thread must continue
                log.exception("%s failed", name)
            if not self._stopping.wait(0.5):
                log.warning("restarting %s after it failed", name)
