"""Answers with only the requested fields, to save traffic."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from flask import Response
from marshmallow import fields
from msgspec import json

from api.http.common_fields import pattern_field
from api.http.openapi_operations import UNLISTED, Answer

PART: Final = "application/vnd.dealt.part+json"
"""A partial answer has its own media type, because complete answers have all their fields."""


def fields_parameter(kind: type[Answer], *more: str) -> fields.String:
    """Return the query field that selects fields of an answer; those in `more` are included only if named.

    It is in the contract, but not in `openapi.yaml`: generated clients would have no type for two media types. A dot
    separates nested fields, as in `seats.kind`.
    """
    one = rf"(?:{'|'.join([*kind.__struct_fields__, *more])})(?:\.[a-z_]+){{0,2}}"
    return pattern_field(
        rf"{one}(?:,{one})*",
        data_key="fields",
        metadata={UNLISTED: True},
    )


def select_fields(response: Response, asked: Mapping[str, Any], **more: Callable[[Mapping[str, Any]], Any]) -> Response:
    """Remove the fields that were not requested from an answer or its items; `more` is added if named."""
    if "wanted" not in asked or response.status_code >= 300:
        return response
    whole = json.decode(response.get_data())
    named = {name.partition(".")[0] for name in asked["wanted"].split(",")}
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


def select_fields_of_lines(lines: Iterable[bytes], asked: Mapping[str, Any]) -> Iterable[bytes]:
    """Do the same with each of many answers."""
    return (json.encode(_part(json.decode(line), asked)) for line in lines) if "wanted" in asked else lines


def _part(whole: Mapping[str, Any], asked: Mapping[str, Any]) -> Any:
    return _inside(whole, asked["wanted"].split(","))


def _inside(value: Any, names: Iterable[str]) -> Any:
    """Remove the fields that were not requested from an object, or from each in a list."""
    if isinstance(value, list):
        return [_inside(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    inner: dict[str, list[str]] = {}
    for outer, _, rest in (name.partition(".") for name in names):
        if outer in value:
            inner.setdefault(outer, []).append(rest)
    return {name: value[name] if "" in rest else _inside(value[name], rest) for name, rest in inner.items()}
