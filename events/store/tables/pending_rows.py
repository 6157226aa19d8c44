"""Stores pending work of matches. Its rows have leases, and become due again if the work was not done."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, Connection, and_, bindparam, false, func, select, update

from events.store import leases
from events.store.leases import LeasedWork
from events.store.pending_records import Due, Owed
from events.store.protocol import Store
from events.store.records import DueRow
from events.store.schema.log_schema import due, stream
from events.store.schema.match_schema import matches

LEASE_MS: Final = 4_000
"""The lease of a claim, in milliseconds: the time after which its work is published again, in case a broker lost it."""
PAUSES_MS: Final = (5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000)
"""The pauses after consecutive failures, in milliseconds."""

BOT: Final = "bot"
"""The kind of long-running work: bots' turns. All other work is short."""

Choose = Callable[[Sequence[Owed]], Collection[Owed]]
"""Chooses from the work that can be claimed, the earliest first."""


# --- The dispatcher's repeated queries, built once ---------------------------------------------------------

_NOW: Final = bindparam("now", type_=BigInteger)
_OWNER: Final = func.coalesce(matches.c.owner, "")
_BOTS_ALONE: Final = and_(func.coalesce(matches.c.bots_alone, false()), due.c.kind == BOT)
_WITH_MATCH: Final = due.outerjoin(matches, matches.c.match_no == due.c.match_no)

_NEXT: Final = select(func.min(due.c.claimable_ms))

_AT_WORK: Final = (
    select(_OWNER, _BOTS_ALONE, func.count())
    .select_from(_WITH_MATCH)
    .where(due.c.claimable_ms > _NOW, due.c.claimable_ms <= bindparam("latest"), due.c.lease_ms > _NOW)
    .where(due.c.kind == BOT)
    .group_by(_OWNER, _BOTS_ALONE)
)

_PLACE: Final = func.row_number().over(partition_by=(_BOTS_ALONE, _OWNER), order_by=due.c.claimable_ms)
_READY: Final = (
    select(
        due.c.match_no,
        due.c.kind,
        due.c.claimable_ms,
        _OWNER.label("owner"),
        _BOTS_ALONE.label("bots_alone"),
        _PLACE.label("place"),
    )
    .select_from(_WITH_MATCH)
    .where(due.c.claimable_ms <= _NOW)
    .subquery()
)
_OWED: Final = (
    select(*(_READY.c[name] for name in Owed._fields[:-1]), stream.c.match_id)
    .join_from(_READY, stream, stream.c.match_no == _READY.c.match_no)
    .where(_READY.c.place <= bindparam("each"))
    .order_by(_READY.c.claimable_ms)
)
"""The work that can be claimed, a limited number of each owner and kind of match, the earliest first."""

PENDING: Final = LeasedWork(due, LEASE_MS, PAUSES_MS)
"""The work that is pending in matches."""


def read_pending(store: Store, match_no: int) -> list[DueRow]:
    """Return the pending work of a match, by kind."""
    here = (due.c.match_no == match_no) & due.c.claimable_ms.is_not(None)
    query = select(due.c.kind, due.c.due_ms, due.c.lease_ms).where(here).order_by(due.c.kind)
    return [DueRow(*row) for row in store.read(query)]


def next_due(store: Store) -> int | None:
    """Return when the earliest work can be claimed, None if there is none."""
    earliest: int | None = store.read(_NEXT)[0][0]
    return earliest


def turns_at_work(store: Store, now_ms: int) -> Counter[tuple[str, bool]]:
    """Count the bots' turns that workers have, by the owner of their match and whether only bots play in it."""
    found = store.read(_AT_WORK, now=now_ms, latest=now_ms + LEASE_MS)
    return Counter({(owner, bool(alone)): n for owner, alone, n in found})


def count_claimed(store: Store, now_ms: int) -> int:
    """Return the number of claimed rows of all kinds together."""
    claimed = (due.c.claimable_ms <= now_ms + LEASE_MS) & leases.is_claimed(PENDING, now_ms)
    number: int = store.read(select(func.count()).select_from(due).where(claimed))[0][0]
    return number


def waiting_since(store: Store, now_ms: int, games: Collection[str]) -> int | None:
    """Return the due time of the work that has waited longest; None if there is none.

    Counts only these games, because this server cannot do the work of others.
    """
    waits = (due.c.claimable_ms <= now_ms) | (due.c.lease_ms > now_ms) | (due.c.attempts > 0)
    here = (due.c.claimable_ms <= now_ms + PAUSES_MS[-1]) & (due.c.due_ms <= now_ms) & waits
    known = matches.c.game.is_(None) | matches.c.game.in_(games)
    asked = select(func.min(due.c.due_ms)).select_from(_WITH_MATCH).where(here & known)
    earliest: int | None = store.read(asked)[0][0]
    return earliest


def claim_due(store: Store, now_ms: int, limit: int, choose: Choose = lambda owed: owed) -> list[Due]:
    """Claim work that is due and not leased, earliest first; no two callers get the same.

    `choose` gets the first `limit` rows of each owner, and returns those to take. A row stays until a commit replaces
    the match's pending work.
    """
    owed = [Owed._make(row) for row in store.read(_OWED, now=now_ms, each=limit)]
    chosen = list(choose(owed))[:limit] if owed else []
    ids = {work.match_no: work.match_id for work in chosen}
    claimed = leases.claim(store, PENDING, now_ms, [(work.match_no, work.kind) for work in chosen])
    found = [Due(row.match_no, ids[row.match_no], row.kind, row.due_ms, row.lease_ms) for row in claimed]
    return sorted(found, key=lambda each: each.due_ms)


def note_failure(store: Store, match_id: str, now_ms: int) -> None:
    """Record a failed try of a match's due work: the next try waits twice as long each time."""
    number = select(stream.c.match_no).where(stream.c.match_id == match_id).scalar_subquery()
    tried = (due.c.claimable_ms <= now_ms) | leases.is_claimed(PENDING, now_ms)
    leases.put_off(store, PENDING, (due.c.match_no == number) & tried, now_ms)


def postpone(connection: Connection, match_no: int, kind: str, until_ms: int) -> None:
    """Postpone work. Its original due time follows from the log, and stays."""
    _make_claimable(connection, _of_kind(match_no, kind), until_ms)


def hasten(connection: Connection, match_no: int, kind: str, by_ms: int) -> None:
    """Make work due by this time at the latest."""
    _make_claimable(connection, _of_kind(match_no, kind) & (due.c.claimable_ms > by_ms), by_ms)


def make_due(connection: Connection, match_ids: Collection[str], kinds: Collection[str], at_ms: int) -> None:
    """Make pending work of these kinds due in these matches."""
    numbers = select(stream.c.match_no).where(stream.c.match_id.in_(match_ids))
    _make_claimable(connection, due.c.match_no.in_(numbers) & due.c.kind.in_(kinds), at_ms)


def _of_kind(match_no: int, kind: str) -> ColumnElement[bool]:
    return (due.c.match_no == match_no) & (due.c.kind == kind)


def _make_claimable(connection: Connection, which: ColumnElement[bool], at_ms: int) -> None:
    here = which & due.c.claimable_ms.is_not(None)
    connection.execute(update(due).where(here).values(claimable_ms=at_ms, lease_ms=0, attempts=0))
