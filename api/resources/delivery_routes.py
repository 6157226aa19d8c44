"""Serves what a webhook was sent: the log of its deliveries, a trial, and those that are made again."""

from typing import Annotated, Any, Final

from flask import Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody, PageQuery
from api.http.idempotency import IDEMPOTENCY_KEY, draw_bytes, idempotency_key, run_once
from api.http.openapi_operations import REPLAYED, Answer, Body, NextCursor, Operation, Reply, Timestamp, one_of, says
from api.http.problems import Problem, wrong_fields
from api.http.request_parsing import load, read_body, read_query
from api.http.request_records import Request, matches
from api.http.responses import json_answer, time_or_none
from api.http.seat_entries import PAST
from api.resources.webhook_routes import WEBHOOK_ID, own_webhook
from domain.core.clock import Time
from domain.core.options import Omissible
from events.notify import webhooks
from events.notify.notices import KINDS, TEST
from events.notify.webhooks import LoggedDelivery
from events.service import request_keys
from events.times import write_time

LONGEST_CURSOR: Final = 18


class ReplayDeliveriesBody(Request):
    """The notifications to send again, by `since` or `notice`."""

    one_alone = True
    since: Omissible[Annotated[Time, PAST]] = None
    """All notifications that failed or were missed since then."""
    notice: Omissible[Annotated[str, matches("msg_[a-z2-7]{32}", "the id of a notification, such as `msg_…`")]] = None
    """The `webhook-id` of one notification."""


class NoticedAnswer(Answer):
    notice: Annotated[str, says("The header `webhook-id` of the notification.")]


class ReplayedAnswer(Answer):
    deliveries: Annotated[int, says("Number of notifications that are sent again.")]


class DeliveryAnswer(Answer):
    notice: Annotated[str, says("The header `webhook-id`.")]
    type: Annotated[str, one_of((*KINDS, TEST)), says("The type of the notification.")]
    match: Annotated[str | None, says("The id of the match, if any.")]
    tournament: Annotated[str | None, says("The id of the tournament, if any.")]
    version: Annotated[int, says("The event that caused it.")]
    noticed_at: Annotated[Timestamp, says("Time of that event.")]
    state: Annotated[str, one_of(("pending", "delivered", "failed", "missed")), says("The state of the delivery.")]
    attempts: Annotated[int, says("Number of attempts.")]
    last_at: Annotated[Timestamp | None, says("Time of the last attempt; null if none.")]
    last_ms: Annotated[int | None, says("Milliseconds until the last answer; null if none came.")]
    last_status: Annotated[int | None, says("The status of the last answer; null if none came.")]
    last_error: Annotated[
        str | None,
        says("Why there was no answer. `address`: the name does not resolve, or its address is not allowed."),
    ]
    next_try: Annotated[Timestamp | None, says("Time of the next attempt; null if none.")]


class DeliveriesAnswer(Answer):
    items: Annotated[list[DeliveryAnswer], says("The deliveries, the latest first.")]
    next: NextCursor


@Operation(
    tag="notifications",
    searches=("test webhook", "send test notification"),
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(NothingBody, required=False),
    replies={202: Reply("A notification of the type `test` is being sent.", NoticedAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "webhook_disabled"),
)
def test_webhook(webhook_id: str) -> Response:
    """Test a webhook.

    Sends a notification of the type `test`, with the usual retries. `notice` identifies it among the deliveries.
    """
    require_player()
    given = read_body(optional=True)
    webhook, asked = own_webhook(webhook_id), idempotency_key(given)

    def do(_: Any = None) -> Response:
        load(NothingBody, given)
        if webhook.state != "enabled":
            raise Problem("webhook_disabled")
        mark = int.from_bytes(draw_bytes("test", asked)[:3])
        notice = webhooks.test(app_state().store, webhook, mark, app_state().context.now())
        request_keys.remember_key(app_state().context, asked)
        return json_answer(NoticedAnswer(notice), 202)

    return run_once(asked, do, do)


@Operation(
    tag="notifications",
    searches=("resend webhook", "missed notifications"),
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(ReplayDeliveriesBody, example={"since": "2026-11-20T00:00:00Z"}),
    replies={202: Reply("The number of deliveries that are being sent again.", ReplayedAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "webhook_disabled"),
)
def replay_webhook(webhook_id: str) -> Response:
    """Replay webhook deliveries.

    Send `since` for all notifications that failed or were missed since then, or `notice` for one, even if it was
    delivered. They keep their ids.
    """
    require_player()
    given = read_body()
    webhook, asked = own_webhook(webhook_id), idempotency_key(given)

    def do() -> Response:
        wanted = load(ReplayDeliveriesBody, given)
        if (wanted.since is None) == (wanted.notice is None):
            raise wrong_fields({"_schema": ["Send either `since` or `notice`."]})
        if webhook.state != "enabled":
            raise Problem("webhook_disabled")
        count = webhooks.replay(
            app_state().store,
            webhook_id,
            app_state().context.now(),
            since=wanted.since,
            notice_id=wanted.notice,
        )
        if wanted.notice is not None and not count and not _pending(webhook_id, wanted.notice):
            raise Problem("not_found")
        request_keys.remember_key(app_state().context, asked, None, count)
        return json_answer(ReplayedAnswer(count), 202)

    return run_once(asked, do, lambda done: json_answer(ReplayedAnswer(done.first or 0), 202))


def _pending(webhook_id: str, notice: str) -> bool:
    return any(
        delivery.notice_id == notice for delivery in webhooks.delivery_log(app_state().store, webhook_id, None, 1_000)
    )


@Operation(
    tag="notifications",
    searches=("webhook log", "failed deliveries"),
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    query=PageQuery,
    replies={200: Reply("The deliveries, the latest first.", DeliveriesAnswer)},
    refuses=("not_found",),
)
def list_deliveries(webhook_id: str) -> Response:
    """List webhook deliveries.

    Deliveries are kept for 30 days. Of each answer, only the status is stored.
    """
    require_player()
    webhook = own_webhook(webhook_id)
    asked = read_query(PageQuery)
    found = webhooks.delivery_log(app_state().store, webhook.webhook_id, _cursor(asked.cursor), asked.limit + 1)
    page = found[: asked.limit]
    more = str(page[-1].notice_no) if len(found) > len(page) else None
    return json_answer(DeliveriesAnswer([_line(line) for line in page], more))


def _cursor(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_CURSOR):
        raise wrong_fields({"cursor": ["Send the unchanged `next` of the previous page."]})
    return int(text)


def _line(delivery: LoggedDelivery) -> DeliveryAnswer:
    return DeliveryAnswer(
        notice=delivery.notice_id,
        type=delivery.notice.kind,
        match=delivery.notice.match_id or None,
        tournament=delivery.notice.tournament_id or None,
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
