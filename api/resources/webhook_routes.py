"""Serves the caller's webhooks."""

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Final, TypeVar

from flask import Response
from msgspec import structs

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody
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
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import load, read_body
from api.http.request_records import Request, choice
from api.http.responses import json_answer, no_content, time_or_none
from domain.core.options import Keywords
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


WEBHOOK_ID: Final = Parameter("webhook_id", "path", "The id of the webhook.")

Url = Annotated[str, Keywords({"pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$", "minLength": 9, "maxLength": LONGEST})]
"""Every address has this form; `events.notify.addresses` checks it."""
Kind = Annotated[str, choice(KINDS)]


class WebhookRequestBody(Request):
    """The address, and the types of notifications."""

    url: Url
    """Address that receives the notifications."""
    events: tuple[Kind, ...] = tuple(KINDS)
    """The types of notifications to send; by default all."""


class WebhookChangeBody(Request):
    """The new settings of the webhook."""

    url: Url
    """Address that receives the notifications."""
    events: tuple[Kind, ...]
    """The types of notifications to send."""
    enabled: bool = True
    """Whether notifications are sent; by default true."""


class WebhookAnswer(Answer):
    id: Annotated[str, says("The id of the webhook.")]
    url: Annotated[str, says("Address that receives the notifications.")]
    events: Annotated[list[Annotated[str, one_of(KINDS)]], says("The types of notifications to send.")]
    state: Annotated[
        str,
        one_of(("enabled", "paused", "failing", "gone")),
        says("Whether it is enabled, or why not: by its player, after three days without success, or after a 410."),
    ]
    created_at: Annotated[Timestamp, says("Creation time.")]
    failing_since: Annotated[Timestamp | None, says("Time since when deliveries fail; null if the last one succeeded.")]
    disabled_at: Annotated[Timestamp | None, says("Time at which it was disabled; null if it is enabled.")]


Secret = Annotated[str, says("The secret that signs notifications, shown only this once.", pattern="^whsec_")]


class WebhookWithSecretAnswer(WebhookAnswer):
    secret: Secret


class WebhooksAnswer(Answer):
    items: Annotated[list[WebhookAnswer], says("Your webhooks.")]
    next: NextCursor


class NewSecretAnswer(Answer):
    secret: Secret
    old_secret_until: Annotated[Timestamp, says("Time until which the old secret signs too.")]


@Operation(
    tag="notifications",
    searches=("webhook", "push notifications"),
    scope="webhooks",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(WebhookRequestBody),
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

    The secret is shown only this once; it signs the requests as in Standard Webhooks 1.0. Only https and global
    addresses are allowed, unless the server has other settings. Redirects are not followed. A player can have ten
    webhooks.
    """
    player, given = require_player().player_id, read_body()
    asked = idempotency_key(given)

    def do() -> Response:
        wanted = load(WebhookRequestBody, given)
        set_to = _subscription(wanted.url, wanted.events)
        secret = new_secret(draw_bytes("secret", asked))
        webhook_id = from_bytes(draw_bytes("webhook", asked))
        now = app_state().context.now()
        try:
            webhooks.add(app_state().store, webhook_id, player, set_to, secret, now)
        except TooMany:
            raise Problem("too_many_webhooks") from None
        request_keys.remember_key(app_state().context, asked)
        return _webhook_answer(webhook_id, secret)

    def repeat_answer(_: Remembered) -> Response:
        return _webhook_answer(from_bytes(draw_bytes("webhook", asked)), new_secret(draw_bytes("secret", asked)))

    return run_once(asked, do, repeat_answer)


def _webhook_answer(webhook_id: str, secret: str) -> Response:
    shown = WebhookWithSecretAnswer(**structs.asdict(_shown(own_webhook(webhook_id))), secret=secret)
    return json_answer(shown, 201, headers={"Location": public_link(f"/v1/players/me/webhooks/{webhook_id}")})


@Operation(
    tag="notifications",
    searches=("my webhooks", "list webhooks"),
    scope="webhooks",
    replies={200: Reply("Your webhooks.", WebhooksAnswer)},
)
def list_webhooks() -> Response:
    """List your webhooks.

    Includes disabled webhooks with the time when they were disabled, but no secrets.
    """
    return json_answer(
        WebhooksAnswer([_shown(one) for one in webhooks.of_player(app_state().store, require_player().player_id)], None)
    )


@Operation(
    tag="notifications",
    searches=("webhook status", "webhook details"),
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    replies={200: Reply("The webhook.", WebhookAnswer)},
    refuses=("not_found",),
)
def get_webhook(webhook_id: str) -> Response:
    """Get a webhook.

    Its state says whether it gets notifications. `GET …/deliveries` has the outcome of each one.
    """
    require_player()
    return json_answer(_shown(own_webhook(webhook_id)))


@Operation(
    tag="notifications",
    searches=("edit webhook", "enable webhook"),
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    body=Body(WebhookChangeBody),
    replies={200: Reply("The webhook.", WebhookAnswer)},
    refuses=("not_found",),
)
def change_webhook(webhook_id: str) -> Response:
    """Update a webhook.

    `enabled: true` enables a webhook again, from now on. You can replay the notifications that it missed.
    """
    require_player()
    given = read_body()
    webhook = own_webhook(webhook_id)
    wanted = load(WebhookChangeBody, given)
    set_to = _subscription(wanted.url, wanted.events)
    now = app_state().context.now()
    webhooks.change(app_state().store, webhook, set_to, enabled=wanted.enabled, now=now)
    return json_answer(_shown(own_webhook(webhook_id)))


@Operation(
    tag="notifications",
    searches=("delete webhook", "remove webhook"),
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    replies={204: Reply("It was deleted.")},
    refuses=("not_found",),
)
def delete_webhook(webhook_id: str) -> Response:
    """Delete a webhook.

    Pending notifications are not sent, and the list of deliveries is deleted.
    """
    require_player()
    webhooks.remove(app_state().store, own_webhook(webhook_id).webhook_id)
    return no_content()


_ROTATED: Final = (
    "The webhook got four new secrets in the last 24 hours, the maximum. Wait for `Retry-After` seconds,"
    " or create another webhook."
)


@Operation(
    tag="notifications",
    searches=("webhook secret", "new webhook secret"),
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(NothingBody, required=False),
    replies={201: Reply("The new secret.", NewSecretAnswer, headers=(REPLAYED,))},
    refuses=("not_found",),
)
def rotate_secret(webhook_id: str) -> Response:
    """Rotate a webhook secret.

    All secrets of the last 24 hours sign, so a request carries one signature for each. You can create four secrets per
    day; more return 429 with `Retry-After`.
    """
    require_player()
    given = read_body(optional=True)
    webhook, asked = own_webhook(webhook_id), idempotency_key(given)

    def do() -> Response:
        load(NothingBody, given)
        secret, moment = new_secret(draw_bytes("rotated", asked)), app_state().context.now()
        try:
            until = webhooks.rotate(app_state().store, webhook, secret, moment)
        except RotatedTooOften as error:
            wait = str(1 + (error.until_ms - moment) // 1000)
            raise Problem("too_many_requests", _ROTATED, headers={"Retry-After": wait}) from None
        request_keys.remember_key(app_state().context, asked)
        return json_answer(NewSecretAnswer(secret, write_time(until)), 201)

    def repeat_answer(_: Remembered) -> Response:
        secret, now = new_secret(draw_bytes("rotated", asked)), own_webhook(webhook_id)
        if now.secret != secret:
            # It has been replaced since.
            raise Problem("not_found")
        return json_answer(NewSecretAnswer(secret, write_time(json.loads(now.old_secrets)[-1][1])), 201)

    return run_once(asked, do, repeat_answer)


# --- What they share ----------------------------------------------------------------------------------


def own_webhook(webhook_id: str) -> webhooks.Webhook:
    """Return the caller's webhook with this id. Raises 404."""
    found = webhooks.webhook_of_player(app_state().store, require_player().player_id, webhook_id)
    if found is None:
        raise Problem("not_found")
    return found


def _subscription(url: str, events: Sequence[str]) -> webhooks.Subscription:
    return webhooks.Subscription(url, _target(url).site, _kinds(events))


def _target(url: str) -> Target:
    return check_address("url", lambda: read_url(url, read_allowed_addresses(app_state().settings)))


def check_address(field: str, read: Callable[[], T]) -> T:
    """Parse the address of a webhook. Raises 422 for the field."""
    try:
        return read()
    except BadAddress as error:
        raise wrong_fields({field: [str(error)]}) from None


def _kinds(wanted: Sequence[str]) -> str:
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
