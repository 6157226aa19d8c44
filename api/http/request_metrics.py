"""Counts the requests of an app for Prometheus, and times them."""

import time
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, g, request

from api.http.long_polling import has_waited

if TYPE_CHECKING:
    from api.http.metrics import Metrics


def measure_requests(app: Flask, metrics: "Metrics") -> None:
    """Count the requests of an app. Paths are not figures: an operation has a name, and a path may be a secret."""

    @app.before_request
    def begin() -> None:
        g.started = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        started = g.get("started")
        seconds = None if started is None or has_waited() else time.perf_counter() - started
        method = request.method if request.method in _METHODS else "other"
        metrics.count(request.endpoint or "none", method, response.status_code, seconds)
        return response


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
