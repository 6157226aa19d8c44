"""Serves the caller's webhooks."""

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, TypeVar

from flask import Blueprint, Response
from marshmallow import fields
from msgspec import structs

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody, choice_field, doc
from api.http.idempotency import IDEMPOTENCY_KEY, draw_bytes, idempotency_key, run_once
from api.http.openapi_operations import (
    LOCATION,
    REPLAYED,
    Answer,
    Body,
    NextCursor,
    Operation,
    Parameter,
    Reply,
    Timestamp,
    one_of,
    says,
)
from api.http.path_prefix import public_link
from api.http.problems import Problem
from api.http.request_parsing import invalid_request, load, read_body
from api.http.responses import json_answer, no_content, time_or_none
from api.http.strict_fields import Flag, Strict
from events.ids import from_bytes
from events.notify import webhooks
from events.notify.addresses import LONGEST, BadAddress, Target, read_allowed_addresses, read_url
from events.notify.notices import KINDS
from events.notify.signatures import new_secret
from events.notify.webhooks import RotatedTooOften, TooMany
from events.service import request_keys
from events.store.records import Remembered
from events.times import write_time

T = TypeVar("T")

bp = Blueprint("webhooks", __name__, url_prefix="/v1/players/me")

WEBHOOK_ID: Final = Parameter("webhook_id", "path", "The id of the webhook.")

URL: Final = {
    "description": "Address that receives the notifications.",
    "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$",
    "minLength": 9,
    "maxLength": LONGEST,
}
"""Every address has this form; `events.notify.addresses` says the rest."""


class WebhookRequestBody(Strict):
    """The body says where notices are to be sent, and which."""

    url = fields.String(required=True, metadata=URL)
    events = fields.List(
        choice_field(*KINDS), load_default=list(KINDS), **doc("The kinds of notices that are sent; by default all.")
    )


class WebhookChangeBody(Strict):
    """The webhook as it is to be."""

    url = fields.String(required=True, metadata=URL)
    events = fields.List(choice_field(*KINDS), required=True, **doc("The kinds of notices that are sent."))
    enabled = Flag(load_default=True, **doc("Whether notices are sent; by default they are."))


class WebhookAnswer(Answer):
    id: Annotated[str, says("The id of the webhook.")]
    url: Annotated[str, says("Address that receives the notifications.")]
    events: Annotated[list[Annotated[str, one_of(KINDS)]], says("The kinds of notices that are sent.")]
    state: Annotated[
        str,
        one_of(("enabled", "paused", "failing", "gone")),
        says("Or why it is disabled. By its player; after three days without success; since it answered 410."),
    ]
    created_at: Annotated[Timestamp, says("When it was made.")]
    failing_since: Annotated[Timestamp | None, says("Since when no notice has arrived; null: the last one has.")]
    disabled_at: Annotated[Timestamp | None, says("When it was disabled; null: it is not.")]


Secret = Annotated[str, says("The secret that notices are signed with, shown this once.", pattern="^whsec_")]


class WebhookWithSecretAnswer(WebhookAnswer):
    secret: Secret


class WebhooksAnswer(Answer):
    items: Annotated[list[WebhookAnswer], says("Your webhooks.")]
    next: NextCursor


class NewSecretAnswer(Answer):
    secret: Secret
    old_secret_until: Annotated[Timestamp, says("Until when notices are signed with the replaced one too.")]


@bp.post("/webhooks")
@Operation(
    tag="notifications",
    scope="webhooks",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(WebhookRequestBody()),
    replies={
        201: Reply(
            "The webhook, with its secret.",
            WebhookWithSecretAnswer,
            headers=(LOCATION, REPLAYED),
        )
    },
    refuses=("not_found", "too_many_webhooks"),
)
def create_webhook() -> Response:
    """Create a webhook.

    The secret is shown this once; requests are signed with it as Standard Webhooks 1.0 says. Only https and
    addresses that are global can be called, unless the server is set up otherwise; no redirect is followed. At
    most ten webhooks a player.
    """
    player, given = require_player().player_id, read_body()
    asked = idempotency_key(given)

    def do() -> Response:
        wanted = load(WebhookRequestBody(), given)
        set_to = _subscription(wanted)
        secret = new_secret(draw_bytes("secret", asked))
        webhook_id = from_bytes(draw_bytes("webhook", asked))
        now = app_state().context.now()
        try:
            webhooks.add(app_state().store, webhook_id, player, set_to, secret, now)
        except TooMany:
            raise Problem("too_many_webhooks") from None
        request_keys.remember_key(app_state().context, asked)
        return _made(webhook_id, secret)

    def again(_: Remembered) -> Response:
        return _made(from_bytes(draw_bytes("webhook", asked)), new_secret(draw_bytes("secret", asked)))

    return run_once(asked, do, again)


def _made(webhook_id: str, secret: str) -> Response:
    shown = WebhookWithSecretAnswer(**structs.asdict(_shown(own_webhook(webhook_id))), secret=secret)
    return json_answer(shown, 201, headers={"Location": public_link(f"/v1/players/me/webhooks/{webhook_id}")})


@bp.get("/webhooks")
@Operation(
    tag="notifications",
    scope="webhooks",
    replies={200: Reply("Your webhooks.", WebhooksAnswer)},
)
def list_webhooks() -> Response:
    """List your webhooks.

    Includes disabled webhooks, and since when they are disabled; secrets are not shown.
    """
    return json_answer(
        WebhooksAnswer([_shown(one) for one in webhooks.of_player(app_state().store, require_player().player_id)], None)
    )


@bp.get("/webhooks/<webhook_id>")
@Operation(
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    replies={200: Reply("The webhook.", WebhookAnswer)},
    refuses=("not_found",),
)
def get_webhook(webhook_id: str) -> Response:
    """Get a webhook.

    Its state says whether notices are sent to it. `GET …/deliveries` tells what has become of each of them.
    """
    require_player()
    return json_answer(_shown(own_webhook(webhook_id)))


@bp.put("/webhooks/<webhook_id>")
@Operation(
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    body=Body(WebhookChangeBody()),
    replies={200: Reply("The webhook.", WebhookAnswer)},
    refuses=("not_found",),
)
def change_webhook(webhook_id: str) -> Response:
    """Update a webhook.

    `enabled: true` re-enables a webhook from now on; you can replay the notifications that it missed.
    """
    require_player()
    given = read_body()
    webhook = own_webhook(webhook_id)
    wanted = load(WebhookChangeBody(), given)
    set_to = _subscription(wanted)
    now = app_state().context.now()
    webhooks.change(app_state().store, webhook, set_to, enabled=wanted["enabled"], now=now)
    return json_answer(_shown(own_webhook(webhook_id)))


@bp.delete("/webhooks/<webhook_id>")
@Operation(
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    replies={204: Reply("It is gone.")},
    refuses=("not_found",),
)
def delete_webhook(webhook_id: str) -> Response:
    """Delete a webhook.

    Nothing more is sent to it, what waits for another try neither, and the list of its deliveries is gone.
    """
    require_player()
    webhooks.remove(app_state().store, own_webhook(webhook_id).webhook_id)
    return no_content()


_ROTATED: Final = (
    "The webhook has had four new secrets in the last 24 hours, and all of them sign. Wait for `Retry-After`"
    " seconds, or create another webhook."
)


@bp.post("/webhooks/<webhook_id>/secret")
@Operation(
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(NothingBody(), required=False),
    replies={201: Reply("The new secret.", NewSecretAnswer, headers=(REPLAYED,))},
    refuses=("not_found",),
)
def rotate_secret(webhook_id: str) -> Response:
    """Rotate a webhook secret.

    Every secret of the last 24 hours signs, so a request carries a signature by each. At most four new secrets a
    day; more are 429, with `Retry-After`.
    """
    require_player()
    given = read_body(optional=True)
    webhook, asked = own_webhook(webhook_id), idempotency_key(given)

    def do() -> Response:
        load(NothingBody(), given)
        secret, moment = new_secret(draw_bytes("rotated", asked)), app_state().context.now()
        try:
            until = webhooks.rotate(app_state().store, webhook, secret, moment)
        except RotatedTooOften as error:
            wait = str(1 + (error.until_ms - moment) // 1000)
            raise Problem("too_many_requests", _ROTATED, headers={"Retry-After": wait}) from None
        request_keys.remember_key(app_state().context, asked)
        return json_answer(NewSecretAnswer(secret, write_time(until)), 201)

    def again(_: Remembered) -> Response:
        secret, now = new_secret(draw_bytes("rotated", asked)), own_webhook(webhook_id)
        if now.secret != secret:
            # It has been replaced since.
            raise Problem("not_found")
        return json_answer(NewSecretAnswer(secret, write_time(json.loads(now.old_secrets)[-1][1])), 201)

    return run_once(asked, do, again)


# --- What they share ----------------------------------------------------------------------------------


def own_webhook(webhook_id: str) -> webhooks.Webhook:
    """Give the caller's webhook of this id. Raises 404."""
    found = webhooks.webhook_of_player(app_state().store, require_player().player_id, webhook_id)
    if found is None:
        raise Problem("not_found")
    return found


def _subscription(wanted: Mapping[str, Any]) -> webhooks.Subscription:
    return webhooks.Subscription(wanted["url"], _target(wanted["url"]).site, _kinds(wanted["events"]))


def _target(url: str) -> Target:
    return check_address("url", lambda: read_url(url, read_allowed_addresses(app_state().settings)))


def check_address(field: str, read: Callable[[], T]) -> T:
    """Read something that has to be an address. Raises 422 for the field."""
    try:
        return read()
    except BadAddress as error:
        raise invalid_request({field: [str(error)]}) from None


def _kinds(wanted: list[str]) -> str:
    return " ".join(kind for kind in KINDS if kind in wanted)


def _shown(webhook: webhooks.Webhook) -> WebhookAnswer:
    return WebhookAnswer(
        id=webhook.webhook_id,
        url=webhook.url,
        events=webhook.events.split(),
        state=webhook.state,
        created_at=write_time(webhook.created_ms),
        failing_since=time_or_none(webhook.failing_ms),
        disabled_at=time_or_none(webhook.disabled_ms),
    )
