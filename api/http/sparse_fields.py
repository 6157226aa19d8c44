"""Answers with those fields alone that were asked for, so that what nobody reads is not sent."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from flask import Response
from marshmallow import fields
from msgspec import json

from api.http.common_fields import pattern_field
from api.http.openapi_operations import UNLISTED, Answer

PART: Final = "application/vnd.dealt.part+json"
"""An answer in part has a media type of its own, for those that are whole have all their fields."""


def fields_parameter(kind: type[Answer], *more: str) -> fields.String:
    """Make the field of a query that names fields of an answer; `more` are there only where they are named.

    It stands in the contract, and not in `openapi.yaml`: clients generated from two media types would have no type for
    either. After a dot stands the name of a field of what a field has, as in `seats.kind`.
    """
    one = rf"(?:{'|'.join([*kind.__struct_fields__, *more])})(?:\.[a-z_]+){{0,2}}"
    return pattern_field(
        rf"{one}(?:,{one})*",
        data_key="fields",
        metadata={UNLISTED: True},
    )


def select_fields(response: Response, asked: Mapping[str, Any], **more: Callable[[Mapping[str, Any]], Any]) -> Response:
    """Leave out of an answer, or of the items of a list, what was not asked for; `more` is found where it is named."""
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
    """Leave out of each object, however deep, the fields that are null or empty."""
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
    """Leave out of an object, or of each in a list, what was not asked for."""
    if isinstance(value, list):
        return [_inside(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    inner: dict[str, list[str]] = {}
    for outer, _, rest in (name.partition(".") for name in names):
        if outer in value:
            inner.setdefault(outer, []).append(rest)
    return {name: value[name] if "" in rest else _inside(value[name], rest) for name, rest in inner.items()}
