"""Counts and times requests, and serves the server's figures to Prometheus."""

import time
from hmac import compare_digest
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, g, request

from api.http.app_state import app_state
from api.http.long_polling import has_waited
from api.http.openapi_operations import Operation, Reply, text
from api.http.problems import Problem

EXAMPLE = (
    "# HELP dealt_matches_live Matches that are open or being played.\n# TYPE dealt_matches_live gauge\n"
    "dealt_matches_live 3.0\n"
)


@Operation(
    tag="service",
    searches=("prometheus", "monitoring"),
    access="public",
    replies={200: Reply("The metrics.", {"text/plain": text(EXAMPLE)})},
    refuses=("not_found", "unauthenticated", "unavailable"),
    any_form=True,
)
def read_metrics() -> Response:
    """Get the metrics.

    Returns them in the text format of Prometheus. Send `Authorization: Bearer` with the setting `DEALT_METRICS_TOKEN`;
    without that setting, returns 404.
    """
    metrics, token = app_state().metrics, app_state().settings.dealt_metrics_token
    if metrics is None:
        raise Problem("not_found")
    given = request.headers.get("Authorization", "").encode("latin-1")
    if not compare_digest(given, f"Bearer {token}".encode()):
        raise Problem("unauthenticated", "Send the token of the setting `DEALT_METRICS_TOKEN`.")
    return Response(metrics.exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")


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
