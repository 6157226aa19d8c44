"""This module stores outages: the times in which no scheduler was at work, seen by the beats that are missing."""

from sqlalchemy import BigInteger, Connection, case, delete, insert, literal, select, union_all, update
from sqlalchemy.exc import IntegrityError

from events.store.pending_records import OUTAGE_MS
from events.store.protocol import Store
from events.store.schema import heartbeat, outages


def beat(store: Store, now_ms: int) -> None:
    """Note that a scheduler is at work; an outage, if none has been for longer than `OUTAGE_MS`."""
    try:
        store.write(lambda connection: _beat(connection, now_ms))
    except IntegrityError:  # another's first beat came first
        store.write(lambda connection: _beat(connection, now_ms))


def _beat(connection: Connection, now_ms: int) -> None:
    """Note a beat.

    A beat within an outage says that the one which ended it came from a clock that was wrong.
    """
    last = connection.execute(select(heartbeat.c.at_ms).with_for_update()).scalar_one_or_none()
    if last is None:
        connection.execute(insert(heartbeat).values(one=1, at_ms=now_ms))
        return
    if last > now_ms + OUTAGE_MS:
        within = select(outages.c.from_ms).where(outages.c.from_ms <= now_ms, outages.c.to_ms > now_ms)
        before = connection.execute(within).scalar()
        if before is None:  # it is this clock that is wrong
            return
        last = before
    if now_ms > last:
        connection.execute(update(heartbeat).values(at_ms=now_ms))
        connection.execute(delete(outages).where(outages.c.from_ms >= last))
        if now_ms - last > OUTAGE_MS:
            connection.execute(insert(outages).values(from_ms=last, to_ms=now_ms))


def last_beat(store: Store) -> int | None:
    """Give when a scheduler was last at work, as far as is known."""
    found = store.read(select(heartbeat.c.at_ms))
    return found[0].at_ms if found else None


def since(store: Store, since_ms: int, now_ms: int) -> list[tuple[int, int]]:
    """Give the outages that ended after a time, the one that is still on as the last."""
    ended = case((outages.c.to_ms < now_ms, outages.c.to_ms), else_=now_ms)
    been = select(outages.c.from_ms, ended).where(outages.c.to_ms > since_ms, outages.c.from_ms < now_ms)
    on = select(heartbeat.c.at_ms, literal(now_ms, BigInteger)).where(heartbeat.c.at_ms < now_ms - OUTAGE_MS)
    return sorted((row[0], row[1]) for row in store.read(union_all(been, on)))
