"""Creates, shows, changes, tests and deletes the webhooks of players."""

import json
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from domain.core.values import value
from events.notify import lanes
from events.notify.ledger import NOTICE, check_there, open_lanes, set_alarms_of
from events.notify.notices import TEST, Notice
from events.notify.signatures import MOST_OLD, ROTATED_MS, signing_old_secrets
from events.store.protocol import Store
from events.store.schema.notice_schema import attempts, deliveries, notices, webhooks
from events.store.schema.notice_schema import lanes as lane_table

MOST: Final = 10
"""Maximum webhooks per player."""


class TooMany(Exception):
    """The player has the maximum number of webhooks."""


class RotatedTooOften(Exception):
    """The maximum number of secrets of the webhook still sign; `until_ms` is the time until which the oldest does."""

    def __init__(self, until_ms: int) -> None:
        super().__init__(f"too many secrets sign, the oldest until {until_ms}")
        self.until_ms = until_ms


@value
class Webhook:
    """A webhook as its player sees it; `secret` is shown only at its creation."""

    webhook_id: str
    player_id: str
    url: str
    host: str
    events: str
    """The kinds of notices that it gets, separated by spaces."""
    secret: str
    state: str
    created_ms: int
    failing_ms: int | None
    disabled_ms: int | None
    old_secrets: str


@value
class LoggedDelivery:
    """A line of the delivery log: a notice, its state, and its last try."""

    notice_no: int
    notice_id: str
    notice: Notice
    state: str
    attempts: int
    at_ms: int | None
    took_ms: int | None
    status: int | None
    error: str | None
    next_ms: int | None


OF_A_WEBHOOK: Final = (deliveries, lane_table, attempts)
"""The tables whose rows belong to a webhook."""

WEBHOOK: Final = tuple(webhooks.c[name] for name in Webhook.__dataclass_fields__)


@value
class Subscription:
    """The settings of a webhook: its address, the host of it, and its types of notifications."""

    url: str
    host: str
    events: str


def add(store: Store, webhook_id: str, player_id: str, wanted: Subscription, secret: str, now: int) -> bool:
    """Create a webhook; return False if its id exists. Raise `TooMany` and `Gone`."""
    row = {
        "webhook_id": webhook_id,
        "player_id": player_id,
        "url": wanted.url,
        "host": wanted.host,
        "events": wanted.events,
        "secret": secret,
        "state": "enabled",
        "created_ms": now,
    }

    def work(connection: Connection) -> None:
        check_there(connection, player_id)
        mine = select(func.count()).where(webhooks.c.player_id == player_id)
        if connection.execute(mine).scalar_one() >= MOST:
            raise TooMany
        connection.execute(insert(webhooks).values(row))
        set_alarms_of(connection, player_id)

    try:
        store.write(work)
    except IntegrityError:
        return False
    return True


def of_player(store: Store, player_id: str) -> list[Webhook]:
    """Return a player's webhooks, the oldest first."""
    w = webhooks.c
    query = select(*WEBHOOK).where(w.player_id == player_id).order_by(w.created_ms, w.webhook_id)
    return [Webhook(*row) for row in store.read(query)]


def webhook_of_player(store: Store, player_id: str, webhook_id: str) -> Webhook | None:
    """Return a webhook, if it is the player's."""
    return next((w for w in of_player(store, player_id) if w.webhook_id == webhook_id), None)


def change(store: Store, webhook: Webhook, wanted: Subscription, *, enabled: bool, now: int) -> None:
    """Change the address of a webhook and the notices that it gets, enable it, or pause it."""

    def work(connection: Connection) -> None:
        here = webhooks.c.webhook_id == webhook.webhook_id
        connection.execute(update(webhooks).where(here).values(**asdict(wanted)))
        if not enabled and webhook.state == "enabled":
            lanes.disable(connection, webhook.webhook_id, "paused", now)
        elif enabled:
            connection.execute(
                update(webhooks)
                .where(here, webhooks.c.state != "enabled")
                .values(state="enabled", failing_ms=None, disabled_ms=None)
            )
            d = deliveries.c
            left = select(d.match_no).where(d.webhook_id == webhook.webhook_id, d.state == "pending").distinct()
            lanes_of = {(webhook.webhook_id, row.match_no): wanted.host for row in connection.execute(left)}
            open_lanes(connection, lanes_of, now)

    store.write(work)


def remove(store: Store, webhook_id: str) -> None:
    """Delete a webhook and all its records."""

    def work(connection: Connection) -> None:
        for table in (webhooks, *OF_A_WEBHOOK):
            connection.execute(delete(table).where(table.c.webhook_id == webhook_id))

    store.write(work)


def rotate(store: Store, webhook: Webhook, secret: str, now: int) -> int:
    """Replace the secret; return the time until which the replaced one also signs. Raise `RotatedTooOften`.

    The same secret again changes nothing.
    """
    until, w = now + ROTATED_MS, webhooks.c
    here = w.webhook_id == webhook.webhook_id

    def work(connection: Connection) -> None:
        row = connection.execute(select(w.secret, w.old_secrets).where(here).with_for_update()).first()
        if row is None or row.secret == secret:
            return
        old = signing_old_secrets(row.old_secrets, now)
        if len(old) >= MOST_OLD:
            raise RotatedTooOften(old[0][1])
        kept = json.dumps([*old, (row.secret, until)])
        connection.execute(update(webhooks).where(here).values(secret=secret, old_secrets=kept))

    store.write(work)
    return until


def test(store: Store, webhook: Webhook, mark: int, now: int) -> str:
    """Queue a test notice; return its id. The same `mark` is the same test."""
    notice = Notice(webhook.player_id, 0, "", "", TEST, None, mark, now)
    notice_id = notice.notice_id

    def work(connection: Connection) -> None:
        known = select(notices.c.notice_no).where(notices.c.notice_id == notice_id)
        if connection.execute(known).first():
            return
        columns = {name: getattr(notice, name) for name in Notice.__dataclass_fields__}
        added = insert(notices).values(**columns, notice_id=notice_id).returning(notices.c.notice_no)
        number = connection.execute(added).scalar_one()
        row = {
            "webhook_id": webhook.webhook_id,
            "notice_no": number,
            "match_no": 0,
            "state": "pending",
            "attempts": 0,
        }
        connection.execute(insert(deliveries).values(row))
        open_lanes(connection, {(webhook.webhook_id, 0): webhook.host}, now)

    store.write(work)
    return notice_id


def replay(store: Store, webhook_id: str, now: int, *, since: int | None = None, notice_id: str | None = None) -> int:
    """Queue failed or missed deliveries since a time again, or one notice even if it was delivered."""
    return store.write(lambda connection: lanes.replay(connection, webhook_id, now, since=since, notice_id=notice_id))


def delivery_log(store: Store, webhook_id: str, before: int | None, limit: int) -> list[LoggedDelivery]:
    """Return the delivery log, the latest notice first, from before a notice's number."""
    d, a = deliveries.c, attempts.c
    last = (
        select(func.max(attempts.c.attempt_no))
        .where(a.webhook_id == d.webhook_id, a.notice_no == d.notice_no)
        .correlate(deliveries)
        .scalar_subquery()
    )
    tried: Any = (a.at_ms, a.took_ms, a.status, a.error, a.next_ms)
    query = (
        select(d.notice_no, notices.c.notice_id, d.state, d.attempts, *tried, *NOTICE)
        .join(notices, notices.c.notice_no == d.notice_no)
        .outerjoin(attempts, a.attempt_no == last)
        .where(d.webhook_id == webhook_id)
        .order_by(d.notice_no.desc())
        .limit(limit)
    )
    if before is not None:
        query = query.where(d.notice_no < before)
    return [LoggedDelivery(row[0], row[1], Notice(*row[9:]), row[2], row[3], *row[4:9]) for row in store.read(query)]
