"""Stores the processes that hold claims, with the time until which each counts as alive.

A killed process records nothing, so its time runs out. The clock is the database's, which all processes share; on
SQLite they share their machine's.
"""

from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, cast, delete, func, insert, literal, select, update

from events import times
from events.store.protocol import Store
from events.store.revisions import REVISIONS
from events.store.schema.log_schema import processes


class Process(NamedTuple):
    """A process that is alive: its kind, and a word for any service that it cannot reach."""

    kind: str
    trouble: str | None


def beat(store: Store, process_id: str, kind: str, life_ms: int, trouble: str | None) -> None:
    """Record that a process is alive for this number of milliseconds."""

    def work(connection: Connection) -> None:
        now = _shared_clock(connection)
        values = {"until_ms": now + life_ms, "trouble": trouble}
        begun = {"kind": kind, "revision": REVISIONS[-1]}
        here = processes.c.process_id == process_id
        if not connection.execute(update(processes).where(here).values(values)).rowcount:
            connection.execute(insert(processes).values(process_id=process_id, since_ms=now, **begun, **values))

    store.write(work)


def end(connection: Connection, process_id: str) -> None:
    """Record that a process ends now."""
    connection.execute(delete(processes).where(processes.c.process_id == process_id))


def remove_dead(connection: Connection) -> list[str]:
    """Delete dead processes; return their ids."""
    dead = delete(processes).where(processes.c.until_ms < _shared_clock(connection)).returning(processes.c.process_id)
    return list(connection.execute(dead).scalars())


def remove_all(connection: Connection) -> None:
    """Delete all processes: none can be alive."""
    connection.execute(delete(processes))


def read_living(store: Store) -> list[Process]:
    """Return the processes that are alive."""

    def work(connection: Connection) -> list[Process]:
        found = select(processes.c.kind, processes.c.trouble).where(processes.c.until_ms >= _shared_clock(connection))
        return [Process(*row) for row in connection.execute(found)]

    return store.ask(work)


def _shared_clock(connection: Connection) -> Any:
    """Return the time of the shared clock, as an expression in milliseconds."""
    if connection.dialect.name == "postgresql":
        return cast(func.extract("epoch", func.clock_timestamp()) * 1000, BigInteger)
    return literal(times.now(), BigInteger)
