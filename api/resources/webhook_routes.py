"""Serves the caller's webhooks, and the notice they get before a deadline."""

import hmac
import secrets
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, TypeVar

from flask import Blueprint, Response
from marshmallow import fields, validate
from msgspec import structs

from api.http.app_state import here
from api.http.auth import me, token
from api.http.bodies import body, load, query, refused
from api.http.fields import Flag, Moment, Strict, Whole
from api.http.idempotency import IDEMPOTENCY_KEY, key, once
from api.http.openapi_operations import (
    LOCATION,
    REPLAYED,
    Answer,
    Body,
    Operation,
    Parameter,
    Reply,
    Timestamp,
    among,
    says,
)
from api.http.prefix import address_of
from api.http.present import answer, nothing, time_or_none
from api.http.problems import Problem
from api.http.schemas import NothingBody, PageQuery, one_of, said, shaped
from events.ids import from_bytes
from events.notify import ledger, webhooks
from events.notify.addresses import LONGEST, BadAddress, Target, allowed, read_url
from events.notify.notices import KINDS, TEST
from events.notify.signatures import new_secret
from events.notify.webhooks import LoggedDelivery, TooMany
from events.service import requests
from events.store.records import Idempotency, Remembered
from events.times import write_time

T = TypeVar("T")

bp = Blueprint("webhooks", __name__, url_prefix="/v1/players/me")

LONGEST_CURSOR: Final = 18

WEBHOOK_ID: Final = Parameter("webhook_id", "path", "The id of the webhook.")

URL: Final = {
    "description": "Where notices are to be sent.",
    "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$",
    "minLength": 9,
    "maxLength": LONGEST,
}
"""Every address has this form; `events.notify.addresses` says the rest."""


class NoticesBody(Strict):
    """This says when you want to be told."""

    deadline_near_seconds = Whole(
        required=True,
        validate=validate.Range(60, 30 * 24 * 3600),
        **said("How many seconds before a deadline you are told of it."),
    )


class NewWebhookBody(Strict):
    """The body says where notices are to be sent, and which."""

    url = fields.String(required=True, metadata=URL)
    events = fields.List(
        one_of(*KINDS), load_default=list(KINDS), **said("The kinds of notices that are sent; by default all.")
    )


class WebhookChangeBody(Strict):
    """The webhook as it is to be."""

    url = fields.String(required=True, metadata=URL)
    events = fields.List(one_of(*KINDS), required=True, **said("The kinds of notices that are sent."))
    enabled = Flag(load_default=True, **said("Whether notices are sent; by default they are."))


class ReplayDeliveriesBody(Strict):
    """The body says what is to be sent again, in one of two ways."""

    one_alone = True
    since = Moment(**said("Every notice that has failed or was missed since then."))
    notice = shaped("msg_[a-z2-7]{32}", **said("This notice, by its header `webhook-id`."))


class NoticesAnswer(Answer):
    deadline_near_seconds: Annotated[int, says("How many seconds before a deadline you are told of it.")]


class WebhookAnswer(Answer):
    id: Annotated[str, says("The id of the webhook.")]
    url: Annotated[str, says("Where notices are sent.")]
    events: Annotated[list[Annotated[str, among(KINDS)]], says("The kinds of notices that are sent.")]
    state: Annotated[
        str,
        among(("enabled", "paused", "failing", "gone")),
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
    next: Annotated[None, says("Always null: all of them are here.")]


class NewSecretAnswer(Answer):
    secret: Secret
    old_secret_until: Annotated[Timestamp, says("Until when notices are signed with the old one too.")]


class NoticedAnswer(Answer):
    notice: Annotated[str, says("The header `webhook-id` of the notice.")]


class ReplayedAnswer(Answer):
    deliveries: Annotated[int, says("How many notices are sent again.")]


class DeliveryAnswer(Answer):
    notice: Annotated[str, says("The header `webhook-id`.")]
    type: Annotated[str, among((*KINDS, TEST)), says("What the notice tells.")]
    match: Annotated[str | None, says("The id of the match; null in a test.")]
    version: Annotated[int, says("The event since which it is so.")]
    noticed_at: Annotated[Timestamp, says("When that happened.")]
    state: Annotated[str, among(("pending", "delivered", "failed", "missed")), says("What has become of it.")]
    attempts: Annotated[int, says("How often it was sent.")]
    last_at: Annotated[Timestamp | None, says("When it was sent last; null: it was not.")]
    last_ms: Annotated[int | None, says("After how many milliseconds the last answer came; null: none did.")]
    last_status: Annotated[int | None, says("The status of the last answer; null: there was none.")]
    last_error: Annotated[
        str | None, says("Why there was no answer; `address`: the name leads nowhere, or where nobody may call.")
    ]
    next_try: Annotated[Timestamp | None, says("When it is sent again; null: it is not.")]


class DeliveriesAnswer(Answer):
    items: Annotated[list[DeliveryAnswer], says("The deliveries, the latest first.")]
    next: Annotated[str | None, says("The `cursor` of the next page; null on the last.")]


@bp.get("/notices")
@Operation(
    id="getNotices",
    tag="notifications",
    scope="webhooks",
    replies={200: Reply("How.", NoticesAnswer)},
)
def show_notices() -> Response:
    """Show how you are told.

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
    """Change how you are told.

    `deadline_near_seconds`: so long before a deadline you are told that it is near; but not before half of the
    time has passed.
    """
    player = me().player_id
    seconds = load(NoticesBody(), body())["deadline_near_seconds"]
    ledger.set_near_seconds(here().store, player, seconds)
    return show_notices()


@bp.post("/webhooks")
@Operation(
    id="createWebhook",
    tag="notifications",
    scope="webhooks",
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(NewWebhookBody()),
    replies={
        201: Reply(
            "The webhook, with its secret.",
            WebhookWithSecretAnswer,
            headers=(LOCATION, REPLAYED),
        )
    },
    refuses=("not_found", "too_many_webhooks"),
)
def create() -> Response:
    """Be told by a webhook.

    The secret is shown this once; requests are signed with it as Standard Webhooks 1.0 says. Only https and
    addresses that are global can be called, unless the server is set up otherwise; no redirect is followed. At
    most ten webhooks a player.
    """
    player, given = me().player_id, body()
    asked = key(given)

    def do() -> Response:
        wanted = load(NewWebhookBody(), given)
        set_to = _subscription(wanted)
        secret = new_secret(drawn("secret", asked))
        webhook_id = from_bytes(drawn("webhook", asked))
        now = here().context.now()
        try:
            webhooks.add(here().store, webhook_id, player, set_to, secret, now)
        except TooMany:
            raise Problem("too_many_webhooks") from None
        _remember(asked)
        return _made(webhook_id, secret)

    def again(_: Remembered) -> Response:
        return _made(from_bytes(drawn("webhook", asked)), new_secret(drawn("secret", asked)))

    return once(asked, do, again)


def _made(webhook_id: str, secret: str) -> Response:
    shown = WebhookWithSecretAnswer(**structs.asdict(_shown(_mine(webhook_id))), secret=secret)
    return answer(shown, 201, headers={"Location": address_of(f"/v1/players/me/webhooks/{webhook_id}")})


@bp.get("/webhooks")
@Operation(
    id="listWebhooks",
    tag="notifications",
    scope="webhooks",
    replies={200: Reply("Your webhooks.", WebhooksAnswer)},
)
def index() -> Response:
    """List your webhooks.

    Also those that are disabled, and since when; their secrets are not shown.
    """
    return answer(WebhooksAnswer([_shown(one) for one in webhooks.of_player(here().store, me().player_id)], None))


@bp.get("/webhooks/<webhook_id>")
@Operation(
    id="getWebhook",
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    replies={200: Reply("The webhook.", WebhookAnswer)},
    refuses=("not_found",),
)
def show(webhook_id: str) -> Response:
    """Show a webhook.

    Its state says whether notices are sent to it. `GET …/deliveries` tells what has become of each of them.
    """
    me()
    return answer(_shown(_mine(webhook_id)))


@bp.put("/webhooks/<webhook_id>")
@Operation(
    id="changeWebhook",
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    body=Body(WebhookChangeBody()),
    replies={200: Reply("The webhook.", WebhookAnswer)},
    refuses=("not_found",),
)
def change(webhook_id: str) -> Response:
    """Change a webhook.

    With `enabled: true` a webhook that was disabled is told again what happens from now on; what it missed can
    be replayed.
    """
    me()
    given = body()
    webhook = _mine(webhook_id)
    wanted = load(WebhookChangeBody(), given)
    set_to = _subscription(wanted)
    now = here().context.now()
    webhooks.change(here().store, webhook, set_to, enabled=wanted["enabled"], now=now)
    return answer(_shown(_mine(webhook_id)))


@bp.delete("/webhooks/<webhook_id>")
@Operation(
    id="deleteWebhook",
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    replies={204: Reply("It is gone.")},
    refuses=("not_found",),
)
def delete(webhook_id: str) -> Response:
    """Delete a webhook.

    Nothing more is sent to it, what waits for another try neither, and the list of its deliveries is gone.
    """
    me()
    webhooks.remove(here().store, _mine(webhook_id).webhook_id)
    return nothing()


@bp.post("/webhooks/<webhook_id>/secret")
@Operation(
    id="rotateSecret",
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(NothingBody(), required=False),
    replies={201: Reply("The new secret.", NewSecretAnswer, headers=(REPLAYED,))},
    refuses=("not_found",),
)
def rotate(webhook_id: str) -> Response:
    """Change the secret of a webhook.

    For a day every request carries two signatures, by the new secret and by the old one.
    """
    me()
    given = body(optional=True)
    webhook, asked = _mine(webhook_id), key(given)

    def do() -> Response:
        load(NothingBody(), given)
        secret = new_secret(drawn("rotated", asked))
        until = webhooks.rotate(here().store, webhook, secret, here().context.now())
        _remember(asked)
        return answer(NewSecretAnswer(secret, write_time(until)), 201)

    def again(_: Remembered) -> Response:
        secret, now = new_secret(drawn("rotated", asked)), _mine(webhook_id)
        if now.secret != secret:
            # It has been replaced since.
            raise Problem("not_found")
        return answer(NewSecretAnswer(secret, write_time(now.old_until_ms or 0)), 201)

    return once(asked, do, again)


@bp.post("/webhooks/<webhook_id>/test")
@Operation(
    id="testWebhook",
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(NothingBody(), required=False),
    replies={202: Reply("A notice of type `test` is on its way.", NoticedAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "webhook_disabled"),
)
def test(webhook_id: str) -> Response:
    """Try a webhook.

    A notice of the type `test` is sent to it soon, and tried again like any other; `notice` finds it among the
    deliveries.
    """
    me()
    given = body(optional=True)
    webhook, asked = _mine(webhook_id), key(given)

    def do(_: Any = None) -> Response:
        load(NothingBody(), given)
        if webhook.state != "enabled":
            raise Problem("webhook_disabled")
        mark = int.from_bytes(drawn("test", asked)[:3])
        notice = webhooks.test(here().store, webhook, mark, here().context.now())
        _remember(asked)
        return answer(NoticedAnswer(notice), 202)

    return once(asked, do, do)


@bp.post("/webhooks/<webhook_id>/replay")
@Operation(
    id="replayWebhook",
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(ReplayDeliveriesBody(), example={"since": "2026-11-20T00:00:00Z"}),
    replies={202: Reply("So many are on their way.", ReplayedAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "webhook_disabled"),
)
def replay(webhook_id: str) -> Response:
    """Have deliveries made again.

    `since`: all that failed or was missed from then on; `notice`: one, also if it was delivered. They come with
    the ids that they had.
    """
    me()
    given = body()
    webhook, asked = _mine(webhook_id), key(given)

    def do() -> Response:
        wanted = load(ReplayDeliveriesBody(), given)
        if ("since" in wanted) == ("notice" in wanted):
            raise refused({"_schema": ["Name either a time, since, or a notice."]})
        if webhook.state != "enabled":
            raise Problem("webhook_disabled")
        count = webhooks.replay(
            here().store,
            webhook_id,
            here().context.now(),
            since=wanted.get("since"),
            notice_id=wanted.get("notice"),
        )
        if "notice" in wanted and not count and not _pending(webhook_id, wanted["notice"]):
            raise Problem("not_found")
        _remember(asked, count)
        return answer(ReplayedAnswer(count), 202)

    return once(asked, do, lambda done: answer(ReplayedAnswer(done.first or 0), 202))


def _pending(webhook_id: str, notice: str) -> bool:
    return any(
        delivery.notice_id == notice for delivery in webhooks.delivery_log(here().store, webhook_id, None, 1_000)
    )


@bp.get("/webhooks/<webhook_id>/deliveries")
@Operation(
    id="listDeliveries",
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    query=PageQuery(),
    replies={200: Reply("The latest first.", DeliveriesAnswer)},
    refuses=("not_found",),
)
def deliveries(webhook_id: str) -> Response:
    """List what a webhook was told.

    Kept for 30 days. Of an answer only the status is kept.
    """
    me()
    webhook = _mine(webhook_id)
    asked = query(PageQuery())
    found = webhooks.delivery_log(here().store, webhook.webhook_id, _cursor(asked.get("cursor")), asked["limit"] + 1)
    page = found[: asked["limit"]]
    more = str(page[-1].notice_no) if len(found) > len(page) else None
    return answer(DeliveriesAnswer([_line(line) for line in page], more))


# --- What they share ----------------------------------------------------------------------------------


def drawn(purpose: str, asked: Idempotency | None) -> bytes:
    """Draw 32 random bytes; for a request with a key, the same for the same purpose of the same request."""
    if asked is None:
        return secrets.token_bytes(32)
    return hmac.digest((token() or "").encode(), f"{purpose}|{asked.key_hash.hex()}".encode(), "sha256")


def _remember(asked: Idempotency | None, number: int | None = None) -> None:
    requests.remember(here().context, asked, None, number)


def _mine(webhook_id: str) -> webhooks.Webhook:
    found = webhooks.one(here().store, me().player_id, webhook_id)
    if found is None:
        raise Problem("not_found")
    return found


def _subscription(wanted: Mapping[str, Any]) -> webhooks.Subscription:
    return webhooks.Subscription(wanted["url"], _target(wanted["url"]).site, _kinds(wanted["events"]))


def _target(url: str) -> Target:
    return checked("url", lambda: read_url(url, allowed(here().settings)))


def checked(field: str, read: Callable[[], T]) -> T:
    """Read something that has to be an address. Raises 422 for the field."""
    try:
        return read()
    except BadAddress as error:
        raise refused({field: [str(error)]}) from None


def _kinds(wanted: list[str]) -> str:
    return " ".join(kind for kind in KINDS if kind in wanted)


def _cursor(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_CURSOR):
        raise refused({"cursor": ["Send the `next` of the page before."]})
    return int(text)


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


def _line(delivery: LoggedDelivery) -> DeliveryAnswer:
    return DeliveryAnswer(
        notice=delivery.notice_id,
        type=delivery.notice.kind,
        match=delivery.notice.match_id or None,
        version=delivery.notice.version,
        noticed_at=write_time(delivery.notice.at_ms),
        state=delivery.state,
        attempts=delivery.attempts,
        last_at=time_or_none(delivery.at_ms),
        last_ms=None if delivery.error == "address" else delivery.took_ms,
        last_status=delivery.status,
        last_error=delivery.error,
        next_try=time_or_none(delivery.next_ms) if delivery.state == "pending" else None,
    )
