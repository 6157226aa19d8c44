"""The caller's webhooks, and how soon before a deadline he is told."""

import hmac
import secrets
from collections.abc import Callable
from typing import Any, Final, TypeVar

from flask import Blueprint, Response

from api.http.auth import me, token
from api.http.bodies import body, load, query, refused
from api.http.context import here
from api.http.idempotency import key, once
from api.http.present import answer, listed, nothing, time_or_none
from api.http.problems import Problem
from api.http.schemas import Nothing, Notices, PageQuery, ReplayDeliveries, Webhook, WebhookChange
from events.ids import from_bytes
from events.notify import ledger, webhooks
from events.notify.addresses import BadAddress, Target, allowed, read_url
from events.notify.notices import KINDS
from events.notify.signatures import new_secret
from events.notify.webhooks import Told, TooMany
from events.store.records import Idempotency, Remembered
from events.times import write_time

T = TypeVar("T")

bp = Blueprint("webhooks", __name__, url_prefix="/v1/players/me")

LONGEST_CURSOR: Final = 18


@bp.get("/notices")
def show_notices() -> Response:
    """Show how the caller is told."""
    return answer({"deadline_near_seconds": ledger.near_seconds_of(here().store, me().player_id)})


@bp.put("/notices")
def change_notices() -> Response:
    """Change how the caller is told."""
    player = me().player_id
    seconds = load(Notices(), body())["deadline_near_seconds"]
    ledger.set_near_seconds(here().store, player, seconds)
    return show_notices()


@bp.post("/webhooks")
def create() -> Response:
    """Make a webhook, and show its secret this once."""
    player, given = me().player_id, body()
    asked = key(given)

    def do() -> Response:
        wanted = load(Webhook(), given)
        target, kinds = _target(wanted["url"]), _kinds(wanted["events"])
        secret = new_secret(drawn("secret", asked))
        webhook_id = from_bytes(drawn("webhook", asked))
        now = here().matches.now()
        try:
            webhooks.add(here().store, webhook_id, player, wanted["url"], target.site, kinds, secret, now)
        except TooMany:
            raise Problem("too_many_webhooks") from None
        _remember(asked)
        return _made(webhook_id, secret)

    def again(_: Remembered) -> Response:
        return _made(from_bytes(drawn("webhook", asked)), new_secret(drawn("secret", asked)))

    return once(asked, do, again)


def _made(webhook_id: str, secret: str) -> Response:
    webhook = _mine(webhook_id)
    headers = {"Location": f"/v1/players/me/webhooks/{webhook_id}"}
    return answer({**_shown(webhook), "secret": secret}, 201, headers=headers)


@bp.get("/webhooks")
def index() -> Response:
    """List the caller's webhooks."""
    return answer(listed([_shown(webhook) for webhook in webhooks.of_player(here().store, me().player_id)]))


@bp.get("/webhooks/<webhook_id>")
def show(webhook_id: str) -> Response:
    """Show one of the caller's webhooks."""
    me()
    return answer(_shown(_mine(webhook_id)))


@bp.put("/webhooks/<webhook_id>")
def change(webhook_id: str) -> Response:
    """Change a webhook."""
    me()
    given = body()
    webhook = _mine(webhook_id)
    wanted = load(WebhookChange(), given)
    target, kinds = _target(wanted["url"]), _kinds(wanted["events"])
    now = here().matches.now()
    webhooks.change(
        here().store, webhook, wanted["url"], target.site, kinds, enabled=wanted["enabled"], now=now
    )
    return answer(_shown(_mine(webhook_id)))


@bp.delete("/webhooks/<webhook_id>")
def delete(webhook_id: str) -> Response:
    """Delete a webhook, and what was noted of it."""
    me()
    webhooks.remove(here().store, _mine(webhook_id).webhook_id)
    return nothing()


@bp.post("/webhooks/<webhook_id>/secret")
def rotate(webhook_id: str) -> Response:
    """Give a webhook a new secret; for a day the old one signs too."""
    me()
    given = body(optional=True)
    webhook, asked = _mine(webhook_id), key(given)

    def do() -> Response:
        load(Nothing(), given)
        secret = new_secret(drawn("rotated", asked))
        until = webhooks.rotate(here().store, webhook, secret, here().matches.now())
        _remember(asked)
        return answer({"secret": secret, "old_secret_until": write_time(until)}, 201)

    def again(_: Remembered) -> Response:
        secret, now = new_secret(drawn("rotated", asked)), _mine(webhook_id)
        if now.secret != secret:
            raise Problem("not_found")  # it has been replaced since
        return answer({"secret": secret, "old_secret_until": write_time(now.old_until_ms or 0)}, 201)

    return once(asked, do, again)


@bp.post("/webhooks/<webhook_id>/test")
def test(webhook_id: str) -> Response:
    """Have a test notice delivered."""
    me()
    given = body(optional=True)
    webhook, asked = _mine(webhook_id), key(given)

    def do(_: Any = None) -> Response:
        load(Nothing(), given)
        if webhook.state != "enabled":
            raise Problem("webhook_disabled")
        mark = int.from_bytes(drawn("test", asked)[:3])
        notice = webhooks.test(here().store, webhook, mark, here().matches.now())
        _remember(asked)
        return answer({"notice": notice}, 202)

    return once(asked, do, do)


@bp.post("/webhooks/<webhook_id>/replay")
def replay(webhook_id: str) -> Response:
    """Have deliveries made again."""
    me()
    given = body()
    webhook, asked = _mine(webhook_id), key(given)

    def do() -> Response:
        wanted = load(ReplayDeliveries(), given)
        if ("since" in wanted) == ("notice" in wanted):
            raise refused({"_schema": ["Name either a time, since, or a notice."]})
        if webhook.state != "enabled":
            raise Problem("webhook_disabled")
        count = webhooks.replay(
            here().store, webhook_id, here().matches.now(),
            since=wanted.get("since"), notice_id=wanted.get("notice"),
        )  # fmt: skip
        if "notice" in wanted and not count and not _pending(webhook_id, wanted["notice"]):
            raise Problem("not_found")
        _remember(asked, count)
        return answer({"deliveries": count}, 202)

    return once(asked, do, lambda done: answer({"deliveries": done.first or 0}, 202))


def _pending(webhook_id: str, notice: str) -> bool:
    return any(told.notice_id == notice for told in webhooks.told(here().store, webhook_id, None, 1_000))


@bp.get("/webhooks/<webhook_id>/deliveries")
def deliveries(webhook_id: str) -> Response:
    """List what a webhook was told, and how that went."""
    me()
    webhook = _mine(webhook_id)
    asked = query(PageQuery())
    told = webhooks.told(here().store, webhook.webhook_id, _cursor(asked.get("cursor")), asked["limit"] + 1)
    page = told[: asked["limit"]]
    more = str(page[-1].notice_no) if len(told) > len(page) else None
    return answer(listed([_line(line) for line in page], more))


# --- What they share ----------------------------------------------------------------------------------


def drawn(purpose: str, asked: Idempotency | None) -> bytes:
    """Draw 32 random bytes; for a request with a key, the same for the same purpose of the same request."""
    if asked is None:
        return secrets.token_bytes(32)
    return hmac.digest((token() or "").encode(), f"{purpose}|{asked.key_hash.hex()}".encode(), "sha256")


def _remember(asked: Idempotency | None, number: int | None = None) -> None:
    if asked is not None:
        here().store.remember(asked, here().matches.now(), None, number)


def _mine(webhook_id: str) -> webhooks.Webhook:
    found = webhooks.one(here().store, me().player_id, webhook_id)
    if found is None:
        raise Problem("not_found")
    return found


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


def _shown(webhook: webhooks.Webhook) -> dict[str, Any]:
    return {
        "id": webhook.webhook_id,
        "url": webhook.url,
        "events": webhook.events.split(),
        "state": webhook.state,
        "created_at": write_time(webhook.created_ms),
        "failing_since": time_or_none(webhook.failing_ms),
        "disabled_at": time_or_none(webhook.disabled_ms),
    }


def _line(told: Told) -> dict[str, Any]:
    return {
        "notice": told.notice_id,
        "type": told.notice.kind,
        "match": told.notice.match_id or None,
        "version": told.notice.version,
        "noticed_at": write_time(told.notice.at_ms),
        "state": told.state,
        "attempts": told.attempts,
        "last_at": time_or_none(told.at_ms),
        "last_ms": told.took_ms,
        "last_status": told.status,
        "last_error": told.error,
        "next_try": time_or_none(told.next_ms) if told.state == "pending" else None,
    }
