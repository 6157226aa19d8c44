"""This module runs the processes of production: a worker with its children, and a scheduler."""

import gc
import logging
import signal
import warnings
from contextlib import suppress
from functools import cache, partial
from threading import Thread
from typing import Any

from celery import signals
from celery.apps.worker import Worker
from celery.exceptions import SecurityWarning

from events.errors import Unavailable
from events.service.matches import Matches
from events.service.projections import due as outbox
from events.settings import Settings
from events.store.opening import open_store
from workers.app import CALL, MAIL, Publisher, celery_app, hostname
from workers.dispatcher import Dispatcher
from workers.notifier import Notifier

log = logging.getLogger(__name__)


def work(settings: Settings) -> int:
    """Run a worker until it is stopped; returns its exit code."""

    @cache
    def matches() -> Matches:
        return Matches(open_store(settings.url), lease_ms=outbox.LEASE_MS)

    def forked(**_: Any) -> None:
        gc.collect()
        gc.freeze()

    # Celery warns root of pickled tasks, which are refused here, and everybody of its next version.
    warnings.simplefilter("ignore", SecurityWarning)
    logging.getLogger("py.warnings").setLevel(logging.ERROR)
    signals.worker_process_init.connect(forked, weak=False)
    worker = Worker(
        app=celery_app(settings, settings.broker_url, matches), hostname=hostname(), pool="prefork",
        concurrency=settings.dealt_processes, without_gossip=True, without_mingle=True,
        without_heartbeat=True, task_events=False, quiet=True, loglevel=settings.dealt_log,
    )  # fmt: skip
    worker.start()
    return int(worker.exitcode or 0)


def schedule(settings: Settings) -> None:
    """Run a scheduler until it is stopped."""
    store = open_store(settings.url)
    app = celery_app(settings, settings.broker_url, lambda: Matches(store))
    publisher, word = Publisher(app), Publisher(app)
    dispatcher = Dispatcher(store, publisher)
    notifier = Notifier(store, settings, partial(word.send, CALL), partial(word.send, MAIL))
    notifying = Thread(target=notifier.run, name="notifier", daemon=True)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: dispatcher.stop())
    with suppress(Unavailable):  # the dispatcher will wait for it
        if not store.follow_is_sound():
            log.error("restored from another cluster: run `dealt migrate` before anything follows this database")
    log.info("dispatching")
    notifying.start()
    dispatcher.run()
    notifier.stop()
    notifying.join(5)
    publisher.close()
    word.close()
    store.close()
