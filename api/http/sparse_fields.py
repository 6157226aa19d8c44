"""Answers with only the requested fields, to save traffic."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from flask import Response
from msgspec import json

from api.http.openapi_operations import Answer
from api.http.request_records import CheckedBy, matches

PART: Final = "application/vnd.dealt.part+json"
"""A partial answer has its own media type, because complete answers have all their fields."""


def fields_of_answer(kind: type[Answer], *more: str) -> CheckedBy:
    """Mark the query field that selects fields of an answer; those in `more` are included only if named.

    A dot separates nested fields, as in `seats.kind`. The description has the field, but not the media type of partial
    answers: generated clients would have no type for two media types.
    """
    names = [*kind.__struct_fields__, *more]
    one = rf"(?:{'|'.join(names)})(?:\.[a-z_]+){{0,2}}"
    named = matches(rf"{one}(?:,{one})*", f"names of fields, joined by commas: {', '.join(names)}")
    said = {"description": _SAYS, "example": "version" if "version" in names else names[0]}
    return CheckedBy(said, named.read, named.form)


_SAYS: Final = f"Only these fields, joined by commas; `a.b` is a field inside `a`. The answer is then `{PART}`."


def select_fields(response: Response, asked: str | None, **more: Callable[[Mapping[str, Any]], Any]) -> Response:
    """Remove the fields that were not requested from an answer or its items; `more` is added if named."""
    if asked is None or response.status_code >= 300:
        return response
    whole = json.decode(response.get_data())
    named = {name.partition(".")[0] for name in asked.split(",")}
    whole |= {name: find(whole) for name, find in more.items() if name in named}
    rows = whole.get("items")
    part = _part(whole, asked) if rows is None else whole | {"items": [_part(row, asked) for row in rows]}
    response.set_data(json.encode(part))
    response.content_type = PART
    return response


def drop_empty_fields(value: Any) -> Any:
    """Remove null and empty fields from all nested objects."""
    if isinstance(value, list):
        return [drop_empty_fields(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: drop_empty_fields(one) for name, one in value.items() if one not in (None, "", [], {})}


def select_fields_of_lines(lines: Iterable[bytes], asked: str | None) -> Iterable[bytes]:
    """Do the same with each of many answers."""
    return lines if asked is None else (json.encode(_part(json.decode(line), asked)) for line in lines)


def _part(whole: Mapping[str, Any], asked: str) -> Any:
    return _keep_requested(whole, asked.split(","))


def _keep_requested(value: Any, names: Iterable[str]) -> Any:
    """Remove the fields that were not requested from an object, or from each in a list."""
    if isinstance(value, list):
        return [_keep_requested(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    inner: dict[str, list[str]] = {}
    for outer, _, rest in (name.partition(".") for name in names):
        if outer in value:
            inner.setdefault(outer, []).append(rest)
    return {name: value[name] if "" in rest else _keep_requested(value[name], rest) for name, rest in inner.items()}
