"""This module runs a worker, and all that runs beside a dispatcher, as threads in the process of `dealt serve`."""

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Event, Thread
from typing import Final

from celery.worker import WorkController, state

from events.service import projections as outbox
from events.service.context import Context
from events.settings import Settings
from events.store.protocol import Store
from workers.celery_app import celery_app, hostname
from workers.dispatcher import LONG_PAUSE
from workers.heartbeat import SERVE, Heartbeat, Reaper
from workers.in_process import BROKER, Transport
from workers.scheduler import Scheduler

SWITCH_SECONDS: Final = 0.001
"""The time for which a thread that computes keeps the others waiting: bots think beside requests."""
ALONE_PACE: Final = 20.0
"""The pace of the heartbeat of a server that is alone: see `workers.heartbeat.Heartbeat`."""

log = logging.getLogger(__name__)


class Embedded:
    """This object holds the threads, over a store that belongs to the process.

    `wake` them after each commit that leaves work. `beat` notes that the process is at work.

    `moved`, which may be set, is called after each of their own.
    """

    def __init__(self, settings: Settings, store: Store, beat: Callable[[], None]) -> None:
        self.moved: Callable[[], None] = lambda: None
        context = Context(store, woken=self.wake, lease_ms=outbox.LEASE_MS)
        context.bot_ms = settings.dealt_bot_ms
        self._app = celery_app(settings, BROKER, lambda: context, self._done)
        # There is one worker: it has one match of bots at a time, and a person waits for no more than that.
        alone = replace(settings, dealt_bots_at_once=1)
        self._scheduler = Scheduler(alone, store, self._app, beat, LONG_PAUSE, self._done)
        # The directory of its own is locked: nobody else can wait for the death of this process.
        self._heartbeat = Heartbeat(store, SERVE, Reaper(store), pace=1 if settings.database_url else ALONE_PACE)
        self._stopping = Event()
        parts = {"worker": self._work, **{name: poll.run for name, poll in self._scheduler.polls.items()}}
        self._threads = [
            Thread(target=self._keep_up, args=(name, run), name=name, daemon=True) for name, run in parts.items()
        ]

    def wake(self) -> None:
        """Have the dispatcher look at once."""
        self._scheduler.wake()

    def _done(self) -> None:
        """Have the dispatcher look for what the worker, which is free now, does next."""
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
        """End the threads, a turn in hand first, if that does not take longer than this."""
        self._stopping.set()
        self._scheduler.stop()
        state.should_stop = 0  # type: ignore[assignment]  # Celery: to any exit code
        until = time.monotonic() + seconds
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < until:
            Transport.bell.set()  # more than once: a worker that is to stop waits a last time
            self._threads[0].join(0.02)
        self._heartbeat.stop()

    def _work(self) -> None:
        self._app.set_current()  # for this thread, in which the tasks run
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
        """Run it again when it ends, also by an error, until all is to stop."""
        while not self._stopping.is_set():
            try:
                run()
            except BaseException:  # SystemExit too: the thread has to go on
                log.exception("%s failed", name)
            if not self._stopping.wait(0.5):
                log.warning("starting %s again", name)
