"""Reads a request's body as JSON, its query and its conditions, and checks their form before anything else."""

import re
from collections.abc import Mapping
from typing import Any, Final

from flask import current_app, request
from marshmallow import Schema, ValidationError
from marshmallow.fields import List
from msgspec import DecodeError, json

from api.http.openapi_operations import CONDITIONS, Parameter, operation_of
from api.http.problems import Problem

DEPTH: Final = 32
"""JSON may be nested at most this deep."""


def read_body(*, optional: bool = False) -> dict[str, Any]:
    """Read the body, a JSON object; an optional one may be missing. Raise 400, 413 and 415."""
    data = request.get_data(cache=True)
    if not data and optional:
        return {}
    if request.mimetype != "application/json" or request.headers.get("Content-Encoding", "identity") != "identity":
        raise Problem("unsupported_media_type")
    try:
        read = json.decode(data)
    except (DecodeError, RecursionError, UnicodeDecodeError):
        raise Problem("bad_request", "The body must be JSON in UTF-8.") from None
    if not isinstance(read, dict):
        raise Problem("bad_request", "The body must be a JSON object.")
    if _deeper(read, DEPTH):
        raise Problem("bad_request", f"The body may be nested at most {DEPTH} levels deep.")
    return read


def _deeper(value: Any, depth: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return depth == 0 or any(_deeper(v, depth - 1) for v in inner)


def load(schema: Schema, given: Mapping[str, Any]) -> Any:
    """Check a request. Raise 422 with the faults by field."""
    try:
        return schema.load(given)
    except ValidationError as error:
        raise invalid_request(error.messages) from None


def read_query(schema: Schema) -> Any:
    """Read the query. Raises 422."""
    many = {name for name, field in schema.load_fields.items() if isinstance(field, List)}
    twice = [name for name, values in request.args.lists() if len(values) > 1 and name not in many]
    if twice:
        raise Problem("bad_arguments", errors={name: ["Give this once."] for name in twice})
    given = request.args.to_dict(flat=False)
    return load(schema, {name: values if name in many else values[0] for name, values in given.items()})


def invalid_request(messages: Any) -> Problem:
    """Return the refusal for the faults that a schema found."""
    errors = dict(messages_by_path(messages))
    only = {message for found in errors.values() for message in found}
    return Problem("duplicate_card" if only == {TWICE} else "bad_arguments", errors=errors)


TWICE: Final = "This list names a card twice."


def messages_by_path(messages: Any, path: str = "") -> list[tuple[str, list[str]]]:
    """List messages by the path of their field, as `seats.2.level`."""
    if isinstance(messages, dict):
        return [
            row
            for key, inner in messages.items()
            for row in messages_by_path(inner, f"{path}.{key}" if path else str(key))
        ]
    return [(path.removesuffix("._schema") or "_schema", [str(m) for m in messages])]


IF_MATCH: Final = Parameter(
    "If-Match", "header", "The `ETag` of the match as you know it; 412 if it has moved on.", example='"61"'
)


_TAG: Final = r'(?:W/)?"[!#-~\x80-\xff]*"'
_CONDITION: Final = re.compile(rf"[ \t]*(?:\*|(?:,[ \t]*)*{_TAG}(?:[ \t]*,(?:[ \t]*{_TAG})?)*)[ \t]*")
"""The form of `If-Match` and `If-None-Match` (RFC 9110, section 13.1)."""


def check_conditions() -> None:
    """Raise 400 for a request that writes under a condition that cannot be read, if its operation takes one."""
    said = operation_of(current_app, request.endpoint)
    if said is None or not said.takes_condition or request.method in ("GET", "HEAD", "OPTIONS"):
        return
    for name in CONDITIONS:
        given = request.headers.get(name)
        if given is not None and not _CONDITION.fullmatch(given):
            raise Problem("bad_request", f'`{name}`: send an `ETag` as it was given, in double quotes ("61"), or `*`.')


def conditions_hold(tag: str | None) -> bool:
    """Return whether the request's conditions hold (RFC 9110); `tag` is None if the resource does not exist."""
    if "If-Match" in request.headers:
        return tag is not None and request.if_match.contains(tag)
    if "If-None-Match" in request.headers:
        return tag is None or not request.if_none_match.contains_weak(tag)
    return True


def expected_version(version: int) -> int | None:
    """Return the version that the request requires; None if it does not. `version` is the match's current one."""
    if "If-Match" not in request.headers or request.if_match.star_tag:
        return None
    return version if request.if_match.contains(str(version)) else -1
