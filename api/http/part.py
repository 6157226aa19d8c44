"""Answers with those fields alone that were asked for, so that what nobody reads is not sent."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from flask import Response
from marshmallow import fields
from msgspec import json

from api.http.openapi_operations import UNLISTED, Answer
from api.http.schemas import shaped

PART: Final = "application/vnd.dealt.part+json"
"""An answer in part has a media type of its own, for those that are whole have all their fields."""


def fields_of(kind: type[Answer]) -> fields.String:
    """Make the field of a query that names fields of an answer.

    It stands in the contract, and not in `openapi.yaml`: clients generated from two media types would have no type for
    either. After a dot stands the name of a field of what a field has, as in `seats.kind`.
    """
    one = rf"(?:{'|'.join(kind.__struct_fields__)})(?:\.[a-z_]+)?"
    return shaped(
        rf"{one}(?:,{one})*",
        data_key="fields",
        metadata={UNLISTED: True},
    )


def in_part(response: Response, asked: Mapping[str, Any]) -> Response:
    """Leave out of an answer, or of the items of a list, what was not asked for."""
    if "wanted" not in asked or response.status_code >= 300:
        return response
    whole = json.decode(response.get_data())
    rows = whole.get("items")
    part = _part(whole, asked) if rows is None else whole | {"items": [_part(row, asked) for row in rows]}
    response.set_data(json.encode(part))
    response.content_type = PART
    return response


def lines_in_part(lines: Iterable[bytes], asked: Mapping[str, Any]) -> Iterable[bytes]:
    """Do the same with each of many answers."""
    return (json.encode(_part(json.decode(line), asked)) for line in lines) if "wanted" in asked else lines


def _part(whole: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    part: dict[str, Any] = {}
    inner: dict[str, list[str]] = {}
    for name in asked["wanted"].split(","):
        outer, dot, rest = name.partition(".")
        if outer in whole and not dot:
            part[outer] = whole[outer]
        elif outer in whole:
            part.setdefault(outer, None)
            inner.setdefault(outer, []).append(rest)
    return part | {outer: _inside(whole[outer], names) for outer, names in inner.items() if part[outer] is None}


def _inside(value: Any, names: list[str]) -> Any:
    """Leave out of an object, or of each in a list, what was not asked for."""
    if isinstance(value, list):
        return [_inside(one, names) for one in value]
    return {name: value[name] for name in names if name in value} if isinstance(value, dict) else value
