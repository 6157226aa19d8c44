"""This module runs worker, dispatcher and notifier as threads in the process of `dealt serve`."""

import logging
import time
from collections.abc import Callable
from functools import partial
from threading import Event, Thread

from celery.worker import WorkController, state

from events.service.matches import Matches
from events.service.projections import due as outbox
from events.settings import Settings
from events.store.protocol import Store
from workers.app import CALL, MAIL, Publisher, celery_app, hostname
from workers.dispatcher import LONG_PAUSE, Dispatcher
from workers.in_process import BROKER, Transport
from workers.notifier import Notifier

log = logging.getLogger(__name__)


class Embedded:
    """This object holds the threads, over a store that belongs to the process.

    `wake` them after each commit that leaves work.

    `moved`, which may be set, is called after each of their own.
    """

    def __init__(self, settings: Settings, store: Store) -> None:
        self.moved: Callable[[], None] = lambda: None
        matches = Matches(store, woken=self.wake, lease_ms=outbox.LEASE_MS)
        # A function is wrapped in another, as `moved` may be set later.
        self._app = celery_app(settings, BROKER, lambda: matches, lambda: self.moved())  # noqa: PLW0108
        self._dispatcher = Dispatcher(store, Publisher(self._app), pause=LONG_PAUSE)
        word = Publisher(self._app)
        self._notifier = Notifier(store, settings, partial(word.send, CALL), partial(word.send, MAIL))
        self._stopping = Event()
        self._threads = [
            Thread(target=self._keep_up, args=(self._work,), name="worker", daemon=True),
            Thread(target=self._keep_up, args=(self._dispatcher.run,), name="dispatcher", daemon=True),
            Thread(target=self._keep_up, args=(self._notifier.run,), name="notifier", daemon=True),
        ]

    def wake(self) -> None:
        """Have the dispatcher look at once."""
        self._dispatcher.wake()

    def start(self) -> None:
        """Start the threads."""
        state.should_stop = None
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        """End the threads, a turn in hand first, if that does not take longer than this."""
        self._stopping.set()
        self._dispatcher.stop()
        self._notifier.stop()
        state.should_stop = 0  # type: ignore[assignment]  # Celery: to any exit code
        until = time.monotonic() + seconds
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < until:
            Transport.bell.set()  # more than once: a worker that is to stop waits a last time
            self._threads[0].join(0.02)

    def _work(self) -> None:
        self._app.set_current()  # for this thread, in which the tasks run
        WorkController(
            app=self._app, hostname=hostname(), pool_cls="solo", concurrency=1,
            without_gossip=True, without_mingle=True, without_heartbeat=True, task_events=False,
        ).start()  # fmt: skip

    def _keep_up(self, run: Callable[[], None]) -> None:
        """Run it again when it ends, also by an error, until all is to stop."""
        while not self._stopping.is_set():
            try:
                run()
            except BaseException:  # SystemExit too: the thread has to go on
                log.exception("%s failed", run.__name__)
            if not self._stopping.wait(0.5):
                log.warning("starting %s again", run.__name__)
