"""Allows pages of all origins to use the API. They send a token, never a cookie, so no origin needs trust."""

from collections.abc import Mapping
from typing import Final

from flask import Flask, Response, request
from werkzeug.exceptions import MethodNotAllowed

EXPOSED_HEADERS: Final = (
    "Content-Disposition",
    "Deprecation",
    "ETag",
    "Idempotency-Replayed",
    "Link",
    "Location",
    "Preference-Applied",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Sunset",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""Headers that a page may read, in addition to those that every page may."""

ALLOWED_HEADERS: Final = (
    "Authorization",
    "Content-Type",
    "Dealt-Invite",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Prefer",
    "X-Request-Id",
)
"""A page may send these headers."""

MAX_AGE_SECONDS: Final = 86_400
"""Seconds for which a browser keeps the answer to a preflight request."""

HEADERS: Final[Mapping[str, str]] = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(EXPOSED_HEADERS),
}
"""Headers of every answer; requests from pages of this server omit the second."""


def allow_all_origins(app: Flask) -> None:
    """Allow all origins to read all answers, and list what they may send (Fetch, CORS protocol)."""

    @app.before_request
    def preflight() -> Response | None:
        refused = request.routing_exception
        asked = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        if not asked or not isinstance(refused, MethodNotAllowed):
            return None
        methods = ", ".join(sorted({*(refused.valid_methods or ()), "OPTIONS"}))
        headers = {
            "Access-Control-Allow-Methods": methods,
            "Access-Control-Allow-Headers": ", ".join(ALLOWED_HEADERS),
            "Access-Control-Max-Age": str(MAX_AGE_SECONDS),
        }
        answer = Response(status=204, headers=headers)
        del answer.headers["Content-Type"]
        return answer

    @app.after_request
    def allow_origins(response: Response) -> Response:
        response.headers.update(HEADERS)
        if request.headers.get("Sec-Fetch-Site") == "same-origin":  # such a page may read all of them
            del response.headers["Access-Control-Expose-Headers"]
        return response
