"""Makes answers: a record as JSON, and the headers that go with it."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

from flask import Response, request
from msgspec import Raw, json
from werkzeug.http import quote_etag

from api.http.openapi_operations import JSON, Answer, Parameter
from domain.core.clock import Time
from events.times import write_time


def json_answer(
    body: Answer | Mapping[str, Any] | None, status: int = 200, *, headers: Mapping[str, str] | None = None
) -> Response:
    """Write an answer as JSON."""
    return raw_json_answer(json.encode(body), status, headers=headers)


def raw_json_answer(body: bytes, status: int = 200, *, headers: Mapping[str, str] | None = None) -> Response:
    """Write an answer that is JSON already."""
    return Response(body, status, {**FOR_THE_CALLER, **(headers or {})}, content_type=JSON)


def raw_json_parts(parts: Iterable[bytes]) -> list[Any]:
    """Return JSON parts of an answer, to be inserted unchanged."""
    return [Raw(part) for part in parts]


def no_content(version: int | None = None) -> Response:
    """Answer that it is done (204), and at which version the match then is."""
    response = Response(status=204, headers=FOR_THE_CALLER)
    del response.headers["Content-Type"]
    return response if version is None else set_etag(response, version)


FOR_THE_CALLER: Final = {"Cache-Control": "private, no-store", "Vary": "Authorization, Accept"}


def is_browser() -> bool:
    """Return whether the caller is a person's browser, which requests a page without a token.

    Some libraries also request a page by default; a caller with a token is a program.
    """
    wanted = request.accept_mimetypes.best_match((JSON, "text/html"))
    return "Authorization" not in request.headers and wanted == "text/html"


def set_etag(response: Response, tag: str | int) -> Response:
    """Mark the answer with its version."""
    response.headers["ETag"] = quote_etag(str(tag))
    return response


IF_NONE_MATCH: Final = Parameter(
    "If-None-Match", "header", "The `ETag` that you have; 304 if it is current.", example='"61"'
)


def client_has(tag: str | int) -> bool:
    """Return whether the caller has the version with this tag."""
    return request.method in ("GET", "HEAD") and request.if_none_match.contains_weak(str(tag))


def not_modified(tag: str | int) -> Response:
    """Answer that the caller has it already (304)."""
    return set_etag(Response(status=304, headers=FOR_THE_CALLER), tag)


def answer_if_changed(response: Response, tag: str | int) -> Response:
    """Tag the answer with its version. If the caller has it already, the status is 304, without a body."""
    return not_modified(tag) if client_has(tag) else set_etag(response, tag)


def tag_of_answer(version: int, response: Response) -> str:
    """Return the tag of an answer that can change without a new version, as names do."""
    return f"{version}-{sha256(response.get_data()).hexdigest()[:16]}"


def time_or_none(at: Time | int | None) -> str | None:
    """Write a time, if there is one."""
    return None if at is None else write_time(at)
