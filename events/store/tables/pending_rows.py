"""This module stores pending work: rows that are claimed when they are due, and come back if nothing is done.

A row that is claimed has a lease. One that rests, until its time or after a try that failed, has none.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    false,
    func,
    literal,
    select,
    tuple_,
    update,
)

from events.store.pending_records import Due, Owed
from events.store.protocol import Store
from events.store.records import DueRow
from events.store.schema import due, matches, stream

LEASE_MS: Final = 4_000
"""The lease of a claim, in milliseconds: the time after which its work is announced again, should a broker lose it."""
PAUSE_MS: Final = 5_000
MOST_PAUSE_MS: Final = 300_000
"""The pauses after the first try that failed and the longest, in milliseconds; each is twice the one before."""
LONGEST_PACE_MS: Final = 1_000
"""The longest time that a bot's turn rests for the pace of its answer alone, in milliseconds."""

BOT: Final = "bot"
"""The kind of work that lasts: bots' turns. All other work is done at once."""

Choose = Callable[[Sequence[Owed]], Collection[Owed]]
"""Chooses from the work that can be claimed, which comes the earliest first."""


# --- What the dispatcher asks again and again, put together once ------------------------------------------------------

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
    select(*(_READY.c[name] for name in Owed._fields))
    .where(_READY.c.place <= bindparam("each"))
    .order_by(_READY.c.claimable_ms)
)
"""The work that can be claimed, a limited number of each owner and kind of match, the earliest first."""

_TAKING: Final = (
    update(due)
    .where(
        tuple_(due.c.match_no, due.c.kind).in_(
            select(due.c.match_no, due.c.kind)
            .where(tuple_(due.c.match_no, due.c.kind).in_(bindparam("keys", expanding=True)))
            .where(due.c.claimable_ms <= _NOW)
            .with_for_update(skip_locked=True)
        ),
        due.c.claimable_ms <= _NOW,
    )
    .values(claimable_ms=_NOW + LEASE_MS, lease_ms=_NOW + LEASE_MS)
    .returning(due.c.match_no, due.c.kind, due.c.due_ms)
)
_NAMED: Final = select(stream.c.match_no, stream.c.match_id).where(
    stream.c.match_no.in_(bindparam("numbers", expanding=True))
)


def read_pending(store: Store, match_no: int) -> list[DueRow]:
    """Return the pending work of a match, by kind."""
    here = (due.c.match_no == match_no) & due.c.claimable_ms.is_not(None)
    query = select(due.c.kind, due.c.due_ms, due.c.lease_ms).where(here).order_by(due.c.kind)
    return [DueRow(*row) for row in store.read(query)]


def next_due(store: Store) -> int | None:
    """Say when the earliest work can be claimed, None if there is none."""
    earliest: int | None = store.read(_NEXT)[0][0]
    return earliest


def turns_at_work(store: Store, now_ms: int) -> Counter[tuple[str, bool]]:
    """Count the bots' turns that workers have, by the owner of their match and whether only bots play in it."""
    found = store.read(_AT_WORK, now=now_ms, latest=now_ms + LEASE_MS)
    return Counter({(owner, bool(alone)): n for owner, alone, n in found})


def count_claimed(store: Store, now_ms: int) -> int:
    """Count the work of all kinds that is claimed."""
    soon = due.c.claimable_ms <= now_ms + LEASE_MS
    number: int = store.read(select(func.count()).select_from(due).where(soon, _is_claimed(now_ms)))[0][0]
    return number


def waiting_since(store: Store, now_ms: int, games: Collection[str]) -> int | None:
    """Return since when the longest waiting work is due that can be claimed, or was and is not done; None if none is.

    Work of other games than these is not counted: nobody here can do it.
    """
    waits = (due.c.claimable_ms <= now_ms) | (due.c.lease_ms > now_ms) | (due.c.attempts > 0)
    here = (due.c.claimable_ms <= now_ms + MOST_PAUSE_MS) & (due.c.due_ms <= now_ms) & waits
    known = matches.c.game.is_(None) | matches.c.game.in_(games)
    asked = select(func.min(due.c.due_ms)).select_from(_WITH_MATCH).where(here & known)
    earliest: int | None = store.read(asked)[0][0]
    return earliest


def claim_due(store: Store, now_ms: int, limit: int, choose: Choose = lambda owed: owed) -> list[Due]:
    """Take work that is due and not leased, earliest first; no two callers get the same.

    `choose` is shown the first `limit` rows of each owner and says which to take. A row stays until a commit replaces
    the match's pending work.
    """
    owed = [Owed._make(row) for row in store.read(_OWED, now=now_ms, each=limit)]
    chosen = list(choose(owed))[:limit] if owed else []
    return store.write(lambda connection: _claimed(connection, now_ms, chosen)) if chosen else []


def _claimed(connection: Connection, now_ms: int, work: Sequence[Owed]) -> list[Due]:
    keys = [(owed.match_no, owed.kind) for owed in work]
    taken = connection.execute(_TAKING, {"now": now_ms, "keys": keys}).all()
    ids = connection.execute(_NAMED, {"numbers": [row.match_no for row in taken]}).all() if taken else []
    names = {row.match_no: row.match_id for row in ids}
    claimed = [Due(row.match_no, names[row.match_no], row.kind, row.due_ms) for row in taken]
    return sorted(claimed, key=lambda each: each.due_ms)


def release(store: Store, match_no: int, kind: str) -> None:
    """Give up a claim: it is due again at once."""
    store.change(update(due).where(_of_kind(match_no, kind)).values(claimable_ms=due.c.due_ms, lease_ms=0))


def note_failure(store: Store, match_id: str, now_ms: int) -> None:
    """Note that a try to do what is due in a match has failed: it rests, twice as long each time."""
    number = select(stream.c.match_no).where(stream.c.match_id == match_id).scalar_subquery()
    tried = (due.c.due_ms <= now_ms) & ((due.c.claimable_ms <= now_ms) | (due.c.lease_ms > now_ms))
    pauses = [(due.c.attempts == i, PAUSE_MS << i) for i in range((MOST_PAUSE_MS // PAUSE_MS).bit_length())]
    until = literal(now_ms, BigInteger) + case(*pauses, else_=MOST_PAUSE_MS)
    resting = {"claimable_ms": until, "lease_ms": 0, "attempts": due.c.attempts + 1}
    store.change(update(due).where(due.c.match_no == number, tried).values(resting))


def end_claims(connection: Connection, now_ms: int) -> None:
    """End all claims, as after the death of a process.

    What the dead process had in hand is not known, so all that was claimed is announced again. A task that comes twice
    does nothing. Work that rests goes on resting.
    """
    connection.execute(update(due).where(_is_claimed(now_ms)).values(claimable_ms=due.c.due_ms, lease_ms=0))


def _is_claimed(now_ms: int) -> ColumnElement[bool]:
    """Say whether work has a lease that is not over; a bot's turn may have a short one for its pace alone."""
    leased = (due.c.lease_ms > now_ms + LONGEST_PACE_MS) | ((due.c.kind != BOT) & (due.c.lease_ms > now_ms))
    return (due.c.claimable_ms > now_ms) & leased


def rest(connection: Connection, match_no: int, kind: str, until_ms: int) -> None:
    """Let work be until then. When it was due first follows from the log, and stays."""
    values = {"claimable_ms": until_ms, "lease_ms": 0, "attempts": 0}
    connection.execute(update(due).where(_of_kind(match_no, kind)).values(values))


def hasten(connection: Connection, match_no: int, kind: str, by_ms: int) -> None:
    """See that work is taken up by then."""
    values = {"claimable_ms": by_ms, "lease_ms": 0, "attempts": 0}
    connection.execute(update(due).where(_of_kind(match_no, kind), due.c.claimable_ms > by_ms).values(values))


def make_due(connection: Connection, match_ids: Collection[str], kinds: Collection[str], at_ms: int) -> None:
    """Make pending work of these kinds due in these matches."""
    numbers = select(stream.c.match_no).where(stream.c.match_id.in_(match_ids))
    waiting = due.c.match_no.in_(numbers) & due.c.kind.in_(kinds) & due.c.claimable_ms.is_not(None)
    connection.execute(update(due).where(waiting).values(claimable_ms=at_ms, lease_ms=0, attempts=0))


def _of_kind(match_no: int, kind: str) -> ColumnElement[bool]:
    return (due.c.match_no == match_no) & (due.c.kind == kind) & due.c.claimable_ms.is_not(None)
