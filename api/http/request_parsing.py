"""Reads a request's body as JSON, its query and its conditions, and checks their form before anything else."""

import re
from collections.abc import Mapping
from json import loads
from typing import Any, Final, TypeVar

from flask import Response, current_app, request
from msgspec import DecodeError, json

from api.http.field_messages import SHOWN, list_words
from api.http.openapi_operations import CONDITIONS, JSON, Parameter, operation_of
from api.http.problems import WHOLE, Problem, wrong_fields
from api.http.record_reader import TWICE, Faults, read_record, read_texts
from api.http.request_records import Request
from domain.core.types import fields_of, key

R = TypeVar("R", bound=Request)

DEPTH: Final = 32
"""Maximum depth of JSON."""


def read_body(*, optional: bool = False) -> dict[str, Any]:
    """Read the body, a JSON object, which can be optional. Raise 400, 413 and 415."""
    data = request.get_data(cache=True)
    if not data and optional:
        return {}
    check_media_type(JSON)
    try:
        read = json.decode(data)
    except (DecodeError, RecursionError, UnicodeDecodeError):
        raise Problem("bad_request", "The body must be JSON in UTF-8.") from None
    if not isinstance(read, dict):
        raise Problem("bad_request", "The body must be a JSON object.")
    if _deeper(read, DEPTH):
        raise Problem("bad_request", f"The body may be nested at most {DEPTH} levels deep.")
    # Each name ends in this way. The same bytes inside a text only trigger the slower check.
    if len(_END_OF_NAME.findall(data)) != _count_names(read):
        _check_names(data)
    return read


_END_OF_NAME: Final = re.compile(rb'"[ \t\r\n]*:')


def _count_names(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_count_names, value.values()))
    return sum(map(_count_names, value)) if isinstance(value, list) else 0


def _check_names(data: bytes) -> None:
    """Raise 400 for an object with a name twice: programs disagree on which value counts (RFC 8259, section 4)."""

    def check(pairs: list[tuple[str, Any]]) -> None:
        met: set[str] = set()
        for name, _ in pairs:
            if name in met:
                raise Problem("bad_request", f"An object has the name `{name[:SHOWN]}` twice. Send each name once.")
            met.add(name)

    loads(data, object_pairs_hook=check, parse_int=str)


def check_media_type(*forms: str) -> None:
    """Raise 415, with the header to send, for a body that is compressed or of another media type."""
    encoding = request.headers.get("Content-Encoding", "identity")
    if encoding != "identity":
        said = f"The header `Content-Encoding` is `{encoding[:SHOWN]}`. Omit it, and send the body uncompressed."
        raise Problem("unsupported_media_type", said)
    if request.mimetype not in forms:
        found = f"is `{request.mimetype[:SHOWN]}`" if request.mimetype else "is missing"
        wanted = list_words([f"`Content-Type: {form}`" for form in forms])
        raise Problem("unsupported_media_type", f"The header `Content-Type` {found}. Send {wanted}.")


def _deeper(value: Any, depth: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return depth == 0 or any(_deeper(v, depth - 1) for v in inner)


def load(cls: type[R], given: Mapping[str, Any]) -> R:
    """Make a record of a request. Raise 422 with the faults by field."""
    try:
        return read_record(cls, given)
    except Faults as faults:
        raise invalid_request(faults) from None


def read_query(cls: type[R]) -> R:
    """Make a record of the query. Raises 422."""
    many = {key(name) for name, t in fields_of(cls).items() if t.kind == "row"}
    twice = [name for name, values in request.args.lists() if len(values) > 1 and name not in many]
    if twice:
        raise wrong_fields({name: ["Is given more than once. Send it once."] for name in twice})
    given = request.args.to_dict(flat=False)
    try:
        return read_texts(cls, {name: values if name in many else values[0] for name, values in given.items()})
    except Faults as faults:
        raise invalid_request(faults) from None


def invalid_request(faults: Faults, path: str = "") -> Problem:
    """Return the refusal for the faults of a request, or of its part with this path."""
    errors = faults_by_path(faults, path)
    is_only_twice = set(faults.sentences.values()) == {TWICE}
    return Problem("duplicate_card", errors=errors) if is_only_twice else wrong_fields(errors)


def faults_by_path(faults: Faults, path: str = "") -> dict[str, list[str]]:
    """Return the faults of a part of a request by the path of their field, as `seats.2.level`."""
    return {".".join(filter(None, (path, at))) or WHOLE: [said] for at, said in faults.sentences.items()}


IF_MATCH: Final = Parameter(
    "If-Match", "header", "The `ETag` of the version that you know; 412 if the match has moved on.", example='"61"'
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
    """Return the version that the request requires; None if it does not. `version` is the match's current one.

    An `ETag` of the whole match has a mark after its version (`tag_of_answer`).
    """
    if "If-Match" not in request.headers or request.if_match.star_tag:
        return None
    known = {tag.partition("-")[0] for tag in request.if_match.as_set()}
    return version if str(version) in known else -1


_REPRESENTATION: Final = "return=representation"
REPRESENTATION: Final = Parameter(
    "Prefer", "header", f"`{_REPRESENTATION}` adds `match` and `offer` to the answer.", example=_REPRESENTATION
)


def preference(name: str) -> str | None:
    """Return the value of a preference as written; None if the request has none of this name."""
    for given in request.headers.get("Prefer", "").replace(";", ",").split(","):
        found, _, value = given.strip().partition("=")
        if found.strip().lower() == name:
            return value.strip().strip('"')
    return None


def prefers_representation() -> bool:
    """Return whether the answer to a change should also show the changed resource."""
    return "HTTP_PREFER" in request.environ and preference("return") == "representation"


def confirm_representation(response: Response) -> Response:
    """Report that the answer shows the changed resource."""
    if response.status_code < 300 and prefers_representation():
        response.headers["Preference-Applied"] = _REPRESENTATION
    return response
