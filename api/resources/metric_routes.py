"""Serves the server's figures to Prometheus."""

from hmac import compare_digest

from flask import Blueprint, Response, request

from api.http.app_state import app_state
from api.http.openapi_operations import Operation, Reply, text
from api.http.problems import Problem

bp = Blueprint("metrics", __name__)

EXAMPLE = (
    "# HELP dealt_matches_live Matches that are open or being played.\n# TYPE dealt_matches_live gauge\n"
    "dealt_matches_live 3.0\n"
)


@bp.get("/metrics")
@Operation(
    tag="service",
    access="public",
    replies={200: Reply("The figures.", {"text/plain": text(EXAMPLE)})},
    refuses=("not_found", "unauthenticated", "unavailable"),
    any_form=True,
)
def read_metrics() -> Response:
    """Read the server's figures.

    For Prometheus, in its text format. Send `Authorization: Bearer` with the setting `DEALT_METRICS_TOKEN`; without
    that setting this is 404.
    """
    metrics, token = app_state().metrics, app_state().settings.dealt_metrics_token
    if metrics is None:
        raise Problem("not_found")
    given = request.headers.get("Authorization", "").encode("latin-1")
    if not compare_digest(given, f"Bearer {token}".encode()):
        raise Problem("unauthenticated", "Send the token of the setting `DEALT_METRICS_TOKEN`.")
    return Response(metrics.exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")
