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
    either.
    """
    names = "|".join(kind.__struct_fields__)
    return shaped(
        rf"(?:{names})(?:,(?:{names}))*",
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
    names = asked["wanted"].split(",")
    return {name: whole[name] for name in names if name in whole}
