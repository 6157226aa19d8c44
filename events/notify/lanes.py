"""A lane holds a webhook's deliveries of one match, which are made one after the other.

A later notice waits for the earlier one.

A lane exists as long as something in it is pending. The dispatcher claims it with a lease, a worker takes it and
renews the lease with every delivery; what it notes counts only while the lease that it knows is in force, so that a
worker whose lane was given to another cannot spoil the order. A worker that is killed between delivery and note
leaves the delivery pending: it is made again, with the same id.
"""

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection, and_, delete, func, insert, select, tuple_, update

from events.notify.ledger import NOTICE, open_lanes
from events.notify.notices import Notice
from events.store.protocol import Store
from events.store.schema import attempts, deliveries, lanes, notices, webhooks

SCHEDULE: Final = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds from each failed try to the next, as Standard Webhooks proposes; the first try is made at once."""
JITTER: Final = 0.1
"""Jitter, as a share of the delay."""

FAILING_MS: Final = 3 * 24 * 3600 * 1000
"""The time without a success after which a webhook is disabled when a delivery is given up, in milliseconds."""

LEASE_MS: Final = 60_000
"""The lease of a claimed lane, and of a worker for each delivery, in milliseconds."""

PER_HOST: Final = 4
"""The most lanes to one site, with all names of its hosts, that are worked on at the same time."""
PER_PLAYER: Final = 4
"""The most lanes of one player that are worked on at the same time."""

GONE: Final = 410


@dataclass(slots=True, frozen=True)
class Lane:
    """This is a claimed lane; `lease_ms` identifies the claim."""

    webhook_id: str
    match_no: int
    lease_ms: int


@dataclass(slots=True, frozen=True)
class Delivery:
    """A delivery says what is delivered next in a lane, to which address, and signed by which secrets."""

    notice_no: int
    notice_id: str
    notice: Notice
    url: str
    secrets: tuple[str, ...]
    attempts: int  # that have failed


@dataclass(slots=True, frozen=True)
class Tried:
    """This is the outcome of a try: the status that was answered, or a word for why there was none."""

    at_ms: int
    took_ms: int
    status: int | None = None
    error: str | None = None

    @property
    def delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def claim(store: Store, now: int, limit: int = 100) -> list[Lane]:
    """Take lanes in which something is to be delivered, fairly among hosts and players; no two callers get the same."""
    c = lanes.c
    found = store.read(_ready(now, limit))
    if not found:
        return []
    whose = func.coalesce(webhooks.c.player_id, "")
    at_work = select(c.host, whose).outerjoin(webhooks, webhooks.c.webhook_id == c.webhook_id)
    busy = Counter(
        name for row in store.read(at_work.where(c.lease_ms > now)) for name in (("to", row[0]), ("of", row[1]))
    )
    chosen = [
        (r.webhook_id, r.match_no)
        for r in found
        if r.to_host + busy["to", r.host] <= PER_HOST and r.of_player + busy["of", r.player] <= PER_PLAYER
    ]
    if not chosen:
        return []
    lease = now + LEASE_MS
    taking = (
        update(lanes)
        .where(tuple_(c.webhook_id, c.match_no).in_(chosen), c.claimable_ms <= now)
        .values(claimable_ms=lease, lease_ms=lease, taken=False)
        .returning(c.webhook_id, c.match_no)
    )
    taken = store.write(lambda connection: connection.execute(taking).all())
    return [Lane(row.webhook_id, row.match_no, lease) for row in taken]


def _ready(now: int, limit: int) -> Any:
    """Ask for lanes that can be claimed: a few of each player with a share left, and of these a few to each host."""
    c, w = lanes.c, webhooks.c
    whose = func.coalesce(w.player_id, "")
    joined = lanes.outerjoin(webhooks, w.webhook_id == c.webhook_id)
    full = select(whose).select_from(joined).where(c.lease_ms > now).group_by(whose).having(func.count() >= PER_PLAYER)
    of_player = func.row_number().over(partition_by=whose, order_by=c.claimable_ms).label("of_player")
    mine = (
        select(c.webhook_id, c.match_no, c.host, c.claimable_ms, whose.label("player"), of_player)
        .select_from(joined)
        .where(c.claimable_ms <= now, whose.not_in(full))
        .subquery()
    )
    to_host = func.row_number().over(partition_by=mine.c.host, order_by=mine.c.claimable_ms).label("to_host")
    some = select(mine, to_host).where(mine.c.of_player <= PER_PLAYER).subquery()
    return select(some).where(some.c.to_host <= PER_HOST).order_by(some.c.claimable_ms).limit(limit)


def next_claimable(store: Store) -> int | None:
    """Say when the next lane can be claimed, at the earliest; None if there is none."""
    earliest: int | None = store.read(select(func.min(lanes.c.claimable_ms)))[0][0]
    return earliest


def release(store: Store, lane: Lane, at: int) -> None:
    """Give a claimed lane back, to be claimed at this time."""
    store.change(update(lanes).where(_held(lane)).values(claimable_ms=at, lease_ms=0, taken=False))


def take(store: Store, webhook_id: str, match_no: int, now: int) -> Lane | None:
    """Take a claimed lane to work on it; None if it is nobody's, somebody else's, or its claim has run out."""
    c = lanes.c
    here = and_(c.webhook_id == webhook_id, c.match_no == match_no, ~c.taken, c.lease_ms > now)
    found = store.read(select(c.lease_ms).where(here))
    if not found:
        return None
    lease = max(now + LEASE_MS, found[0].lease_ms + 1)
    mine = update(lanes).where(here, c.lease_ms == found[0].lease_ms)
    if not store.change(mine.values(taken=True, lease_ms=lease, claimable_ms=lease)):
        return None
    return Lane(webhook_id, match_no, lease)


def upcoming(store: Store, lane: Lane, now: int) -> Delivery | None:
    """Give what is to be delivered next in a lane that is held; None, and the lane is closed, if nothing is."""
    found = _upcoming(store, lane, now)
    if found is None:
        store.write(lambda connection: _close(connection, lane))
    return found


def _upcoming(store: Store, lane: Lane, now: int) -> Delivery | None:
    d, w = deliveries.c, webhooks.c
    query = (
        select(
            d.notice_no,
            notices.c.notice_id,
            d.attempts,
            w.url,
            w.secret,
            w.old_secret,
            w.old_until_ms,
            *NOTICE,
        )
        .join(notices, notices.c.notice_no == d.notice_no)
        .join(webhooks, w.webhook_id == d.webhook_id)
        .where(d.webhook_id == lane.webhook_id, d.match_no == lane.match_no, d.state == "pending")
        .where(w.state == "enabled")
        .order_by(d.notice_no)
        .limit(1)
    )
    row = next(iter(store.read(query)), None)
    if row is None:
        return None
    old = (row.old_secret,) if row.old_secret and row.old_until_ms > now else ()
    return Delivery(row.notice_no, row.notice_id, Notice(*row[7:]), row.url, (row.secret, *old), row.attempts)


def note(store: Store, lane: Lane, delivery: Delivery, tried: Tried, now: int) -> Lane | None:
    """Note how a try went; gives the lane, held anew, if it is worth going on with. None if the claim is lost."""

    def work(connection: Connection) -> Lane | None:
        held = connection.execute(select(lanes.c.host).where(_held(lane)).with_for_update()).first()
        if held is None:
            return None
        end = _verdict(delivery, tried)
        until = now + _pause(delivery.attempts) if end == "pending" else None
        _log(connection, lane, delivery, tried, until)
        connection.execute(
            update(deliveries).where(_this(lane, delivery)).values(state=end, attempts=deliveries.c.attempts + 1)
        )
        if _disabling(connection, lane, tried, end, now):
            return None
        if until is not None:
            connection.execute(update(lanes).where(_held(lane)).values(claimable_ms=until, lease_ms=0, taken=False))
            return None
        if _close(connection, lane):
            return None
        lease = max(now + LEASE_MS, lane.lease_ms + 1)
        connection.execute(update(lanes).where(_held(lane)).values(lease_ms=lease, claimable_ms=lease))
        return replace(lane, lease_ms=lease)

    return store.write(work)


def _verdict(delivery: Delivery, tried: Tried) -> str:
    if tried.delivered:
        return "delivered"
    return "pending" if delivery.attempts < len(SCHEDULE) else "failed"


def _pause(failed: int) -> int:
    return int(1000 * SCHEDULE[failed] * (1 + random.uniform(0, JITTER)))


def _held(lane: Lane) -> Any:
    c = lanes.c
    return and_(c.webhook_id == lane.webhook_id, c.match_no == lane.match_no, c.lease_ms == lane.lease_ms)


def _this(lane: Lane, delivery: Delivery) -> Any:
    return and_(deliveries.c.webhook_id == lane.webhook_id, deliveries.c.notice_no == delivery.notice_no)


def _close(connection: Connection, lane: Lane) -> bool:
    """Close a lane with nothing pending; says whether it did.

    A writer that adds to it meanwhile waits for its row.
    """
    d = deliveries.c
    connection.execute(select(lanes.c.host).where(_held(lane)).with_for_update()).first()
    pending = select(d.notice_no).where(
        d.webhook_id == lane.webhook_id, d.match_no == lane.match_no, d.state == "pending"
    )
    enabled = select(webhooks.c.state).where(webhooks.c.webhook_id == lane.webhook_id, webhooks.c.state == "enabled")
    if connection.execute(pending.limit(1)).first() and connection.execute(enabled).first():
        return False
    connection.execute(delete(lanes).where(_held(lane)))
    return True


def _log(connection: Connection, lane: Lane, delivery: Delivery, tried: Tried, until: int | None) -> None:
    row = {
        "webhook_id": lane.webhook_id, "notice_no": delivery.notice_no, "attempt": delivery.attempts + 1,
        "at_ms": tried.at_ms, "took_ms": tried.took_ms, "status": tried.status, "error": tried.error,
        "next_ms": until,
    }  # fmt: skip
    connection.execute(insert(attempts).values(row))


def _disabling(connection: Connection, lane: Lane, tried: Tried, end: str, now: int) -> bool:
    """Note whether the webhook works, and disable it if it is gone or has not worked for long; says whether it did."""
    w = webhooks.c
    here = w.webhook_id == lane.webhook_id
    if tried.delivered:
        connection.execute(update(webhooks).where(here, w.failing_ms.is_not(None)).values(failing_ms=None))
        return False
    connection.execute(update(webhooks).where(here, w.failing_ms.is_(None)).values(failing_ms=tried.at_ms))
    since = connection.execute(select(w.failing_ms).where(here)).scalar_one_or_none()
    long_ago = since is not None and now - since >= FAILING_MS
    if tried.status != GONE and not (end == "failed" and long_ago):
        return False
    disable(connection, lane.webhook_id, "gone" if tried.status == GONE else "failing", now)
    return True


def disable(connection: Connection, webhook_id: str, why: str, now: int) -> None:
    """Stop a webhook: what is pending is missed, until somebody has it replayed."""
    w, d = webhooks.c, deliveries.c
    connection.execute(update(webhooks).where(w.webhook_id == webhook_id).values(state=why, disabled_ms=now))
    connection.execute(
        update(deliveries).where(d.webhook_id == webhook_id, d.state == "pending").values(state="missed")
    )
    connection.execute(delete(lanes).where(lanes.c.webhook_id == webhook_id))


def replay(
    connection: Connection,
    webhook_id: str,
    now: int,
    *,
    since: int | None = None,
    notice_id: str | None = None,
) -> int:
    """Have notices delivered that were not since a time, or one, delivered or not; says how many."""
    d = deliveries.c
    chosen = select(d.notice_no, d.match_no).join(notices, notices.c.notice_no == d.notice_no)
    chosen = chosen.where(d.webhook_id == webhook_id, d.state != "pending")
    if notice_id is None:
        chosen = chosen.where(d.state != "delivered", notices.c.at_ms >= since)
    else:
        chosen = chosen.where(notices.c.notice_id == notice_id)
    found = connection.execute(chosen).all()
    numbers = {row.notice_no for row in found}
    for part in _parts(sorted(numbers)):
        connection.execute(
            update(deliveries)
            .where(d.webhook_id == webhook_id, d.notice_no.in_(part))
            .values(state="pending", attempts=0)
        )
    host = connection.execute(select(webhooks.c.host).where(webhooks.c.webhook_id == webhook_id)).scalar_one_or_none()
    open_lanes(connection, {(webhook_id, row.match_no): host or "" for row in found}, now)
    return len(found)


def _parts(numbers: list[int], size: int = 500) -> list[list[int]]:
    return [numbers[i : i + size] for i in range(0, len(numbers), size)]
