"""Counts waiting and running work, for an operator's monitoring. It reads no card, name or address."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import func, select

from events.store.protocol import Store
from events.store.schema.log_schema import commits, due
from events.store.schema.match_schema import seats
from events.store.schema.notice_schema import deliveries, mail_queue


class Load(NamedTuple):
    """The load of a server: counts at one moment.

    `last_position` is the number of the last commit; live matches are open or being played.
    `due` counts the unclaimed due work, by kind.
    """

    last_position: int
    matches_live: int
    due: Mapping[str, int]
    webhooks_pending: int
    mails_pending: int


def read_load(store: Store, now_ms: int) -> Load:
    """Return the load. Raises `Unavailable`."""
    waiting = select(due.c.kind, func.count()).where(due.c.claimable_ms <= now_ms).group_by(due.c.kind)
    counts = (
        select(func.coalesce(func.max(commits.c.position), 0)),
        select(func.count(seats.c.match_no.distinct())).where(seats.c.live),
        select(func.count()).where(deliveries.c.state == "pending"),
        select(func.count()).select_from(mail_queue),
    )
    last, live, webhooks, mails = (store.read(count)[0][0] for count in counts)
    return Load(last, live, {row[0]: row[1] for row in store.read(waiting)}, webhooks, mails)
