"""This module ends the claims of processes that are dead: on pending work, on lanes and on mailboxes."""

from collections.abc import Collection

from sqlalchemy import Connection

from events.notify import lanes, mailboxes
from events.store.protocol import Store
from events.store.tables import pending_rows, process_rows


def end_all(store: Store, now: int) -> None:
    """End all claims: no other process can be alive."""

    def work(connection: Connection) -> None:
        process_rows.remove_all(connection)
        _end(connection, now, None)

    store.write(work)


def end_of_the_dead(store: Store, now: int) -> int:
    """End the claims of processes that have died; says how many processes have."""

    def work(connection: Connection) -> int:
        dead = process_rows.remove_dead(connection)
        if dead:
            _end(connection, now, dead)
        return len(dead)

    return store.write(work)


def end_untaken(store: Store, now: int) -> None:
    """End all claims that no worker may ever hear of, as after the loss of what a broker held."""
    store.write(lambda connection: _end(connection, now, ()))


def end_own(store: Store, process_id: str, now: int) -> None:
    """End the claims of a process that ends."""

    def work(connection: Connection) -> None:
        process_rows.end(connection, process_id)
        _end(connection, now, (process_id,))

    store.write(work)


def _end(connection: Connection, now: int, dead: Collection[str] | None) -> None:
    pending_rows.end_claims(connection, now)
    lanes.end_claims(connection, now, dead)
    mailboxes.end_claims(connection, now, dead)
