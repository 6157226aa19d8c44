"""Lets the processes of one API share the figures that they measure."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

from events.settings import Settings

FILES = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable in which Prometheus's library finds the directory. It reads it when it is imported."""


@contextmanager
def shared_figures(given: Settings, processes: int) -> Iterator[Callable[[Any, Any], None]]:
    """Let the processes that are started meanwhile share their figures, if the server is measured.

    Yields what drops the gauges of a process that has ended, as a hook of gunicorn.
    """
    if not given.dealt_metrics_token or processes == 1:
        yield lambda _server, _worker: None
        return
    with TemporaryDirectory(prefix="dealt-metrics-") as directory:
        os.environ[FILES] = directory
        from prometheus_client.multiprocess import mark_process_dead

        yield lambda _server, worker: mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
