"""Serves what a webhook was sent: the log of its deliveries, a trial, and those that are made again."""

from typing import Annotated, Any, Final

from flask import Blueprint, Response

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.common_fields import NothingBody, PageQuery, doc, pattern_field
from api.http.idempotency import IDEMPOTENCY_KEY, draw_bytes, idempotency_key, run_once
from api.http.openapi_operations import REPLAYED, Answer, Body, NextCursor, Operation, Reply, Timestamp, one_of, says
from api.http.problems import Problem
from api.http.request_parsing import invalid_request, load, read_body, read_query
from api.http.responses import json_answer, time_or_none
from api.http.strict_fields import Moment, Strict
from api.resources.webhook_routes import WEBHOOK_ID, own_webhook
from events.notify import webhooks
from events.notify.notices import KINDS, TEST
from events.notify.webhooks import LoggedDelivery
from events.service import request_keys
from events.times import write_time

bp = Blueprint("deliveries", __name__, url_prefix="/v1/players/me")

LONGEST_CURSOR: Final = 18


class ReplayDeliveriesBody(Strict):
    """The body says what is to be sent again, in one of two ways."""

    one_alone = True
    since = Moment(**doc("Every notice that has failed or was missed since then."))
    notice = pattern_field("msg_[a-z2-7]{32}", **doc("This notice, by its header `webhook-id`."))


class NoticedAnswer(Answer):
    notice: Annotated[str, says("The header `webhook-id` of the notice.")]


class ReplayedAnswer(Answer):
    deliveries: Annotated[int, says("How many notices are sent again.")]


class DeliveryAnswer(Answer):
    notice: Annotated[str, says("The header `webhook-id`.")]
    type: Annotated[str, one_of((*KINDS, TEST)), says("What the notice tells.")]
    match: Annotated[str | None, says("The id of the match, where it is about one.")]
    tournament: Annotated[str | None, says("The id of the tournament, where it is about one.")]
    version: Annotated[int, says("The event that caused it.")]
    noticed_at: Annotated[Timestamp, says("When that happened.")]
    state: Annotated[str, one_of(("pending", "delivered", "failed", "missed")), says("What has become of it.")]
    attempts: Annotated[int, says("How often it was sent.")]
    last_at: Annotated[Timestamp | None, says("When it was sent last; null: it was not.")]
    last_ms: Annotated[int | None, says("After how many milliseconds the last answer came; null: none did.")]
    last_status: Annotated[int | None, says("The status of the last answer; null: there was none.")]
    last_error: Annotated[
        str | None,
        says("Why there was no answer. `address`: the name does not resolve, or its address is not allowed."),
    ]
    next_try: Annotated[Timestamp | None, says("When it is sent again; null: it is not.")]


class DeliveriesAnswer(Answer):
    items: Annotated[list[DeliveryAnswer], says("The deliveries, the latest first.")]
    next: NextCursor


@bp.post("/webhooks/<webhook_id>/test")
@Operation(
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(NothingBody(), required=False),
    replies={202: Reply("A notice of type `test` is on its way.", NoticedAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "webhook_disabled"),
)
def test_webhook(webhook_id: str) -> Response:
    """Test a webhook.

    A notice of the type `test` is sent to it soon, and tried again like any other; `notice` finds it among the
    deliveries.
    """
    require_player()
    given = read_body(optional=True)
    webhook, asked = own_webhook(webhook_id), idempotency_key(given)

    def do(_: Any = None) -> Response:
        load(NothingBody(), given)
        if webhook.state != "enabled":
            raise Problem("webhook_disabled")
        mark = int.from_bytes(draw_bytes("test", asked)[:3])
        notice = webhooks.test(app_state().store, webhook, mark, app_state().context.now())
        request_keys.remember_key(app_state().context, asked)
        return json_answer(NoticedAnswer(notice), 202)

    return run_once(asked, do, do)


@bp.post("/webhooks/<webhook_id>/replay")
@Operation(
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(ReplayDeliveriesBody(), example={"since": "2026-11-20T00:00:00Z"}),
    replies={202: Reply("The number of deliveries that are on their way.", ReplayedAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "webhook_disabled"),
)
def replay_webhook(webhook_id: str) -> Response:
    """Replay webhook deliveries.

    `since`: all that failed or were missed since then. `notice`: this one, even if it was delivered. They come with the
    ids that they had.
    """
    require_player()
    given = read_body()
    webhook, asked = own_webhook(webhook_id), idempotency_key(given)

    def do() -> Response:
        wanted = load(ReplayDeliveriesBody(), given)
        if ("since" in wanted) == ("notice" in wanted):
            raise invalid_request({"_schema": ["Send either `since` or `notice`."]})
        if webhook.state != "enabled":
            raise Problem("webhook_disabled")
        count = webhooks.replay(
            app_state().store,
            webhook_id,
            app_state().context.now(),
            since=wanted.get("since"),
            notice_id=wanted.get("notice"),
        )
        if "notice" in wanted and not count and not _pending(webhook_id, wanted["notice"]):
            raise Problem("not_found")
        request_keys.remember_key(app_state().context, asked, None, count)
        return json_answer(ReplayedAnswer(count), 202)

    return run_once(asked, do, lambda done: json_answer(ReplayedAnswer(done.first or 0), 202))


def _pending(webhook_id: str, notice: str) -> bool:
    return any(
        delivery.notice_id == notice for delivery in webhooks.delivery_log(app_state().store, webhook_id, None, 1_000)
    )


@bp.get("/webhooks/<webhook_id>/deliveries")
@Operation(
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID,),
    query=PageQuery(),
    replies={200: Reply("The latest first.", DeliveriesAnswer)},
    refuses=("not_found",),
)
def list_deliveries(webhook_id: str) -> Response:
    """List webhook deliveries.

    Kept for 30 days. Of an answer only the status is kept.
    """
    require_player()
    webhook = own_webhook(webhook_id)
    asked = read_query(PageQuery())
    found = webhooks.delivery_log(
        app_state().store, webhook.webhook_id, _cursor(asked.get("cursor")), asked["limit"] + 1
    )
    page = found[: asked["limit"]]
    more = str(page[-1].notice_no) if len(found) > len(page) else None
    return json_answer(DeliveriesAnswer([_line(line) for line in page], more))


def _cursor(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_CURSOR):
        raise invalid_request({"cursor": ["Send the `next` of the previous page."]})
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
