"""Delivers a webhook's notifications of one match in order; these form a lane.

A later notification waits for the earlier one.

A lane exists as long as something in it is pending. The notifier claims it with a lease (`events.store.leases`). A
worker takes it, and renews the lease with every delivery, so that a worker that lost its lane cannot spoil the order.
If a worker is killed between delivery and record, the delivery is repeated with the same id.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection, and_, case, delete, exists, false, func, insert, or_, select, update

from domain.core.values import value
from events.notify.ledger import NOTICE, open_lanes
from events.notify.notices import Notice
from events.notify.signatures import signing_old_secrets
from events.store import leases
from events.store.leases import LeasedWork
from events.store.protocol import Store
from events.store.schema.notice_schema import attempts, deliveries, lanes, notices, webhooks

SCHEDULE: Final = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds from each failed try to the next, as Standard Webhooks proposes; the first try is immediate."""
JITTER: Final = 0.1
"""Jitter, as a share of the delay."""

FAILING_MS: Final = 3 * 24 * 3600 * 1000
"""The time without a success after which a webhook is disabled when a delivery is given up, in milliseconds."""

LEASE_MS: Final = 60_000
"""The lease of a claimed lane, and of a worker for each delivery, in milliseconds."""

PROMPT_MS: Final = 1_000
"""The longest time that a prompt delivery takes, in milliseconds."""
PROMPT_TRIES: Final = 5
"""The number of last tries that must all be prompt deliveries; a webhook is slow otherwise."""

PROMPT: Final = 0
NEW: Final = 1
"""A webhook without any try, of which it is unknown whether it answers."""
SLOW: Final = 2
"""A webhook that failed or was slow in one of its last tries."""

PER_HOST: Final = {PROMPT: 4, NEW: 2, SLOW: 2}
"""Maximum number of lanes to one site, under any host name, that are worked on at the same time."""
PER_PLAYER: Final = {PROMPT: 4, NEW: 1, SLOW: 1}
"""Maximum number of lanes of one player that are worked on at the same time."""
IN_ALL: Final = {NEW: 4, SLOW: 4}
"""Maximum number of lanes that are worked on at the same time: together half the threads of a worker."""

GONE: Final = 410


@value
class Lane:
    """A claimed lane; `lease_ms` identifies the claim."""

    webhook_id: str
    match_no: int
    lease_ms: int


LANES: Final = LeasedWork(lanes, LEASE_MS)
"""The deliveries of lanes as leased work. A failed delivery is delayed by `SCHEDULE`."""


@value
class Delivery:
    """The next delivery in a lane, with its address and signing secrets."""

    notice_no: int
    notice_id: str
    notice: Notice
    url: str
    secrets: tuple[str, ...]
    attempts: int
    """The number of attempts that have failed."""


@value
class Tried:
    """The outcome of a try: the status of the answer, or a word for the reason why there was none."""

    at_ms: int
    took_ms: int
    status: int | None = None
    error: str | None = None

    @property
    def delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def prompt(self) -> bool:
        return self.delivered and self.took_ms <= PROMPT_MS


def claim(store: Store, now: int, limit: int = 100) -> Sequence[Any]:
    """Claim lanes with due deliveries, fairly among hosts and players; no two callers get the same.

    Prompt, new and slow webhooks have separate slots, so none waits for another kind. Of new webhooks, the lane that
    became due last is first, so it waits for at most one delivery that hangs, until newer ones come.
    """
    busy = Counter(slot for row in store.read(_lanes(leases.is_claimed(LANES, now))) for slot in _slots(row))
    chosen = []
    for row in store.read(_ready(busy, now, limit)):
        slots = _slots(row)
        if all(busy[slot] < _most(slot) for slot in slots):
            busy.update(slots)
            chosen.append((row.webhook_id, row.match_no))
    return leases.claim(store, LANES, now, chosen)


Slot = tuple[str, int, str]
"""A kind of limit, the standing of a webhook, and the name of the host or player."""


def _slots(row: Any) -> list[Slot]:
    """Return the slots that a lane occupies."""
    slots = [("host", row.standing, row.host), ("player", row.standing, row.player)]
    return slots if row.standing == PROMPT else [*slots, ("all", row.standing, "")]


def _most(slot: Slot) -> int:
    kind, standing, _ = slot
    return {"host": PER_HOST, "player": PER_PLAYER, "all": IN_ALL}[kind][standing]


def _lanes(which: Any) -> Any:
    """Return the query of lanes with their players, and the `standing` of their webhooks."""
    c, w = lanes.c, webhooks.c
    player = func.coalesce(w.player_id, "").label("player")
    standing = case((_tried(_not_prompt(), _recent()), SLOW), (_tried(), PROMPT), else_=NEW).label("standing")
    joined = lanes.outerjoin(webhooks, w.webhook_id == c.webhook_id)
    return select(c.webhook_id, c.match_no, c.host, c.claimable_ms, player, standing).select_from(joined).where(which)


def _tried(*which: Any) -> Any:
    """Return the condition that the webhook of a lane has such a delivery attempt."""
    return exists().where(attempts.c.webhook_id == lanes.c.webhook_id, *which).correlate(lanes)


def _not_prompt() -> Any:
    a = attempts.c
    return or_(a.status.is_(None), ~a.status.between(200, 299), a.took_ms > PROMPT_MS)


def _recent() -> Any:
    """Return the condition that an attempt is among the latest of its webhook that count."""
    earlier = attempts.alias()
    last = (
        select(earlier.c.attempt_no)
        .where(earlier.c.webhook_id == lanes.c.webhook_id)
        .order_by(earlier.c.attempt_no.desc())
        .offset(PROMPT_TRIES)
        .limit(1)
        .correlate(lanes)
    )
    return attempts.c.attempt_no > func.coalesce(last.scalar_subquery(), 0)


def _ready(busy: Counter[Slot], now: int, limit: int) -> Any:
    """Return the query of lanes that can be claimed, up to a limit of each standing.

    It takes a few lanes of each player with a free slot, and of these a few for each host with a free slot.
    """
    full = [slot for slot, count in busy.items() if count >= _most(slot)]

    def has_slot(standing: int) -> Any:
        hosts, players, everything = (
            [name for (of, its, name) in full if (of, its) == (kind, standing)] for kind in ("host", "player", "all")
        )
        if everything:
            return false()
        return and_(f.standing == standing, f.host.not_in(hosts), f.player.not_in(players))

    free = _lanes(lanes.c.claimable_ms <= now).subquery()
    f = free.c
    with_slot = or_(*map(has_slot, PER_HOST))
    mine = select(free, _rank(f, f.player, f.standing).label("of_player")).where(with_slot).subquery()
    of_player = mine.c.of_player <= case(PER_PLAYER, value=mine.c.standing)
    theirs = select(mine, _rank(mine.c, mine.c.host, mine.c.standing).label("to_host")).where(of_player).subquery()
    to_host = theirs.c.to_host <= case(PER_HOST, value=theirs.c.standing)
    ranked = select(theirs, _rank(theirs.c, theirs.c.standing).label("in_all")).where(to_host).subquery()
    return select(ranked).where(ranked.c.in_all <= limit).order_by(ranked.c.in_all)


def _rank(c: Any, *among: Any) -> Any:
    """Rank lanes within groups that share these values by the time since which they can be claimed.

    Of new webhooks, the latest is first.
    """
    order = case((c.standing == NEW, -c.claimable_ms), else_=c.claimable_ms)
    return func.row_number().over(partition_by=among, order_by=order)


def next_delivery(store: Store, lane: Lane, now: int) -> Delivery | None:
    """Return the next delivery of a held lane; if there is none, close the lane and return None."""
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
            w.old_secrets,
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
    newest_first = (row.secret, *(secret for secret, _ in reversed(signing_old_secrets(row.old_secrets, now))))
    return Delivery(row.notice_no, row.notice_id, Notice(*row[6:]), row.url, newest_first, row.attempts)


def note(store: Store, lane: Lane, delivery: Delivery, tried: Tried, now: int) -> Lane | None:
    """Record the result of a try; return the lane, held again, if it should continue. None if the claim is lost."""

    def work(connection: Connection) -> Lane | None:
        held = connection.execute(select(lanes.c.host).where(leases.is_held(LANES, lane)).with_for_update()).first()
        if held is None:
            return None
        end = _verdict(delivery, tried)
        until = now + _pause(delivery.attempts) if end == "pending" else None
        _log(connection, lane, delivery, tried, until)
        connection.execute(
            update(deliveries).where(_is_delivery(lane, delivery)).values(state=end, attempts=deliveries.c.attempts + 1)
        )
        if _disabling(connection, lane, tried, end, now):
            return None
        if until is None and _close(connection, lane):
            return None
        if not tried.prompt:
            # The webhook is slow now, and waits for one of the few slots of slow webhooks.
            again = now if until is None else until
            leases.give_back(connection, LANES, [lane], again)
            return None
        lease = leases.renew(connection, LANES, lane, now)
        return None if lease is None else replace(lane, lease_ms=lease)

    return store.write(work)


def _verdict(delivery: Delivery, tried: Tried) -> str:
    if tried.delivered:
        return "delivered"
    return "pending" if delivery.attempts < len(SCHEDULE) else "failed"


def _pause(failed: int) -> int:
    return int(1000 * SCHEDULE[failed] * (1 + random.uniform(0, JITTER)))


def _is_delivery(lane: Lane, delivery: Delivery) -> Any:
    return and_(deliveries.c.webhook_id == lane.webhook_id, deliveries.c.notice_no == delivery.notice_no)


def _close(connection: Connection, lane: Lane) -> bool:
    """Close a lane with nothing pending; return whether it was closed.

    A concurrent writer that adds to it waits for its row.
    """
    d = deliveries.c
    connection.execute(select(lanes.c.host).where(leases.is_held(LANES, lane)).with_for_update()).first()
    pending = select(d.notice_no).where(
        d.webhook_id == lane.webhook_id, d.match_no == lane.match_no, d.state == "pending"
    )
    enabled = select(webhooks.c.state).where(webhooks.c.webhook_id == lane.webhook_id, webhooks.c.state == "enabled")
    if connection.execute(pending.limit(1)).first() and connection.execute(enabled).first():
        return False
    connection.execute(delete(lanes).where(leases.is_held(LANES, lane)))
    return True


def _log(connection: Connection, lane: Lane, delivery: Delivery, tried: Tried, until: int | None) -> None:
    row = {
        "webhook_id": lane.webhook_id,
        "notice_no": delivery.notice_no,
        "attempt": delivery.attempts + 1,
        "at_ms": tried.at_ms,
        "took_ms": tried.took_ms,
        "status": tried.status,
        "error": tried.error,
        "next_ms": until,
    }
    connection.execute(insert(attempts).values(row))


def _disabling(connection: Connection, lane: Lane, tried: Tried, end: str, now: int) -> bool:
    """Record whether the webhook works; disable it if it is gone or has failed for long.

    Returns whether it was disabled.
    """
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
    """Stop a webhook. Pending notices are not delivered unless its owner has them replayed."""
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
    """Deliver the undelivered notices since a time, or a single one again; return their number."""
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
