"""Defines the store: queries of tables, and the differences between PostgreSQL and SQLite.

All else is a function of a module in `events.store.tables`, which takes a store, or a connection within a larger
transaction.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Executable, Select

from events.store.follow_records import Followed
from events.store.records import Appended, Commit, Head, Import, NewStream, Projected
from events.store.revisions import Schema

T = TypeVar("T")


class Store(Protocol):
    """The event store. Every method is one transaction, or several; any may raise `events.errors.Unavailable`.

    A store may be used by any number of threads, but not across a fork: open it after.
    """

    # How tables are queried: see `events.store.engine.Transactions`

    def read(self, statement: Executable, **values: Any) -> Sequence[Any]:
        """Read all rows of one statement; `values` are those of its parameters."""

    def ask(self, work: Callable[[Connection], T]) -> T:
        """Do work on a connection in which each statement is its own transaction."""

    def look(self, work: Callable[[Connection], T]) -> T:
        """Do reading work in one transaction, on a consistent snapshot of the database."""

    def write(self, work: Callable[[Connection], T]) -> T:
        """Do work in one transaction."""

    def change(self, statement: Executable) -> int:
        """Execute one writing statement; return the number of changed rows."""

    # Differences between the two databases

    def read_hot(self, statement: Select[Any], **values: Any) -> Sequence[Any]:
        """Read all rows of a constant statement that every request executes; rows may be plain tuples."""

    def create(self, new: NewStream) -> tuple[Appended, Head | None]:
        """Begin a match with its first commit, its secrets and the hashes of its invites (seat, code hash).

        Answers ``duplicate`` and no head if the commit's idempotency key was used before. Raises `AlreadyThere`.
        """

    def create_all(self, new: Sequence[NewStream], write_rows: Callable[[Connection], None]) -> bool:
        """Begin streams and write their rows, or nothing; return False if an idempotency key was used before."""

    def append(self, match_no: int, commit: Commit) -> Appended:
        """Write a commit if the match's version is still ``commit.first - 1``. One round trip on PostgreSQL.

        Raises `AlreadyThere` for a player who sits down at a second table of a group.
        """

    def append_within(self, connection: Connection, match_no: int, commit: Commit) -> Appended:
        """Append as ``append`` does, as part of a transaction. The commit has no idempotency key."""

    def write_projections(self, connection: Connection, match_no: int, projected: Projected) -> None:
        """Replace the stored rows of a match's projections, as an append does."""

    def import_matches(self, played: Sequence[Import]) -> bool:
        """Write whole matches from other servers with the names of their players, in one transaction.

        Returns False and writes nothing if a match with one of the ids exists. Ignores ``head.match_no``.
        """

    def lock(self, connection: Connection, match_no: int) -> None:
        """Keep others from appending to a match until the transaction ends."""

    def follow(self, after: int, limit: int) -> list[Followed]:
        """Return the commits of all streams after a position, in order; none is missed while others write."""

    def overwrite_deleted(self) -> bool:
        """Remove deleted data from the files of an SQLite database; False if a reader still needs them.

        On PostgreSQL it does nothing: its vacuum removes deleted data.
        """

    def end(self) -> int:
        """Return a position up to which everything is written, and nothing more will be."""

    # Operation

    def schema(self) -> Schema | None:
        """Return the schema of the database; None if it does not answer, or was never migrated."""

    def schema_fits(self) -> bool:
        """Return whether the database answers, and this code works with its schema."""

    def ready(self) -> bool:
        """Return whether the database answers and can be written to, and this code works with its schema."""

    def close(self) -> None:
        """Close all connections."""
