"""The store on PostgreSQL: any number of processes; an append is one call of a function, in one round trip.

Loads go to psycopg itself, appends to libpq's prepared statements. Through SQLAlchemy's `text()` an append costs the
client many times the work, through psycopg's cursors still two or three times; with several writers that shows.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import psycopg
from psycopg import errors, pq
from sqlalchemy import Compiled, Connection, PoolProxiedConnection, Select, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from events import migrate
from events.queries import PAUSES, Queries
from events.store import Commit, DueRow, Followed, Head, Outcome, Position, Row, Unavailable

OPTIONS: Final = (
    "-c statement_timeout=10s -c lock_timeout=2s -c idle_in_transaction_session_timeout=30s -c timezone=UTC"
)
"""No transaction may stay open for long: an open one holds back every follower."""

APPEND: Final = b"SELECT append_commit($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)"
CREATE: Final = b"SELECT create_match($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)"
OF_COMMIT: Final = (0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1)
FORMATS: Final = {APPEND: (0, *OF_COMMIT), CREATE: (0, 1, 0, 0, *OF_COMMIT)}
"""Which parameters are bytes that are no text."""

FOLLOW: Final = text(
    "SELECT xid::text::bigint, position, match_no, first, n, at_ms, events, secrets FROM commits"
    " WHERE (xid, position) > (CAST(:xid AS text)::xid8, :position)"
    " AND xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY xid, position LIMIT :limit"
)
OURS: Final = text(
    "SELECT position FROM commits WHERE match_no = :match_no AND first = :first AND events = :events"
)

Parameter = bytes | None

_json = msgspec.json.Encoder().encode


UNKNOWN_STATEMENT: Final = b"26000"

T = TypeVar("T")


class _Answer(NamedTuple):
    """What a function answered: nothing if a key was there already; and whether an earlier try was cut short."""

    row: list[str] | None
    again: bool


class PostgresStore(Queries):
    """The store in a PostgreSQL database.

    `connections` is the most that this process keeps; half as many again may come for a while.
    """

    def __init__(self, url: str, connections: int = 10) -> None:
        self.engine = create_engine(
            url,
            isolation_level="AUTOCOMMIT",
            pool_size=connections,
            max_overflow=connections // 2,
            pool_timeout=10,
            pool_use_lifo=True,
            pool_reset_on_return=None,  # whoever begins a transaction ends it; the rest is autocommit
            connect_args={"options": OPTIONS, "connect_timeout": 5},
        )

        self._compiled: dict[int, Compiled] = {}

    def passing(self, error: DBAPIError) -> bool:
        return isinstance(error.orig, psycopg.OperationalError)

    def begin(self, connection: Connection) -> Connection:
        return connection.execution_options(isolation_level="READ COMMITTED")

    def lock(self, connection: Connection, match_no: int) -> None:
        connection.execute(text("SELECT lock_match(:match_no)"), {"match_no": match_no})

    def create(
        self, match_id: str, seal_secret: bytes, root: str, commit: Commit, invites: list[tuple[int, bytes]]
    ) -> tuple[Outcome, Head | None]:
        codes = _json([(seat, code.hex()) for seat, code in invites])
        row, again = self._call(
            CREATE, [match_id.encode(), seal_secret, root.encode(), codes, *_parameters(commit)]
        )
        if row:
            outcome = _outcome(row)
            return outcome, Head(int(row[3] or 0), match_id, outcome.version, commit.head, commit.at_ms)
        if again and (head := self.head(match_id)):  # the try that was cut short had done its work
            return self._ours(head.match_no, commit) or self._duplicate(commit), head
        return self._duplicate(commit), None

    def append(self, match_no: int, commit: Commit) -> Outcome:
        row, again = self._call(APPEND, [b"%d" % match_no, *_parameters(commit)])
        if row and row[0] == "ok":
            return _outcome(row)
        if again and (outcome := self._ours(match_no, commit)):
            return outcome
        return _outcome(row) if row else self._duplicate(commit)

    def read_hot(self, statement: Select[Any], **values: Any) -> Sequence[Any]:
        compiled = self._compiled.get(id(statement))  # they live as long as their module
        if compiled is None:
            compiled = self._compiled[id(statement)] = statement.compile(self.engine)
        parameters = {**compiled.params, **values}

        def work(connection: PoolProxiedConnection) -> Sequence[Any]:
            driver: Any = connection.driver_connection
            found: Sequence[Any] = driver.execute(
                compiled.string, parameters, prepare=True, binary=True
            ).fetchall()
            return found

        return self._trying_raw(work)

    def _ours(self, match_no: int, commit: Commit) -> Outcome | None:
        """The outcome of a try whose connection broke before it could answer, if it was executed after all."""
        found = self.read_bound(OURS, match_no=match_no, first=commit.first, events=commit.events)
        return Outcome("ok", commit.first + commit.n - 1, found[0][0]) if found else None

    def _duplicate(self, commit: Commit) -> Outcome:
        """The outcome of a commit whose idempotency key was there already."""
        used = commit.idempotency and self.idempotent(commit.idempotency.key_hash)
        if not used:
            raise RuntimeError("a row that must be new was there already, and it was no idempotency key")
        return Outcome("duplicate", 0 if used.first is None or used.n is None else used.first + used.n - 1)

    def follow(self, after: Position, limit: int) -> list[Followed]:
        found = self.read_bound(FOLLOW, xid=str(after.xid), position=after.position, limit=limit)
        return [Followed(Position(row[0], row[1]), row[2], Row._make(row[3:])) for row in found]

    def follow_is_sound(self) -> bool:
        return self.trying(migrate.follow_is_sound)

    def _call(self, statement: bytes, parameters: list[Parameter]) -> _Answer:
        """Execute a function, as a transaction; all its bytes that are no text come in binary form."""
        formats = FORMATS[statement]
        again = False

        def work(connection: PoolProxiedConnection) -> _Answer:
            nonlocal again
            earlier, again = again, True
            try:
                return _Answer(self._execute(connection, statement, parameters, formats), earlier)
            except errors.UniqueViolation:
                return _Answer(None, earlier)

        return self._trying_raw(work)

    def _trying_raw(self, work: Callable[[PoolProxiedConnection], T]) -> T:
        """Do work on psycopg's own connection, again if it fails for a passing reason."""
        for pause in (*PAUSES, None):
            try:
                return self._raw(work)
            except PoolTimeout as error:
                raise Unavailable("no connection is free") from error
            except (psycopg.OperationalError, DBAPIError) as error:
                if pause is None:
                    raise Unavailable(str(error)) from error
                time.sleep(pause)
        raise AssertionError

    def _raw(self, work: Callable[[PoolProxiedConnection], T]) -> T:
        connection = self.engine.raw_connection()
        try:
            return work(connection)
        except psycopg.OperationalError:
            if _pgconn(connection).status != pq.ConnStatus.OK:
                self.engine.dispose()  # the other connections will be as dead as this one
            raise
        finally:
            connection.close()

    def _execute(
        self,
        connection: PoolProxiedConnection,
        statement: bytes,
        parameters: Sequence[Parameter],
        formats: Sequence[int],
    ) -> list[str]:
        """The one row that a prepared statement answers."""
        pgconn = _pgconn(connection)
        name = _prepared(connection, pgconn, statement)
        result = pgconn.exec_prepared(name, parameters, formats)  # type: ignore[arg-type] # None is NULL
        if result.error_field(pq.DiagnosticField.SQLSTATE) == UNKNOWN_STATEMENT:
            del connection.info[name]  # psycopg drops all that is prepared when a transaction is rolled back
            return self._execute(connection, statement, parameters, formats)
        _check(result)
        return _fields(result)


def _pgconn(connection: PoolProxiedConnection) -> pq.abc.PGconn:
    driver: Any = connection.driver_connection
    pgconn: pq.abc.PGconn = driver.pgconn
    return pgconn


def _prepared(connection: PoolProxiedConnection, pgconn: pq.abc.PGconn, statement: bytes) -> bytes:
    """The name of a statement that this connection has prepared; the same for all, for each has its own."""
    name = statement.partition(b"(")[0].split()[-1]
    if name not in connection.info:
        _check(pgconn.prepare(name, statement))
        connection.info[name] = True
    return name


def _check(result: pq.abc.PGresult) -> None:
    if result.status in (pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.BAD_RESPONSE):
        state = (result.error_field(pq.DiagnosticField.SQLSTATE) or b"").decode()
        kind = errors.lookup(state) if state else psycopg.OperationalError
        raise kind(result.error_message.decode().strip())


def _fields(result: pq.abc.PGresult) -> list[str]:
    """The row that a function answers, written as (ok,5,17); none of its texts needs a quote."""
    return (result.get_value(0, 0) or b"()").decode()[1:-1].split(",")


def _parameters(commit: Commit) -> list[Parameter]:
    """What both functions take of a commit."""
    projected, idem = commit.projected, commit.idempotency
    return [
        b"%d" % commit.first,
        b"%d" % commit.n,
        b"%d" % commit.at_ms,
        commit.events.encode(),
        None if commit.secrets is None else commit.secrets.encode(),
        commit.head,
        None if projected.turns is None else _json(projected.turns),
        None if projected.due is None else _array(projected.due),
        _rest(commit),
        idem.key_hash if idem else None,
        idem.body_hash if idem else None,
    ]


def _array(rows: list[DueRow]) -> bytes:
    """Rows of `due` as PostgreSQL reads them: a tenth of the server's work for the same in JSON.

    A kind is one word, so that nothing in it needs a quote.
    """
    return (
        "{" + ",".join([f'"(,{_word(row.kind)},,{row.due_ms},{row.lease_ms},)"' for row in rows]) + "}"
    ).encode()


def _word(kind: str) -> str:
    if not kind.isidentifier():
        raise ValueError(f"not a kind of work: {kind!r}")
    return kind


def _rest(commit: Commit) -> bytes | None:
    """What changes seldom, as one JSON object."""
    projected = commit.projected
    rest = {
        "match": projected.match,
        "seats": projected.seats,
        "results": projected.results,
        "new_root": commit.new_root,
        "spent_invites": commit.spent_invites or None,
    }
    changed = {name: value for name, value in rest.items() if value is not None}
    return _json(changed) if changed else None


def _outcome(row: list[str]) -> Outcome:
    status: Any
    status, version, position = row[:3]
    return Outcome(status, int(version or 0), int(position) if position else None)
