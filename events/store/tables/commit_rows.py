"""Appends commits to streams, with their projections."""

from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import Connection

from events.errors import Repeated
from events.store.protocol import Store
from events.store.records import Commit, Idempotency, NewStream
from events.store.tables import idempotency_rows, pending_rows, stream_rows
from events.store.tables.projection_rows import write_changed_rows

Check = Callable[[Connection], None]
"""A part of a transaction, which may end it by an exception."""


class _Raced(Exception):
    """Another writer was faster, so nothing must be written."""


def append_all(store: Store, commits: Mapping[int, Commit], idem: Idempotency | None = None) -> bool:
    """Append a commit to each of these streams, by their numbers, or to none; False if another writer was faster.

    The request's key is recorded with the first of them. Raises `Repeated` if it was used before. A commit to a single
    match takes one round trip.
    """
    number, first = next(iter(commits.items()))
    if len(commits) == 1 and first.lines is None:
        first.idempotency = idem
        status = store.append(number, first).status
        if status == "duplicate":
            raise Repeated
        return status == "ok"
    # Always in the same order: two writers to the same streams would otherwise wait for each other.
    ordered = sorted(commits.items())
    tries = 0

    def work(connection: Connection) -> None:
        nonlocal tries
        tries += 1
        for one, commit in ordered:
            if store.append_within(connection, one, commit).status != "ok":
                raise _Raced
            _write_beside(connection, commit)
        if idem is not None:
            appended = idempotency_rows.AppendedEvents(number, first.first, first.n)
            idempotency_rows.note_key(connection, idem, first.at_ms, appended)

    try:
        store.write(work)
    except _Raced:
        return tries > 1 and _is_written(store, number, first)
    return True


def create_all(store: Store, streams: Sequence[NewStream], check: Check | None = None) -> bool:
    """Begin streams with their additional rows, or none; return False if an idempotency key was used before.

    `check` can end the transaction by an exception. Raises `AlreadyThere`.
    """

    def write_rows(connection: Connection) -> None:
        if check is not None:
            check(connection)
        for new in streams:
            _write_beside(connection, new.commit)

    return store.create_all(streams, write_rows)


def _write_beside(connection: Connection, commit: Commit) -> None:
    """Write the rows that go with a commit, in its transaction."""
    if commit.lines is not None:
        write_changed_rows(connection, *commit.lines)
    if commit.wakes is not None:
        pending_rows.make_due(connection, *commit.wakes, commit.at_ms)
    if commit.beside is not None:
        commit.beside(connection)


def _is_written(store: Store, stream_no: int, commit: Commit) -> bool:
    """Return whether a try whose connection broke before it could answer was written after all."""
    there = stream_rows.rows(store, stream_no, commit.first - 1, limit=1)
    return bool(there) and there[0].events == commit.events
