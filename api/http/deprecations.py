"""Announces deprecated operations in their answers: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594)."""

from datetime import UTC, date, datetime, time

from flask import Flask, Response, request
from werkzeug.http import http_date

from api.http.openapi_operations import operation_of


def announce_deprecations(app: Flask) -> None:
    """Mark each answer of a deprecated operation with its dates, refusals too."""

    @app.after_request
    def announce(response: Response) -> Response:
        said = operation_of(app, request.endpoint)
        if said is not None and said.deprecated is not None:
            response.headers["Deprecation"] = f"@{_midnight(said.deprecated.since).timestamp():.0f}"
            response.headers["Sunset"] = http_date(_midnight(said.deprecated.sunset))
        return response


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
