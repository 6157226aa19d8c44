"""Serves what a webhook was sent: the log of its deliveries, a trial, and those that are made again."""

from typing import Annotated, Any, Final

from flask import Blueprint, Response

from api.http.app_state import here
from api.http.auth import me
from api.http.bodies import body, load, query, refused
from api.http.fields import Moment, Strict
from api.http.idempotency import IDEMPOTENCY_KEY, drawn, key, once
from api.http.openapi_operations import (
    REPLAYED,
    Answer,
    Body,
    Operation,
    Reply,
    Timestamp,
    among,
    says,
)
from api.http.present import answer, time_or_none
from api.http.problems import Problem
from api.http.schemas import NothingBody, PageQuery, said, shaped
from api.resources.webhook_routes import WEBHOOK_ID, mine
from events.notify import webhooks
from events.notify.notices import KINDS, TEST
from events.notify.webhooks import LoggedDelivery
from events.service import requests
from events.times import write_time

bp = Blueprint("deliveries", __name__, url_prefix="/v1/players/me")

LONGEST_CURSOR: Final = 18


class ReplayDeliveriesBody(Strict):
    """The body says what is to be sent again, in one of two ways."""

    one_alone = True
    since = Moment(**said("Every notice that has failed or was missed since then."))
    notice = shaped("msg_[a-z2-7]{32}", **said("This notice, by its header `webhook-id`."))


class NoticedAnswer(Answer):
    notice: Annotated[str, says("The header `webhook-id` of the notice.")]


class ReplayedAnswer(Answer):
    deliveries: Annotated[int, says("How many notices are sent again.")]


class DeliveryAnswer(Answer):
    notice: Annotated[str, says("The header `webhook-id`.")]
    type: Annotated[str, among((*KINDS, TEST)), says("What the notice tells.")]
    match: Annotated[str | None, says("The id of the match, where it is about one.")]
    tournament: Annotated[str | None, says("The id of the tournament, where it is about one.")]
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
    """Test a webhook.

    A notice of the type `test` is sent to it soon, and tried again like any other; `notice` finds it among the
    deliveries.
    """
    me()
    given = body(optional=True)
    webhook, asked = mine(webhook_id), key(given)

    def do(_: Any = None) -> Response:
        load(NothingBody(), given)
        if webhook.state != "enabled":
            raise Problem("webhook_disabled")
        mark = int.from_bytes(drawn("test", asked)[:3])
        notice = webhooks.test(here().store, webhook, mark, here().context.now())
        requests.remember(here().context, asked)
        return answer(NoticedAnswer(notice), 202)

    return once(asked, do, do)


@bp.post("/webhooks/<webhook_id>/replay")
@Operation(
    id="replayWebhook",
    tag="notifications",
    scope="webhooks",
    parameters=(WEBHOOK_ID, IDEMPOTENCY_KEY),
    body=Body(ReplayDeliveriesBody(), example={"since": "2026-11-20T00:00:00Z"}),
    replies={202: Reply("The number of deliveries that are on their way.", ReplayedAnswer, headers=(REPLAYED,))},
    refuses=("not_found", "webhook_disabled"),
)
def replay(webhook_id: str) -> Response:
    """Replay webhook deliveries.

    `since`: all that failed or was missed from then on; `notice`: one, also if it was delivered. They come with
    the ids that they had.
    """
    me()
    given = body()
    webhook, asked = mine(webhook_id), key(given)

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
        requests.remember(here().context, asked, None, count)
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
    """List webhook deliveries.

    Kept for 30 days. Of an answer only the status is kept.
    """
    me()
    webhook = mine(webhook_id)
    asked = query(PageQuery())
    found = webhooks.delivery_log(here().store, webhook.webhook_id, _cursor(asked.get("cursor")), asked["limit"] + 1)
    page = found[: asked["limit"]]
    more = str(page[-1].notice_no) if len(found) > len(page) else None
    return answer(DeliveriesAnswer([_line(line) for line in page], more))


def _cursor(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_CURSOR):
        raise refused({"cursor": ["Send the `next` of the page before."]})
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
