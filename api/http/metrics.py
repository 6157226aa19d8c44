"""Measures the server for Prometheus. It is imported only if `DEALT_METRICS_TOKEN` is set: its library takes time.

With several API processes, each writes its figures to a shared directory, and the process that is asked adds them up.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from events.service.worker_health import ServerLoad

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper bounds of the histogram of answer times, in seconds."""

FILES: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable by which the processes of one server share a directory for their figures."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measurements of one API process."""

    registry: CollectorRegistry
    requests: Counter
    seconds: Histogram
    threads_busy: Gauge
    requests_queued: Gauge
    waiters: Gauge

    def count(self, endpoint: str, method: str, status: int, seconds: float | None) -> None:
        """Count an answered request; `seconds` is None if it waited for news, since waiting is no measure of speed."""
        self.requests.labels(endpoint, method, str(status)).inc()
        if seconds is not None:
            self.seconds.labels(endpoint).observe(seconds)

    def note_load(self, threads_busy: int, requests_queued: int, waiters: int) -> None:
        """Record the gauges of this process."""
        self.threads_busy.set(threads_busy)
        self.requests_queued.set(requests_queued)
        self.waiters.set(waiters)

    def exposition(self) -> bytes:
        """Return all figures in Prometheus's text format. Raises `Unavailable`."""
        return generate_latest(self.registry)


def make_metrics(read_load: Callable[[], ServerLoad]) -> Metrics:
    """Return the measurements of this process, with those of the server that `read_load` returns."""
    own = CollectorRegistry()
    metrics = Metrics(
        own,
        Counter("dealt_http_requests", "Answered requests.", ("operation", "method", "status"), registry=own),
        Histogram(
            "dealt_http_seconds",
            "Time to answer a request that did not wait for news.",
            ("operation",),
            registry=own,
            buckets=BUCKETS,
        ),
        *(
            Gauge(name, text, registry=own, multiprocess_mode="livesum")
            for name, text in (
                ("dealt_http_threads_busy", "Threads that are answering a request."),
                ("dealt_http_queued", "Requests that wait for a thread."),
                ("dealt_http_waiters", "Open streams, and requests that wait for news."),
            )
        ),
    )
    shared = own
    if FILES in os.environ:
        shared = CollectorRegistry()
        MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
    shared.register(LoadFigures(read_load))
    return Metrics(shared, *(getattr(metrics, name) for name in Metrics.__slots__[1:]))


class LoadFigures(Collector):
    """Reads the figures that are the same for all processes from the database when they are asked for."""

    def __init__(self, read_load: Callable[[], ServerLoad]) -> None:
        self._read_load = read_load

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that no figure is read before it is asked for."""
        return ()

    def collect(self) -> Iterator[Metric]:
        load, health = self._read_load()
        yield CounterMetricFamily("dealt_commits", "Commits written.", load.last_position)
        yield GaugeMetricFamily("dealt_matches_live", "Matches that are open or being played.", load.matches_live)
        yield _by_label("dealt_due", "Unclaimed due work.", "kind", load.due.items())
        yield GaugeMetricFamily("dealt_due_late_seconds", "Age of the oldest due work.", health.late_ms / 1000)
        behind = ((name, late / 1000) for name, late in health.behind_ms.items())
        yield _by_label("dealt_follower_late_seconds", "Age of the oldest unhandled commit.", "follower", behind)
        pending = (("webhook", load.webhooks_pending), ("mail", load.mails_pending))
        yield _by_label("dealt_notifications_pending", "Notifications that wait for delivery.", "channel", pending)
        alive = (("scheduler", health.schedulers), ("worker", health.workers))
        yield _by_label("dealt_processes", "Live processes.", "kind", alive)
        yield GaugeMetricFamily("dealt_broker_up", "1 if the schedulers reach the broker.", health.broker == "ok")


def _by_label(name: str, text: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=(label,))
    for value, figure in values:
        family.add_metric((value,), figure)
    return family
