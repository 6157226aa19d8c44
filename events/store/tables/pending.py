"""Pending work: rows that are claimed when they are due, by one at a time, and come back if nothing is done."""

from typing import Final

from sqlalchemy import BigInteger, Connection, Update, case, literal, select, tuple_, update

from events.store.records import Due
from events.store.schema import due, stream

MOST_LEASE_MS: Final = 300_000


def claim(connection: Connection, now_ms: int, limit: int, lease_ms: int) -> list[Due]:
    """Take work that is due and not leased, for a time that doubles with each attempt; earliest first."""
    chosen = (
        select(due.c.match_no, due.c.kind)
        .where(due.c.claimable_ms <= now_ms)
        .order_by(due.c.claimable_ms)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    ends = [literal(now_ms + min(lease_ms << i, MOST_LEASE_MS), BigInteger) for i in range(16)]
    until = case(*[(due.c.attempts == i, end) for i, end in enumerate(ends)], else_=ends[-1])
    taking = (
        update(due)
        .where(tuple_(due.c.match_no, due.c.kind).in_(chosen), due.c.claimable_ms <= now_ms)
        .values(claimable_ms=until, lease_ms=until, attempts=due.c.attempts + 1)
        .returning(due.c.match_no, due.c.kind, due.c.due_ms, due.c.attempts)
    )
    taken = connection.execute(taking).all()
    named = select(stream.c.match_no, stream.c.match_id).where(
        stream.c.match_no.in_({row.match_no for row in taken})
    )
    ids = {row.match_no: row.match_id for row in connection.execute(named)} if taken else {}
    claimed = [Due(row.match_no, ids[row.match_no], row.kind, row.due_ms, row.attempts) for row in taken]
    return sorted(claimed, key=lambda each: each.due_ms)


def released(match_no: int, kind: str) -> Update:
    """The statement that gives up a claim."""
    here = (due.c.match_no == match_no) & (due.c.kind == kind) & due.c.claimable_ms.is_not(None)
    fewer = case((due.c.attempts > 0, due.c.attempts - 1), else_=0)  # what was not tried is no attempt
    return update(due).where(here).values(claimable_ms=due.c.due_ms, lease_ms=0, attempts=fewer)
