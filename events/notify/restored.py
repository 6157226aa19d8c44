"""Keeps a restored database from repeating notices that were sent after its backup.

Pending notices count as missed, so that none is lost silently.
"""

from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, func, select, update

from domain.core.clock import Time
from events.notify import ledger
from events.notify.handler import NoticeHandler
from events.store.archive import follow_from_here, read_unhandled_commits
from events.store.protocol import Store
from events.store.schema.log_schema import due, processes
from events.store.schema.notice_schema import (
    alarms,
    deliveries,
    former_addresses,
    lanes,
    mail_queue,
    mailboxes,
    recoveries_asked,
    recovery_codes,
)

PAGE: Final = 300
"""Maximum number of commits per page."""


class Missed(NamedTuple):
    """The number of unsent webhook deliveries, and of notifications that waited for a mail."""

    deliveries: int
    mails: int


def quieten(store: Store, now: int) -> Missed:
    """Count pending notices as missed, for webhooks and mail, and end all leases. The store must not be in use.

    Players can replay missed deliveries, including those of commits that no follower had read at the time of the
    backup. Followers continue after the last commit.
    """
    _note(store, Time(now))

    def work(connection: Connection) -> Missed:
        mails = connection.execute(select(func.count()).select_from(mail_queue)).scalar_one()
        pending = update(deliveries).where(deliveries.c.state == "pending").values(state="missed")
        missed = Missed(connection.execute(pending).rowcount, mails)
        for table in (lanes, mail_queue, processes, recoveries_asked, recovery_codes):
            connection.execute(delete(table))
        connection.execute(update(mailboxes).values(claimable_ms=None, lease_ms=0, attempts=0, recovery_ms=None))
        connection.execute(update(former_addresses).values(claimable_ms=None, lease_ms=0, attempts=0))
        connection.execute(delete(alarms).where(alarms.c.due_ms <= now))
        is_pending = due.c.claimable_ms.is_not(None)
        claimed = is_pending & ((due.c.attempts > 0) | (due.c.lease_ms > now))
        connection.execute(update(due).where(claimed).values(claimable_ms=due.c.due_ms, lease_ms=0, attempts=0))
        follow_from_here(connection)
        return missed

    return store.write(work)


def _note(store: Store, now: Time) -> None:
    """Write the notices of unread commits, and of near deadlines."""
    handler = NoticeHandler(store, now=lambda: now)
    if not handler.wants_commits():
        return
    for page in read_unhandled_commits(store, handler.name, PAGE):
        store.write(handler.read(page))
    ledger.write_due_notices(store, now, 0, limit=None)
