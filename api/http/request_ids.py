"""Gives each request an id, which the answer and the lines of the log name: the client's own, or one drawn here."""

import re
from typing import Any, Final
from uuid import uuid4

from flask import Flask, Response, request

from api.http.log_setup import REQUEST

HEADER: Final = "X-Request-Id"

ENVIRON: Final = "dealt.request_id"
"""The key of the environment under which the server may have put the id of a request."""

_FIT: Final = re.compile(r"[0-9A-Za-z._-]{1,64}")


def request_id(given: str | None) -> str:
    """Return the id of a request: the one it brings if that is safe to log, otherwise a new one."""
    return given if given and _FIT.fullmatch(given) else uuid4().hex


def add_request_ids(app: Flask) -> None:
    """Add the request's id to its answer, and to log lines during it."""

    @app.before_request
    def set_id() -> None:
        REQUEST.set(_id(request.environ))

    @app.after_request
    def answered(response: Response) -> Response:
        response.headers[HEADER] = _id(request.environ)
        return response

    @app.teardown_request
    def forget_id(_: BaseException | None) -> None:
        REQUEST.set("")


def _id(environ: dict[str, Any]) -> str:
    found: str = environ.setdefault(ENVIRON, request_id(environ.get("HTTP_X_REQUEST_ID")))
    return found
