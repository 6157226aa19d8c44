"""Stores the idempotency keys of requests, as hashes."""

from dataclasses import asdict
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from events.errors import Repeated
from events.store.protocol import Store
from events.store.records import Idempotency, Remembered
from events.store.schema.log_schema import idempotency
from events.store.upserts import upsert

KEPT_MS: Final = 7 * 24 * 3600 * 1000
"""The time for which an idempotency key is kept, in milliseconds (contract 2)."""


class AppendedEvents(NamedTuple):
    """The events that a request has appended: the number of their stream, of the first event, and of events."""

    match_no: int
    first: int
    n: int


def find_key(store: Store, key_hash: bytes) -> Remembered | None:
    """Return the earlier use of the key, if any."""
    columns = [idempotency.c[name] for name in Remembered._fields]
    found = store.read(select(*columns).where(idempotency.c.key_hash == key_hash))
    return Remembered._make(found[0]) if found else None


def remember_key(
    store: Store, idem: Idempotency, at_ms: int, match_no: int | None = None, version: int | None = None
) -> bool:
    """Record the key of a request that appended nothing; return False if it was used before.

    `version` is the basis of the answer; it is stored as `first` with `n` = 0.
    """
    made_from = {"match_no": match_no, "first": version, "n": None if version is None else 0}
    row = asdict(idem) | made_from | {"at_ms": at_ms}
    try:
        store.change(insert(idempotency).values(row))
    except IntegrityError:
        return False
    return True


def note_key(connection: Connection, idem: Idempotency, at_ms: int, appended: AppendedEvents | None = None) -> None:
    """Record the key of a request together with its work and the events that it appends.

    A concurrent request with the same key waits here. Raises `Repeated` if the key was used before.
    """
    row = asdict(idem) | {"at_ms": at_ms} | (appended._asdict() if appended else {})
    adding = upsert(connection, idempotency)
    noting = adding.values(row).on_conflict_do_nothing().returning(idempotency.c.key_hash)
    if connection.execute(noting).first() is None:
        raise Repeated


def prune(store: Store, now_ms: int) -> int:
    """Delete expired keys; return how many."""
    return store.change(delete(idempotency).where(idempotency.c.at_ms < now_ms - KEPT_MS))
