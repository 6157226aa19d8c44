"""Ends the claims of dead processes, on leased work of all kinds."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection

from events.notify.former_addresses import FAREWELLS
from events.notify.lanes import LANES
from events.notify.mailboxes import MAILS
from events.store import leases
from events.store.leases import LeasedWork
from events.store.protocol import Store
from events.store.tables import process_rows
from events.store.tables.pending_rows import PENDING

ALL: Final[tuple[LeasedWork, ...]] = (PENDING, LANES, MAILS, FAREWELLS)
"""All kinds of leased work."""


def end_all(store: Store, now: int) -> None:
    """End all claims: no other process can be alive."""

    def work(connection: Connection) -> None:
        process_rows.remove_all(connection)
        _end(connection, now, None)

    store.write(work)


def end_of_the_dead(store: Store, now: int) -> int:
    """End the claims of processes that have died; return the number of processes."""

    def work(connection: Connection) -> int:
        dead = process_rows.remove_dead(connection)
        if dead:
            _end(connection, now, dead)
        return len(dead)

    return store.write(work)


def end_untaken(store: Store, now: int) -> None:
    """End all claims whose workers may never report, as after the loss of a broker's tasks."""
    store.write(lambda connection: _end(connection, now, ()))


def end_own(store: Store, process_id: str, now: int) -> None:
    """End the claims of a process that ends."""

    def work(connection: Connection) -> None:
        process_rows.end(connection, process_id)
        _end(connection, now, (process_id,))

    store.write(work)


def _end(connection: Connection, now: int, dead: Collection[str] | None) -> None:
    for work in ALL:
        leases.end_claims(connection, work, now, dead)
