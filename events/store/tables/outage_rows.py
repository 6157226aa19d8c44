"""This module stores outages: the times in which no scheduler was at work, seen by the beats that are missing.

A scheduler proves that it works by beats. Between two of its own beats it was at work, if they are not too far apart.
The time from the last beat of any scheduler to the first beat of one that has just started is an outage, however
short. Another scheduler that was at work all the while takes that back with its next beat.
"""

from collections.abc import Mapping

from sqlalchemy import BigInteger, Connection, delete, func, insert, literal, select, union_all, update
from sqlalchemy import case as when
from sqlalchemy.exc import IntegrityError

from events.store.pending_records import OUTAGE_MS
from events.store.protocol import Store
from events.store.schema import heartbeat, outages

ONLY = "only"
"""The name of a scheduler that is the only one."""


def beat(store: Store, now_ms: int, scheduler: str = ONLY) -> None:
    """Note that a scheduler is at work. A new name is one that has just started, or that was cut off meanwhile."""
    try:
        store.write(lambda connection: _beat(connection, now_ms, scheduler))
    except IntegrityError:  # another's first beat came first
        store.write(lambda connection: _beat(connection, now_ms, scheduler))


def _beat(connection: Connection, now_ms: int, scheduler: str) -> None:
    rows = connection.execute(select(heartbeat).with_for_update())
    known: Mapping[str, int] = {row.scheduler: row.at_ms for row in rows}
    last, own = max(known.values(), default=now_ms), known.get(scheduler)
    if last > now_ms + OUTAGE_MS:
        if (before := _wrong_since(connection, now_ms)) is None:
            return  # it is this clock that is wrong
        last, own = before, before if scheduler in known else None
        connection.execute(update(heartbeat).values(at_ms=now_ms))
        connection.execute(delete(outages).where(outages.c.from_ms >= last))
    if own is not None and now_ms - own <= OUTAGE_MS:
        connection.execute(delete(outages).where(outages.c.from_ms >= own, outages.c.to_ms <= now_ms))
    elif last < now_ms:
        connection.execute(insert(outages).values(from_ms=last, to_ms=now_ms))
    _note(connection, scheduler, now_ms, known)


def _wrong_since(connection: Connection, now_ms: int) -> int | None:
    """Give when the outage of this moment began; the beat which ended it came from a clock that was wrong."""
    within = select(outages.c.from_ms).where(outages.c.from_ms <= now_ms, outages.c.to_ms > now_ms)
    found: int | None = connection.execute(within).scalar()
    return found


def _note(connection: Connection, scheduler: str, now_ms: int, known: Mapping[str, int]) -> None:
    """Note a beat, and forget those that no longer prove anything."""
    here = heartbeat.c.scheduler == scheduler
    if scheduler not in known:
        connection.execute(insert(heartbeat).values(scheduler=scheduler, at_ms=now_ms))
    else:
        connection.execute(update(heartbeat).where(here, heartbeat.c.at_ms < now_ms).values(at_ms=now_ms))
    if len(known) > 1 or scheduler not in known:
        connection.execute(delete(heartbeat).where(~here, heartbeat.c.at_ms < now_ms - OUTAGE_MS))


def last_beat(store: Store) -> int | None:
    """Give when a scheduler was last at work, as far as is known."""
    last: int | None = store.read(select(func.max(heartbeat.c.at_ms).label("at_ms")))[0].at_ms
    return last


def since(store: Store, since_ms: int, now_ms: int) -> list[tuple[int, int]]:
    """Give the outages that ended after a time, the one that is still on as the last."""
    ended = when((outages.c.to_ms < now_ms, outages.c.to_ms), else_=now_ms)
    been = select(outages.c.from_ms, ended).where(outages.c.to_ms > since_ms, outages.c.from_ms < now_ms)
    last = select(func.max(heartbeat.c.at_ms).label("at_ms")).subquery()
    on = select(last.c.at_ms, literal(now_ms, BigInteger)).where(last.c.at_ms < now_ms - OUTAGE_MS)
    return sorted((row[0], row[1]) for row in store.read(union_all(been, on)))
