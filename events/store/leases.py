"""Leases on due rows: how work of any kind is claimed, taken, given back, put off and taken over.

A row can be claimed from its `claimable_ms` on. The same rules hold for all kinds of work:

- A scheduler claims it for `lease_ms`, and publishes its key. It gives back rows that it cannot publish.
- A worker takes it in its own name, with a new lease. Its writes count only while it holds that lease.
- The worker writes the result, gives the row back, or puts it off after a failure, longer each time.
- A lease that runs out frees the row. So does the known death of the process that holds it.

Each kind chooses which rows to claim, so that no player's work blocks that of others.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Table,
    and_,
    bindparam,
    case,
    literal,
    select,
    true,
    tuple_,
    update,
)

from events.store.protocol import Store

AT_ONCE: Final = 50
"""Maximum number of rows claimed together if nothing else limits them."""

Key = tuple[Any, ...]
"""The primary key of a row."""
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True, eq=False)
class LeasedWork:
    """A kind of work: the rows of a table with `claimable_ms`, and `lease_ms`, which identifies a claim.

    A table whose rows workers take has the column `owner`. Rows with `due_ms` are claimed in its order. `pauses_ms` are
    the pauses after consecutive failures, which `attempts` counts; the last one repeats.
    """

    table: Table
    lease_ms: int
    pauses_ms: tuple[int, ...] = ()


# --- Claiming ---------------------------------------------------------------------------------------------


def read_earliest(store: Store, work: LeasedWork, now: int, limit: int = AT_ONCE) -> list[Key]:
    """Return the keys of the rows that can be claimed, those first that have waited longest."""
    c = work.table.c.claimable_ms
    found = store.read(select(*work.table.primary_key).where(c <= now).order_by(c).limit(limit))
    return [tuple(row) for row in found]


def claim(store: Store, work: LeasedWork, now: int, keys: Sequence[Key]) -> Sequence[Any]:
    """Claim the rows with these keys that can be claimed, and return them; no two callers get the same."""
    if not keys:
        return []
    return store.write(lambda connection: connection.execute(_claiming(work), {"now": now, "keys": keys}).all())


@cache
def _claiming(work: LeasedWork) -> Any:
    c, key, now = work.table.c, tuple_(*work.table.primary_key), bindparam("now", type_=BigInteger)
    free = select(*work.table.primary_key).where(key.in_(bindparam("keys", expanding=True)), c.claimable_ms <= now)
    lease = {"claimable_ms": now + work.lease_ms, "lease_ms": now + work.lease_ms}
    return (
        update(work.table)
        .where(key.in_(free.with_for_update(skip_locked=True)), c.claimable_ms <= now)
        .values(lease | ({"owner": None} if "owner" in c else {}))
        .returning(*c)
    )


def hand_on(
    store: Store, work: LeasedWork, claimed: Sequence[Record], publish: Callable[[Record], None], now: int
) -> None:
    """Publish claimed rows. If that fails, give back the rest immediately, and raise the error again."""
    published = 0
    try:
        for row in claimed:
            publish(row)
            published += 1
    except Exception:
        at = _since_when(work, now)
        store.write(lambda connection: give_back(connection, work, claimed[published:], at))
        raise


# --- Working ----------------------------------------------------------------------------------------------


def take(store: Store, work: LeasedWork, record: type[Record], now: int, owner: str, **key: Any) -> list[Record]:
    """Take the claimed rows with this key, or part of a key, in the name of a process, as records.

    Skips rows that are free, taken by another worker, or whose lease has run out.
    """
    c, lease = work.table.c, _next_lease(work, now)
    columns = [c[field.name] for field in fields(record)]  # type: ignore[arg-type]
    here = and_(*(c[name] == value for name, value in key.items()), c.owner.is_(None), is_claimed(work, now))
    taking = update(work.table).where(here).values(lease_ms=lease, claimable_ms=lease, owner=owner)
    rows = store.write(lambda connection: connection.execute(taking.returning(*columns)).all())
    return [record(*row) for row in rows]


def renew(connection: Connection, work: LeasedWork, row: Any, now: int) -> int | None:
    """Renew the lease of a row, and return when it ends; None if the lease is lost."""
    lease = _next_lease(work, now)
    renewing = update(work.table).where(is_held(work, row)).values(lease_ms=lease, claimable_ms=lease)
    return connection.execute(renewing.returning(work.table.c.lease_ms)).scalar()


def _next_lease(work: LeasedWork, now: int) -> ColumnElement[int]:
    """Return the end of a new lease, which differs from the one before: it identifies the claim."""
    lease_ms, until = work.table.c.lease_ms, literal(now + work.lease_ms, BigInteger)
    return case((lease_ms >= until, lease_ms + 1), else_=until)


def is_held(work: LeasedWork, row: Any) -> ColumnElement[bool]:
    """Return the condition that a row is still claimed by the holder of its lease."""
    c = work.table.c
    same = (column == getattr(row, column.name) for column in work.table.primary_key)
    return and_(*same, c.lease_ms == row.lease_ms, c.claimable_ms == row.lease_ms)


def give_back(connection: Connection, work: LeasedWork, rows: Iterable[Any], at: Any) -> None:
    """Return claimed rows back, to be claimed at a time."""
    for row in rows:
        connection.execute(update(work.table).where(is_held(work, row)).values(claimable_ms=at, lease_ms=0))


def put_off(store: Store, work: LeasedWork, which: ColumnElement[bool], now: int) -> None:
    """Postpone rows after a failure, longer each time."""
    attempts = work.table.c.attempts
    *pauses, longest = work.pauses_ms
    pause = case(*((attempts == failed, pause) for failed, pause in enumerate(pauses)), else_=longest)
    resting = {"claimable_ms": literal(now, BigInteger) + pause, "lease_ms": 0, "attempts": attempts + 1}
    store.change(update(work.table).where(which).values(resting))


# --- Taking over ------------------------------------------------------------------------------------------


def is_claimed(work: LeasedWork, now: Any) -> ColumnElement[bool]:
    """Return the condition that rows have a running lease. Resting rows have no lease."""
    c = work.table.c
    return and_(c.claimable_ms > now, c.claimable_ms == c.lease_ms)


def end_claims(connection: Connection, work: LeasedWork, now: int, dead: Collection[str] | None) -> None:
    """End the claims of dead processes (None for all), and those that no worker has taken yet.

    The claimant of rows without an owner is unknown, so all of these are published again. A repeated task does nothing.
    """
    c = work.table.c
    lost = true() if dead is None or "owner" not in c else c.owner.is_(None) | c.owner.in_(dead)
    freed = {"claimable_ms": _since_when(work, now), "lease_ms": 0}
    connection.execute(update(work.table).where(is_claimed(work, now), lost).values(freed))


def _since_when(work: LeasedWork, now: int) -> Any:
    """Return the time since which unheld rows can be claimed."""
    return work.table.c.get("due_ms", now)
