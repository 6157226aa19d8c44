"""Serves the setting for how long before a deadline the caller is notified."""

from typing import Annotated

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.openapi_operations import Answer, Body, Operation, Reply, says
from api.http.request_parsing import load, read_body
from api.http.request_records import Request
from api.http.responses import json_answer
from domain.core.options import Range
from events.notify import ledger


class NoticesBody(Request):
    """When to notify you."""

    deadline_near_seconds: Annotated[int, Range(60, 30 * 24 * 3600)]
    """Seconds before a deadline at which you are notified."""


class NoticesAnswer(Answer):
    deadline_near_seconds: Annotated[int, says("Seconds before a deadline at which you are notified.")]


@Operation(
    tag="notifications",
    searches=("read notification settings", "when am i notified"),
    scope="webhooks",
    replies={200: Reply("The settings.", NoticesAnswer)},
)
def get_notices() -> Response:
    """Get notification settings.

    These settings are only about time. Each webhook selects its own notifications; for mail, see `GET
    /v1/players/me/email`.
    """
    return json_answer(NoticesAnswer(ledger.near_seconds_of(app_state().store, require_player().player_id)))


@Operation(
    tag="notifications",
    searches=("change notifications", "deadline reminder"),
    scope="webhooks",
    body=Body(NoticesBody),
    replies={200: Reply("The updated settings.", NoticesAnswer)},
)
def change_notices() -> Response:
    """Update notification settings.

    `deadline_near_seconds` says how long before a deadline you are notified, but never before half of the time has
    passed.
    """
    player = require_player().player_id
    seconds = load(NoticesBody, read_body()).deadline_near_seconds
    ledger.set_near_seconds(app_state().store, player, seconds)
    return get_notices()
