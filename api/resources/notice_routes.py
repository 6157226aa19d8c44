"""Serves how long before a deadline the caller is told of it."""

from typing import Annotated

from flask import Blueprint, Response
from marshmallow import validate

from api.http.app_state import here
from api.http.auth import me
from api.http.bodies import body, load
from api.http.fields import Strict, Whole
from api.http.openapi_operations import (
    Answer,
    Body,
    Operation,
    Reply,
    says,
)
from api.http.present import answer
from api.http.schemas import said
from events.notify import ledger

bp = Blueprint("notices", __name__, url_prefix="/v1/players/me")


class NoticesBody(Strict):
    """This says when you want to be told."""

    deadline_near_seconds = Whole(
        required=True,
        validate=validate.Range(60, 30 * 24 * 3600),
        **said("How many seconds before a deadline you are told of it."),
    )


class NoticesAnswer(Answer):
    deadline_near_seconds: Annotated[int, says("How many seconds before a deadline you are told of it.")]


@bp.get("/notices")
@Operation(
    id="getNotices",
    tag="notifications",
    scope="webhooks",
    replies={200: Reply("How.", NoticesAnswer)},
)
def show_notices() -> Response:
    """Get notification settings.

    This is about time alone: what is sent is chosen for each webhook, and for mail there is `GET
    /v1/players/me/email`.
    """
    return answer(NoticesAnswer(ledger.near_seconds_of(here().store, me().player_id)))


@bp.put("/notices")
@Operation(
    id="changeNotices",
    tag="notifications",
    scope="webhooks",
    body=Body(NoticesBody()),
    replies={200: Reply("How from now on.", NoticesAnswer)},
)
def change_notices() -> Response:
    """Update notification settings.

    `deadline_near_seconds`: so long before a deadline you are told that it is near; but not before half of the
    time has passed.
    """
    player = me().player_id
    seconds = load(NoticesBody(), body())["deadline_near_seconds"]
    ledger.set_near_seconds(here().store, player, seconds)
    return show_notices()
