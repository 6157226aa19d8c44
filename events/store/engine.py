"""Holds a database's connections and transactions. Retries statements if that may help."""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from math import inf
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, Executable, Select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from events.errors import Unavailable
from events.store.revisions import Schema, read_schema

T = TypeVar("T")

Read = Callable[[Executable], Sequence[Any]]
"""Reads all rows of one statement: a store's `read`, or that of a connection in a transaction."""

PAUSES: Final = (0.0, 0.01, 0.05, 0.2)
"""The pauses before each retry after a temporary failure, in seconds."""
PATIENCE_SECONDS: Final = 15.0
"""The time after which nothing is tried again, in seconds."""
SURE_SECONDS: Final = 1.0
"""The time for which a success in writing shows that the database can be written to, in seconds."""
PROBE_SECONDS: Final = 0.25
"""During an outage, one caller tries the database this often, in seconds; the others are refused immediately."""


log = logging.getLogger(__name__)


class Reach:
    """Remembers whether the database works, so that an outage logs one line instead of thousands.

    It records each failure and success of one kind of use, `read` or `written to`.
    """

    def __init__(self, use: str) -> None:
        self._use = use
        self._failing = False
        self._worked: float | None = None
        self._probe_at: float | None = None

    @property
    def is_out(self) -> bool:
        """Return whether the database was out of reach for the last caller who tried it."""
        return self._probe_at is not None

    def begin(self) -> None:
        """Allow a caller to use the database. Raise `Unavailable` in an outage, except for one caller at a time."""
        if self._probe_at is None:
            return
        if time.monotonic() < self._probe_at:
            raise Unavailable(f"the database cannot be {self._use}")
        self._probe_at = inf

    def end(self, *, is_out: bool) -> None:
        """Record the end of a use, and whether the database was unreachable."""
        self._probe_at = time.monotonic() + PROBE_SECONDS if is_out else None

    def failed(self, error: BaseException) -> None:
        """Record a failed use; only the first of several in a row is logged."""
        if not self._failing:
            reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
            log.error("the database cannot be %s (%s); until then, requests get 503", self._use, reason)
        self._failing = True

    def record_success(self) -> None:
        """Record a successful use."""
        if self._failing:
            log.warning("the database can be %s again", self._use)
        self._failing = False
        self._worked = time.monotonic()

    def is_sure(self, seconds: float) -> bool:
        """Return whether the last use was a success, at most this many seconds ago."""
        return not self._failing and self._worked is not None and time.monotonic() - self._worked < seconds


class Transactions:
    """The code common to both databases. Each defines how its transactions begin, and which failures are temporary."""

    engine: Engine
    failures: tuple[type[Exception], ...] = (DBAPIError,)
    """The exceptions of a failing database."""

    def __init__(self) -> None:
        self.reading = Reach("read")
        self.writing = Reach("written to")

    def is_temporary(self, cause: BaseException) -> bool:
        """Return whether a retry may succeed, as after a lost connection or a deadlock, or if the database is busy."""
        raise NotImplementedError

    def is_permanent(self, cause: BaseException) -> bool:
        """Return whether the database has a fault that an operator must fix, such as a full disk."""
        raise NotImplementedError

    def is_out_of_reach(self, cause: BaseException) -> bool:
        """Return whether connecting to the database failed, or a connection was lost."""
        raise NotImplementedError

    def check_writable(self) -> None:
        """Raise `Unavailable` if nothing can be written."""
        raise NotImplementedError

    def begin(self, connection: Connection) -> Connection:
        """Begin a writing transaction, which `write` commits."""
        raise NotImplementedError

    def at_one_moment(self, connection: Connection) -> AbstractContextManager[Connection]:
        """Begin a reading transaction on a consistent snapshot of the database."""
        raise NotImplementedError

    def ask(self, work: Callable[[Connection], T]) -> T:
        """Do work on a connection in which each statement is its own transaction. Raises `Unavailable`."""
        return self._connected(work, self.reading)

    def _connected(self, work: Callable[[Connection], T], reach: Reach) -> T:
        def once() -> T:
            with self.engine.connect() as connection:
                return work(connection)

        return self.run_with_retries(once, reach)

    def run_with_retries(self, work: Callable[[], T], reach: Reach) -> T:
        """Do work, and retry it after a temporary failure. Raises `Unavailable`, during a known outage immediately."""
        reach.begin()
        is_out = False
        try:
            return self._try(work, reach)
        except Unavailable as error:
            cause = error.__cause__
            # A lack of free connections is not a new fault.
            is_out = reach.is_out if isinstance(cause, PoolTimeout) else self.is_out_of_reach(_cause_of(cause or error))
            raise
        finally:
            reach.end(is_out=is_out)

    def _try(self, work: Callable[[], T], reach: Reach) -> T:
        end = time.monotonic() + PATIENCE_SECONDS
        for pause in (*PAUSES, None):
            try:
                done = work()
            except PoolTimeout as error:
                raise Unavailable("no connection is free") from error
            except self.failures as error:
                cause = _cause_of(error)
                permanent = self.is_permanent(cause)
                if not permanent and not self.is_temporary(cause):
                    raise
                if permanent or pause is None or time.monotonic() > end:
                    reach.failed(cause)
                    raise Unavailable(str(cause)) from error
                time.sleep(pause)
            else:
                reach.record_success()
                return done
        raise AssertionError

    def read(self, statement: Executable, **values: Any) -> Sequence[Any]:
        """Read all rows of one statement; `values` are those of its parameters."""
        return self.ask(lambda connection: connection.execute(statement, values).all())

    def read_hot(self, statement: Select[Any], **values: Any) -> Sequence[Any]:
        """Read all rows of a constant statement that every request executes; rows may be plain tuples."""
        return self.read(statement, **values)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Do work in one transaction."""

        def whole(connection: Connection) -> T:
            connection = self.begin(connection)
            done = work(connection)
            connection.commit()
            return done

        return self._connected(whole, self.writing)

    def change(self, statement: Executable) -> int:
        """Execute one writing statement; return the number of changed rows."""
        return self.write(lambda connection: connection.execute(statement).rowcount)

    def look(self, work: Callable[[Connection], T]) -> T:
        """Do reading work in one transaction, on a consistent snapshot of the database."""

        def whole(connection: Connection) -> T:
            with self.at_one_moment(connection) as still:
                return work(still)

        return self.ask(whole)

    def schema(self) -> Schema | None:
        """Return the schema of the database; None if it does not answer, or was never migrated."""
        try:
            return self.ask(read_schema)
        except (Unavailable, DBAPIError):
            return None

    def schema_fits(self) -> bool:
        """Return whether the database answers, and this code works with its schema."""
        schema = self.schema()
        return schema is not None and schema.fits

    def ready(self) -> bool:
        """Return whether the database answers and can be written to, and this code works with its schema."""
        if not self.schema_fits():
            return False
        try:
            if not self.writing.is_sure(SURE_SECONDS):
                self.check_writable()
        except Unavailable:
            return False
        return True

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _cause_of(error: BaseException) -> BaseException:
    """Return the driver's error behind one of SQLAlchemy's."""
    return getattr(error, "orig", None) or error
