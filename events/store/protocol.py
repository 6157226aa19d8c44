"""This module defines the store: how tables are queried, and what PostgreSQL and SQLite do each in its own way.

All else is a function of one of the modules in `events.store.tables`, which takes a store, or a connection where it
is part of a larger transaction.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Executable, Select

from events.store.follow_records import Followed
from events.store.records import Appended, Commit, Head, Import, NewStream

T = TypeVar("T")


class Store(Protocol):
    """The event store. Every method is one transaction, or several; any may raise `events.errors.Unavailable`.

    A store may be used by any number of threads, but not across a fork: open it after.
    """

    # How tables are asked: see `events.store.engine.Transactions`

    def read(self, statement: Executable, **values: Any) -> Sequence[Any]:
        """Read all rows of one statement; `values` are those of its parameters."""

    def ask(self, work: Callable[[Connection], T]) -> T:
        """Do work on a connection, where each statement is a transaction of its own."""

    def look(self, work: Callable[[Connection], T]) -> T:
        """Do work that reads, and sees the database as of one moment."""

    def write(self, work: Callable[[Connection], T]) -> T:
        """Do work in one transaction."""

    def change(self, statement: Executable) -> int:
        """Execute one statement that writes; says how many rows it touched."""

    # Where the two databases differ

    def read_hot(self, statement: Select[Any], **values: Any) -> Sequence[Any]:
        """Read all rows of a statement that is asked by every request and never changes; rows are at least tuples."""

    def create(self, new: NewStream) -> tuple[Appended, Head | None]:
        """Begin a match with its first commit, its secrets and the hashes of its invites (seat, code hash).

        Answers ``duplicate`` and no head if the commit's idempotency key was used before. Raises `AlreadyThere`.
        """

    def create_all(self, new: Sequence[NewStream], write_rows: Callable[[Connection], None]) -> bool:
        """Begin streams and write what lies beside them, or nothing; False if an idempotency key was used before."""

    def append(self, match_no: int, commit: Commit) -> Appended:
        """Write a commit if the match's version is still ``commit.first - 1``. One round trip on PostgreSQL.

        Raises `AlreadyThere` for a player who sits down at a second table of a group.
        """

    def append_within(self, connection: Connection, match_no: int, commit: Commit) -> Appended:
        """Append as ``append`` does, as part of a transaction. The commit has no idempotency key."""

    def import_matches(self, played: Sequence[Import]) -> bool:
        """Write matches that were played elsewhere, whole, in one transaction, with the names of their players here.

        False, and nothing written, if there is a match of one of the ids. ``head.match_no`` is not asked.
        """

    def lock(self, connection: Connection, match_no: int) -> None:
        """Keep others from appending to a match until the transaction ends."""

    def follow(self, after: int, limit: int) -> list[Followed]:
        """Return the commits of all streams after a position, in order; none is missed while others write."""

    def end(self) -> int:
        """Return a position up to which everything is written, and nothing more will be."""

    # Operation

    def is_current(self) -> bool:
        """Say whether the database answers, and its schema is the one of this code."""

    def ready(self) -> bool:
        """Say whether the database answers and can be written to, and its schema is the one of this code."""

    def close(self) -> None:
        """Close all connections."""
