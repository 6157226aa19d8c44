"""A database's connections and transactions: statements are tried again where that may help."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, Executable, Select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from events.errors import Unavailable
from events.store import migrate

T = TypeVar("T")

Read = Callable[[Executable], Sequence[Any]]
"""Reads all rows of one statement: a store's `read`, or that of a connection in a transaction."""

PAUSES: Final = (0.0, 0.01, 0.05, 0.2)
"""Seconds before each new try of what failed for a passing reason."""


class Transactions:
    """What is the same on both databases. Each adds how it begins a transaction and which failures pass."""

    engine: Engine

    def passing(self, error: DBAPIError) -> bool:
        """Whether the same may succeed when tried again: a lost connection, a deadlock, a busy database."""
        raise NotImplementedError

    def begin(self, connection: Connection) -> Connection:
        """Begin a transaction that writes; it is committed by `write`."""
        raise NotImplementedError

    def at_one_moment(self, connection: Connection) -> AbstractContextManager[Connection]:
        """A transaction that reads, and sees the database as of one moment."""
        raise NotImplementedError

    def ask(self, work: Callable[[Connection], T]) -> T:
        """Do work on a connection, where each statement is a transaction of its own. Raises `Unavailable`."""
        for pause in (*PAUSES, None):
            try:
                with self.engine.connect() as connection:
                    return work(connection)
            except PoolTimeout as error:
                raise Unavailable("no connection is free") from error
            except DBAPIError as error:
                if not self.passing(error):
                    raise
                if pause is None:
                    raise Unavailable(str(error.orig)) from error
                time.sleep(pause)
        raise AssertionError

    def read(self, statement: Executable, **values: Any) -> Sequence[Any]:
        """All rows of one statement; `values` are those of its parameters."""
        return self.ask(lambda connection: connection.execute(statement, values).all())

    def read_hot(self, statement: Select[Any], **values: Any) -> Sequence[Any]:
        """All rows of a statement that every request asks, which lives as long as its module; at least as tuples."""
        return self.read(statement, **values)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Do work in one transaction."""

        def whole(connection: Connection) -> T:
            connection = self.begin(connection)
            done = work(connection)
            connection.commit()
            return done

        return self.ask(whole)

    def change(self, statement: Executable) -> int:
        """Execute one statement that writes; says how many rows it touched."""
        return self.write(lambda connection: connection.execute(statement).rowcount)

    def look(self, work: Callable[[Connection], T]) -> T:
        """Do work that reads, and sees the database as of one moment."""

        def whole(connection: Connection) -> T:
            with self.at_one_moment(connection) as still:
                return work(still)

        return self.ask(whole)

    def ready(self) -> bool:
        """Whether the database answers and its schema is the one this code was written for."""
        return migrate.current(self.engine)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
