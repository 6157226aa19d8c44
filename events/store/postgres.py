"""Contains the store on PostgreSQL, for any number of processes.

An append is one function call, in one round trip.

Loads go to psycopg itself, appends to libpq's prepared statements. An append through SQLAlchemy's `text()` costs the
client many times the work, through psycopg's cursors two or three times. With several writers, the difference is
noticeable.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import psycopg
from psycopg import errors, pq
from sqlalchemy import Compiled, Connection, PoolProxiedConnection, Select, create_engine, make_url, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from events.errors import AlreadyThere, Unavailable
from events.settings import CONNECTIONS, extra_connections
from events.store.engine import Transactions
from events.store.follow_records import Followed
from events.store.records import Appended, Commit, CommitRow, DueRow, Head, Import, NewStream, Projected, VacationTaken
from events.store.schema.log_schema import stream
from events.store.silent_server_watchdog import Watchdog
from events.store.tables import idempotency_rows, stream_rows, vacation_rows
from events.store.tables.projection_rows import in_json, name_foreign, rows_by_table, write_turns

OPTIONS: Final = (
    "-c statement_timeout=10s -c lock_timeout=2s -c idle_in_transaction_session_timeout=30s -c timezone=UTC -c jit=off"
    " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25s"
    " -c dealt.direct=yes"
)
"""No transaction may stay open for long: one that has appended holds back every follower.

The server ends the session of a client that vanished within 30 seconds. The last setting is a mark: it is missing in a
session that a pooler opened.
"""

LIMITS: Final = {
    "connect_timeout": 5,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 8_000,
}
"""When the host of the database is given up, in seconds, and the last in ms; see `silent_server_watchdog`."""

READ_ONLY: Final = text("SHOW transaction_read_only")

T = TypeVar("T")

Parameter = bytes | None


class _Function:
    """A function of the database that appends, given the types of its parameters by their names.

    `prepared` calls it through libpq, where `formats` has 1 for bytes that are no text; `within` calls it in a
    transaction of SQLAlchemy.
    """

    def __init__(self, name: str, parameters: Mapping[str, str]) -> None:
        self.name, self._types = name, parameters
        self.prepared = f"SELECT {name}({','.join(f'${n + 1}' for n in range(len(parameters)))})".encode()
        self.formats = tuple(int(of == "bytea") for of in parameters.values())
        self.within = text(f"SELECT * FROM {name}({', '.join(f'CAST(:{x} AS {of})' for x, of in parameters.items())})")

    def by_name(self, arguments: Sequence[Parameter]) -> dict[str, bytes | str | None]:
        """Return arguments as `within` takes them."""
        given = zip(self._types, self.formats, arguments, strict=True)
        return {name: x.decode() if x is not None and not raw else x for name, raw, x in given}


OF_COMMIT: Final = {
    "first": "int", "n": "smallint", "at_ms": "bigint", "events": "text", "secrets": "text",
    "head": "bytea", "turns": "text", "due": "due[]", "rest": "json", "key": "bytea", "body": "bytea", "mac": "bytea",
}  # fmt: skip
"""The parameters that describe a commit, with their types."""

APPEND: Final = _Function("append_commit", {"match_no": "bigint"} | OF_COMMIT)
ORDERED: Final = _Function("append_ordered", {"orders": "text", "looked": "bigint", "match_no": "bigint"} | OF_COMMIT)
CREATE: Final = _Function(
    "create_match",
    {"match_id": "text", "seal_secret": "bytea", "root": "text", "invites": "json", **OF_COMMIT, "kind": "text"},
)

FOLLOW: Final = text(
    "SELECT position, match_no, (SELECT kind FROM stream s WHERE s.match_no = commits.match_no),"
    " first, n, at_ms, events, secrets, mac FROM commits"
    " WHERE position > :after AND position <= :settled ORDER BY position LIMIT :limit"
)
SETTLED: Final = text("SELECT settled_position()")
OURS: Final = text("SELECT position FROM commits WHERE match_no = :match_no AND first = :first AND events = :events")
IMPORT: Final = text(
    "SELECT import_match(:match_id, :created, :imported, :head, CAST(:commits AS json), CAST(:rows AS json))"
)
PROJECT: Final = text("SELECT write_projections(:match_no, CAST(:due AS due[]), CAST(:rows AS json))")

UNKNOWN_STATEMENT: Final = b"26000"

_json = msgspec.json.Encoder().encode


class _Answer(NamedTuple):
    """The answer of a function, None if a key was there already, and whether an earlier try was cut short."""

    row: list[str] | None
    again: bool


class PostgresStore(Transactions):
    """The store in a PostgreSQL database.

    `connections` is the most that this process keeps; `extra_connections` more may come for a while.
    """

    failures = (DBAPIError, psycopg.OperationalError, errors.ReadOnlySqlTransaction)

    def __init__(self, url: str, connections: int = CONNECTIONS) -> None:
        super().__init__()
        self.engine = create_engine(
            url,
            isolation_level="AUTOCOMMIT",
            pool_size=connections,
            max_overflow=extra_connections(connections),
            pool_timeout=10,
            pool_use_lifo=True,
            pool_reset_on_return=None,  # Code that begins a transaction also ends it; everything else is autocommit.
            connect_args=connect_args(url),
        )
        self._watchdog = Watchdog(self.engine)
        self._compiled: dict[int, Compiled] = {}

    def is_temporary(self, cause: BaseException) -> bool:
        return isinstance(cause, psycopg.OperationalError)

    def is_out_of_reach(self, cause: BaseException) -> bool:
        # A statement that took too long (57014) says nothing about others.
        return isinstance(cause, psycopg.OperationalError) and (
            cause.sqlstate is None or cause.sqlstate.startswith(("08", "57P"))
        )

    def is_permanent(self, cause: BaseException) -> bool:
        if not isinstance(cause, errors.ReadOnlySqlTransaction):
            return isinstance(cause, errors.DiskFull)
        # A demoted primary stays one for open connections; a new connection may reach the next primary.
        self.engine.dispose()
        return True

    def check_writable(self) -> None:
        if self.ask(lambda connection: connection.execute(READ_ONLY).scalar_one()) == "on":
            self.engine.dispose()
            error = Unavailable("the database is read-only")
            self.writing.failed(error)
            raise error
        self.writing.record_success()

    def close(self) -> None:
        self._watchdog.stop()
        super().close()

    def begin(self, connection: Connection) -> Connection:
        return connection.execution_options(isolation_level="READ COMMITTED")

    @contextmanager
    def at_one_moment(self, connection: Connection) -> Iterator[Connection]:
        connection = connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection
        connection.commit()

    def lock(self, connection: Connection, match_no: int) -> None:
        connection.execute(text("SELECT lock_match(:match_no)"), {"match_no": match_no})

    def create(self, new: NewStream) -> tuple[Appended, Head | None]:
        commit = new.commit
        row, again = self._call(CREATE, _of_stream(new))
        if row:
            outcome = _outcome(row)
            return outcome, Head(int(row[3] or 0), new.match_id, outcome.version, commit.head, commit.at_ms)
        if again and (head := stream_rows.head(self, new.match_id)):  # The interrupted attempt had succeeded.
            return self._ours(head.match_no, commit) or self._duplicate(commit), head
        return self._duplicate(commit), None

    def create_all(self, new: Sequence[NewStream], write_rows: Callable[[Connection], None]) -> bool:
        def work(connection: Connection) -> bool:
            for one in new:
                connection.execute(CREATE.within, CREATE.by_name(_of_stream(one)))
            write_rows(connection)
            return True

        try:
            return self.write(work)
        except IntegrityError:
            ours = select(stream.c.match_no).where(stream.c.match_id == new[0].match_id)
            return bool(self.read(ours))  # The connection of this attempt broke before the answer.

    def append(self, match_no: int, commit: Commit) -> Appended:
        if commit.vacation is not None:
            return self._append_taken(match_no, commit, commit.vacation)
        function, by = APPEND, list[Parameter]()
        if commit.ordered is not None:
            function, by = ORDERED, [commit.ordered.orders_id.encode(), b"%d" % commit.ordered.since_ms]
        row, again = self._call(function, [*by, b"%d" % match_no, *_of_commit(commit)])
        if row and row[0] == "ok":
            return _outcome(row)
        if again and (outcome := self._ours(match_no, commit)):
            return outcome
        return _outcome(row) if row else self._duplicate(commit)

    def _append_taken(self, match_no: int, commit: Commit, t: VacationTaken) -> Appended:
        """Append a commit and its use of a player's vacations, in one transaction."""

        def work(connection: Connection) -> Appended:
            self.lock(connection, match_no)
            here = select(stream.c.version).where(stream.c.match_no == match_no)
            version = connection.execute(here).scalar_one()
            if version != commit.first - 1 or not vacation_rows.write_vacations_if_unchanged(connection, t):
                return Appended("conflict", version)
            return self.append_within(connection, match_no, commit)

        return self.write(work)

    def append_within(self, connection: Connection, match_no: int, commit: Commit) -> Appended:
        row = connection.execute(APPEND.within, APPEND.by_name([b"%d" % match_no, *_of_commit(commit)])).one()
        return Appended(row.status, row.new_version, row.new_position)

    def write_projections(self, connection: Connection, match_no: int, projected: Projected) -> None:
        if projected.turns is not None:
            write_turns(connection, match_no, projected.turns)
        pending = None if projected.due is None else _array(projected.due).decode()
        values = {"match_no": match_no, "due": pending, "rows": in_json(rows_by_table(projected))}
        connection.execute(PROJECT, values)

    def import_matches(self, played: Sequence[Import]) -> bool:
        def work(connection: Connection) -> bool:
            for head, rows, projected, names in played:
                values = {
                    "match_id": head.match_id,
                    "created": head.created_ms,
                    "imported": head.imported,
                    "head": head.head,
                    "commits": in_json([row._asdict() for row in rows]),
                    "rows": in_json(rows_by_table(projected)),
                }
                if connection.execute(IMPORT, values).scalar_one() is None:
                    connection.rollback()
                    return False
                name_foreign(connection, head, names)
            return True

        return self.write(work)

    def read_hot(self, statement: Select[Any], **values: Any) -> Sequence[Any]:
        compiled = self._compiled.get(id(statement))  # They live as long as their module.
        if compiled is None:
            compiled = self._compiled[id(statement)] = statement.compile(self.engine)
        parameters = {**compiled.params, **values}

        def work(connection: PoolProxiedConnection) -> Sequence[Any]:
            driver: Any = connection.driver_connection
            found: Sequence[Any] = driver.execute(compiled.string, parameters, prepare=True, binary=True).fetchall()
            return found

        return self.run_with_retries(lambda: self._raw(work), self.reading)

    def _ours(self, match_no: int, commit: Commit) -> Appended | None:
        """Return the outcome of a try whose connection broke before the answer, if it was executed."""
        found = self.read(OURS, match_no=match_no, first=commit.first, events=commit.events)
        return Appended("ok", commit.first + commit.n - 1, found[0][0]) if found else None

    def _duplicate(self, commit: Commit) -> Appended:
        """Return the outcome of a commit whose idempotency key existed already."""
        used = commit.idempotency and idempotency_rows.find_key(self, commit.idempotency.key_hash)
        if not used:
            raise AlreadyThere
        return Appended("duplicate", 0 if used.first is None or used.n is None else used.first + used.n - 1)

    def follow(self, after: int, limit: int) -> list[Followed]:
        settled = self.end()
        if settled <= after:
            return []
        # This is a separate statement: its snapshot must be newer than the settled data.
        found = self.read(FOLLOW, after=after, settled=settled, limit=limit)
        return [Followed(position, match_no, CommitRow._make(row), kind) for position, match_no, kind, *row in found]

    def overwrite_deleted(self) -> bool:
        """Return True: PostgreSQL's own vacuum removes deleted data."""
        return True

    def end(self) -> int:
        settled: int = self.read(SETTLED)[0][0]
        return settled

    def _call(self, function: _Function, arguments: list[Parameter]) -> _Answer:
        """Execute a function, as a transaction."""
        again = False

        def work(connection: PoolProxiedConnection) -> _Answer:
            nonlocal again
            earlier, again = again, True
            try:
                return _Answer(self._execute(connection, function, arguments), earlier)
            except errors.UniqueViolation:
                return _Answer(None, earlier)

        return self.run_with_retries(lambda: self._raw(work), self.writing)

    def _raw(self, work: Callable[[PoolProxiedConnection], T]) -> T:
        """Do work on psycopg's own connection."""
        connection = self.engine.raw_connection()
        try:
            return work(connection)
        except psycopg.OperationalError:
            if _pgconn(connection).status != pq.ConnStatus.OK:
                self.engine.dispose()  # The other connections are probably dead too.
            raise
        finally:
            connection.close()

    def _execute(
        self, connection: PoolProxiedConnection, function: _Function, arguments: Sequence[Parameter]
    ) -> list[str]:
        """Return the one row that a function answers."""
        pgconn, name = _pgconn(connection), function.name
        if name not in connection.info:  # Each connection prepares its own statements.
            _check(pgconn.prepare(name.encode(), function.prepared))
            connection.info[name] = True
        # For libpq, None is NULL.
        result = pgconn.exec_prepared(name.encode(), arguments, function.formats)  # type: ignore[arg-type]
        if result.error_field(pq.DiagnosticField.SQLSTATE) == UNKNOWN_STATEMENT:
            del connection.info[name]  # psycopg drops all prepared statements when a transaction is rolled back.
            return self._execute(connection, function, arguments)
        _check(result)
        return _fields(result)


def connect_args(url: str) -> dict[str, Any]:
    """Return the parameters of a connection. Those in the address take precedence."""
    named = make_url(url).query
    options = {"options": f"{OPTIONS} {named.get('options', '')}".strip()}
    return {name: value for name, value in LIMITS.items() if name not in named} | options


def _pgconn(connection: PoolProxiedConnection) -> pq.abc.PGconn:
    driver: Any = connection.driver_connection
    pgconn: pq.abc.PGconn = driver.pgconn
    return pgconn


def _check(result: pq.abc.PGresult) -> None:
    if result.status in (pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.BAD_RESPONSE):
        state = (result.error_field(pq.DiagnosticField.SQLSTATE) or b"").decode()
        kind = errors.lookup(state) if state else psycopg.OperationalError
        raise kind(result.error_message.decode().strip())


def _fields(result: pq.abc.PGresult) -> list[str]:
    """Read the row that a function answers, written as (ok,5,17); none of its texts needs a quote."""
    return (result.get_value(0, 0) or b"()").decode()[1:-1].split(",")


def _of_commit(commit: Commit) -> list[Parameter]:
    """Return the arguments that are `OF_COMMIT`."""
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
        commit.mac,
    ]


def _of_stream(new: NewStream) -> list[Parameter]:
    """Return the arguments of `CREATE`."""
    codes = _json([(seat, code.hex()) for seat, code in new.invites])
    root = None if new.root is None else new.root.encode()
    return [new.match_id.encode(), new.seal_secret, root, codes, *_of_commit(new.commit), new.kind.encode()]


def _array(rows: list[DueRow]) -> bytes:
    """Write rows of `due` as PostgreSQL reads them, which costs a tenth of the server's work for the same in JSON.

    A kind is one word, so that nothing in it needs a quote.
    """
    return ("{" + ",".join([f'"(,{_word(row.kind)},,{row.due_ms},{row.lease_ms},)"' for row in rows]) + "}").encode()


def _word(kind: str) -> str:
    if not kind.isidentifier():
        raise ValueError(f"not a kind of work: {kind!r}")
    return kind


def _rest(commit: Commit) -> bytes | None:
    """Return the fields that rarely change, as one JSON object."""
    changed: dict[str, Any] = dict(rows_by_table(commit.projected))
    if commit.new_root is not None:
        changed["new_root"] = commit.new_root
    if commit.spent_invites:
        changed["spent_invites"] = commit.spent_invites
    return _json(changed) if changed else None


def _outcome(row: list[str]) -> Appended:
    status: Any
    status, version, position = row[:3]
    return Appended(status, int(version or 0), int(position) if position else None)
