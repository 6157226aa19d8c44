"""This module holds a database's connections and transactions. Statements are tried again where that may help."""

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
"""The pauses before each new try after a passing failure, in seconds."""


class Transactions:
    """This base class has what both databases share.

    Each adds how it begins a transaction and which failures pass.
    """

    engine: Engine

    def passing(self, error: DBAPIError) -> bool:
        """Say whether another try may succeed, as after a lost connection, a deadlock, a busy database."""
        raise NotImplementedError

    def begin(self, connection: Connection) -> Connection:
        """Begin a transaction that writes; it is committed by `write`."""
        raise NotImplementedError

    def at_one_moment(self, connection: Connection) -> AbstractContextManager[Connection]:
        """Begin a transaction that reads, and sees the database as of one moment."""
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
        """Read all rows of one statement; `values` are those of its parameters."""
        return self.ask(lambda connection: connection.execute(statement, values).all())

    def read_hot(self, statement: Select[Any], **values: Any) -> Sequence[Any]:
        """Read all rows of a statement that is asked by every request and never changes; rows are at least tuples."""
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
        """Say whether the database answers, and its schema is the one that this code was written for."""
        return migrate.current(self.engine)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
