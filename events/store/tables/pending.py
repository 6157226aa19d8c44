"""This module stores pending work: rows that are claimed when they are due, and come back if nothing is done."""

from typing import Final

from sqlalchemy import BigInteger, ColumnElement, Connection, case, func, literal, select, tuple_, update

from events.store.protocol import Store
from events.store.records import Due, DueRow
from events.store.schema import due, stream

MOST_LEASE_MS: Final = 300_000
"""The longest lease of a claim, in milliseconds."""


def of_match(store: Store, match_no: int) -> list[DueRow]:
    """Give the pending work of a match, by kind."""
    here = (due.c.match_no == match_no) & due.c.claimable_ms.is_not(None)
    query = select(due.c.kind, due.c.due_ms, due.c.lease_ms).where(here).order_by(due.c.kind)
    return [DueRow(*row) for row in store.read(query)]


def next_due(store: Store) -> int | None:
    """Say when the earliest work can be claimed, None if there is none."""
    earliest: int | None = store.read(select(func.min(due.c.claimable_ms)))[0][0]
    return earliest


def claim(store: Store, now_ms: int, limit: int, lease_ms: int = 5_000) -> list[Due]:
    """Take work that is due and not leased, earliest first; no two callers get the same.

    The lease lasts `lease_ms`, twice as long at each attempt, at most five minutes. A row stays until a commit replaces
    the match's pending work.
    """
    return store.write(lambda connection: _claimed(connection, now_ms, limit, lease_ms))


def _claimed(connection: Connection, now_ms: int, limit: int, lease_ms: int) -> list[Due]:
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
    named = select(stream.c.match_no, stream.c.match_id).where(stream.c.match_no.in_({row.match_no for row in taken}))
    ids = {row.match_no: row.match_id for row in connection.execute(named)} if taken else {}
    claimed = [Due(row.match_no, ids[row.match_no], row.kind, row.due_ms, row.attempts) for row in taken]
    return sorted(claimed, key=lambda each: each.due_ms)


def release(store: Store, match_no: int, kind: str) -> None:
    """Give up a claim: it is due again at once."""
    fewer = case((due.c.attempts > 0, due.c.attempts - 1), else_=0)  # what was not tried is no attempt
    store.change(
        update(due).where(_of_kind(match_no, kind)).values(claimable_ms=due.c.due_ms, lease_ms=0, attempts=fewer)
    )


def rest(connection: Connection, match_no: int, kind: str, until_ms: int) -> None:
    """Let work be until then. Only the lease is set: when the work was due first follows from the log, and stays."""
    values = {"claimable_ms": until_ms, "lease_ms": until_ms, "attempts": 0}
    connection.execute(update(due).where(_of_kind(match_no, kind)).values(values))


def hasten(connection: Connection, match_no: int, kind: str, by_ms: int) -> None:
    """See that work is taken up by then."""
    values = {"claimable_ms": by_ms, "lease_ms": by_ms, "attempts": 0}
    connection.execute(update(due).where(_of_kind(match_no, kind), due.c.claimable_ms > by_ms).values(values))


def _of_kind(match_no: int, kind: str) -> ColumnElement[bool]:
    return (due.c.match_no == match_no) & (due.c.kind == kind) & due.c.claimable_ms.is_not(None)
