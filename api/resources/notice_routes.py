"""Serves the setting for how long before a deadline the caller is notified."""

from typing import Annotated

from flask import Blueprint, Response
from marshmallow import validate

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import doc
from api.http.openapi_operations import (
    Answer,
    Body,
    Operation,
    Reply,
    says,
)
from api.http.request_parsing import load, read_body
from api.http.responses import json_answer
from api.http.strict_fields import Strict, Whole
from events.notify import ledger

bp = Blueprint("notices", __name__, url_prefix="/v1/players/me")


class NoticesBody(Strict):
    """When to notify you."""

    deadline_near_seconds = Whole(
        required=True,
        validate=validate.Range(60, 30 * 24 * 3600),
        **doc("How many seconds before a deadline you are notified."),
    )


class NoticesAnswer(Answer):
    deadline_near_seconds: Annotated[int, says("How many seconds before a deadline you are notified.")]


@bp.get("/notices")
@Operation(
    tag="notifications",
    scope="webhooks",
    replies={200: Reply("How.", NoticesAnswer)},
)
def get_notices() -> Response:
    """Get notification settings.

    These settings are only about time. Each webhook chooses its notifications; for mail, see `GET
    /v1/players/me/email`.
    """
    return json_answer(NoticesAnswer(ledger.near_seconds_of(app_state().store, require_player().player_id)))


@bp.put("/notices")
@Operation(
    tag="notifications",
    scope="webhooks",
    body=Body(NoticesBody()),
    replies={200: Reply("How from now on.", NoticesAnswer)},
)
def change_notices() -> Response:
    """Update notification settings.

    `deadline_near_seconds`: how long before a deadline you are notified, but never before half of the time has passed.
    """
    player = require_player().player_id
    seconds = load(NoticesBody(), read_body())["deadline_near_seconds"]
    ledger.set_near_seconds(app_state().store, player, seconds)
    return get_notices()
