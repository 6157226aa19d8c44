"""This module makes a restored database send nothing that may have been sent after its backup was made.

What was to be sent is noted all the same, so that nothing is lost without a word.
"""

from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, func, select, update

from domain.core.clock import Time
from events.notify import ledger
from events.notify.handler import NoticeHandler
from events.store.archive import follow_from_here, read_unhandled_commits
from events.store.protocol import Store
from events.store.schema import (
    alarms,
    deliveries,
    due,
    former_addresses,
    lanes,
    mail_queue,
    mailboxes,
    processes,
    recoveries_asked,
    recovery_codes,
)

PAGE: Final = 300
"""The most commits that are read at once."""


class Missed(NamedTuple):
    """This says how much was still to be sent, by deliveries to webhooks and by notices that waited for a mail."""

    deliveries: int
    mails: int


def quieten(store: Store, now: int) -> Missed:
    """Count what was to be sent as missed, for webhooks and mail; and end all leases. For a store that nobody uses.

    A player can have missed deliveries made again, also of what no follower had read when the backup was made.
    Followers go on behind the last commit.
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
        claimed = (due.c.attempts > 0) | (due.c.lease_ms > now)
        connection.execute(update(due).where(claimed).values(claimable_ms=due.c.due_ms, lease_ms=0, attempts=0))
        follow_from_here(connection)
        return missed

    return store.write(work)


def _note(store: Store, now: Time) -> None:
    """Write the notices of commits that had not been read, and of deadlines that have come near."""
    handler = NoticeHandler(store, now=lambda: now)
    if not handler.wanted():
        return
    for page in read_unhandled_commits(store, handler.name, PAGE):
        store.write(handler.read(page))
    ledger.ring(store, now, 0, limit=None)
