"""Runs the processes of production: a worker with its children, and a scheduler."""

import gc
import logging
import os
import signal
import time
import warnings
from contextlib import suppress
from functools import cache
from threading import Event, Thread
from typing import Any, Final

from billiard import active_children
from celery import signals
from celery.apps.worker import Worker
from celery.exceptions import SecurityWarning

from events.service import projections as outbox
from events.service.context import Context
from events.service.uptime_beats import UptimeBeats
from events.settings import Settings
from events.store.opening import open_store
from workers.celery_app import celery_app, hostname
from workers.heartbeat import SCHEDULER, WORKER, Heartbeat, Reaper
from workers.scheduler import Scheduler

STOP_SECONDS: Final = 5.0
"""Maximum seconds in which a process finishes its current work after it was stopped."""

STOPPED: Final = "stopped during work, which another process will continue"

log = logging.getLogger(__name__)


def work(settings: Settings) -> int:
    """Run a worker until it is stopped; return its exit code."""

    @cache
    def context() -> Context:
        made = Context(open_store(settings.url, settings.dealt_connections), lease_ms=outbox.LEASE_MS)
        made.bot_ms = settings.dealt_bot_ms
        return made

    @cache
    def heartbeat() -> Heartbeat:
        return Heartbeat(context().store, WORKER)

    def forked(**_: Any) -> None:
        heartbeat().start()
        gc.collect()
        gc.freeze()

    def ends(**_: Any) -> None:
        heartbeat().stop()

    def stops(**_: Any) -> None:
        # Celery waits indefinitely for a task, even if the database is silent.
        Thread(target=_give_up, name="give up", daemon=True).start()

    # Celery warns about pickled tasks as root, which are refused here, and about its next version.
    warnings.simplefilter("ignore", SecurityWarning)
    logging.getLogger("py.warnings").setLevel(logging.ERROR)
    signals.worker_process_init.connect(forked, weak=False)
    signals.worker_process_shutdown.connect(ends, weak=False)
    signals.worker_shutting_down.connect(stops, weak=False)
    worker = Worker(
        app=celery_app(settings, settings.broker_url, context),
        hostname=hostname(),
        pool="prefork",
        concurrency=settings.dealt_processes,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        task_events=False,
        quiet=True,
        loglevel=settings.dealt_log,
    )
    worker.start()
    return int(worker.exitcode or 0)


def _give_up() -> None:
    """Kill this worker and its children if they are still running."""
    time.sleep(STOP_SECONDS)
    log.warning(STOPPED)
    for number in [child.pid for child in active_children() if child.pid]:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    logging.shutdown()
    os._exit(0)


def schedule(settings: Settings) -> None:
    """Run a scheduler until it is stopped."""
    store = open_store(settings.url, settings.dealt_connections)
    app = celery_app(settings, settings.broker_url, lambda: Context(store))
    at_work = UptimeBeats(store, "scheduler")
    scheduler = Scheduler(settings, store, app, at_work)
    threads = [Thread(target=poll.run, name=name, daemon=True) for name, poll in scheduler.polls.items()]
    heartbeat = Heartbeat(store, SCHEDULER, Reaper(store), scheduler.find_trouble)
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    for thread in threads:
        thread.start()
    heartbeat.start()
    at_work.start()
    stopping.wait()
    scheduler.stop()
    until = time.monotonic() + STOP_SECONDS
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    at_work.stop()
    heartbeat.stop()
    if any(thread.is_alive() for thread in threads):
        # Waiting for a silent database ends with the process.
        log.warning(STOPPED)
        return
    scheduler.close()
    store.close()
