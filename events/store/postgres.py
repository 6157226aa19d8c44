"""Contains the store on PostgreSQL, for any number of processes.

An append is one function call, in one round trip.

Loads go to psycopg itself, appends to libpq's prepared statements. An append through SQLAlchemy's `text()` costs the
client many times the work, through psycopg's cursors two or three times. With several writers, the difference is
noticeable.
"""

from collections.abc import Callable, Iterator, Sequence
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

APPEND: Final = b"SELECT append_commit($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)"
ORDERED: Final = b"SELECT append_ordered($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)"
CREATE: Final = b"SELECT create_match($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16)"
OF_COMMIT: Final = (0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1)
FORMATS: Final = {APPEND: (0, *OF_COMMIT), ORDERED: (0, 0, 0, *OF_COMMIT), CREATE: (0, 1, 0, 0, *OF_COMMIT)}
"""The formats of parameters: 1 for bytes that are no text."""

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

APPEND_WITHIN: Final = text(
    "SELECT status, new_version, new_position FROM append_commit("
    "CAST(:match_no AS bigint), CAST(:first AS int), CAST(:n AS smallint), CAST(:at_ms AS bigint),"
    " :events, :secrets, :head, :turns, CAST(:due AS due[]), CAST(:rest AS json), :key, :body, :mac)"
)

CREATE_STREAM: Final = text(
    "SELECT new_match FROM create_match(:match_id, :seal_secret, :root, CAST(:invites AS json), CAST(:first AS int),"
    " CAST(:n AS smallint), CAST(:at_ms AS bigint), :events, :secrets, :head, :turns, CAST(:due AS due[]),"
    " CAST(:rest AS json), :key, :body, :mac, :kind)"
)

Parameter = bytes | None

_json = msgspec.json.Encoder().encode


UNKNOWN_STATEMENT: Final = b"26000"

T = TypeVar("T")


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

    def passing(self, cause: BaseException) -> bool:
        return isinstance(cause, psycopg.OperationalError)

    def is_out_of_reach(self, cause: BaseException) -> bool:
        # A statement that took too long (57014) says nothing about others.
        return isinstance(cause, psycopg.OperationalError) and (
            cause.sqlstate is None or cause.sqlstate.startswith(("08", "57P"))
        )

    def lasting(self, cause: BaseException) -> bool:
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
        self.writing.worked()

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
        match_id, seal_secret, root, commit, invites, _ = new
        assert root is not None, "a stream that is not a match begins with `create_all`"
        codes = _json([(seat, code.hex()) for seat, code in invites])
        row, again = self._call(CREATE, [match_id.encode(), seal_secret, root.encode(), codes, *_parameters(commit)])
        if row:
            outcome = _outcome(row)
            return outcome, Head(int(row[3] or 0), match_id, outcome.version, commit.head, commit.at_ms)
        if again and (head := stream_rows.head(self, match_id)):  # The interrupted attempt had succeeded.
            return self._ours(head.match_no, commit) or self._duplicate(commit), head
        return self._duplicate(commit), None

    def create_all(self, new: Sequence[NewStream], write_rows: Callable[[Connection], None]) -> bool:
        def work(connection: Connection) -> bool:
            for one in new:
                connection.execute(CREATE_STREAM, _of_stream(one))
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
        statement, by = APPEND, list[Parameter]()
        if commit.ordered is not None:
            statement, by = ORDERED, [commit.ordered.orders_id.encode(), b"%d" % commit.ordered.since_ms]
        row, again = self._call(statement, [*by, b"%d" % match_no, *_parameters(commit)])
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
        row = connection.execute(APPEND_WITHIN, {"match_no": match_no, **_named_parameters(commit)}).one()
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

        return self.trying(lambda: self._raw(work), self.reading)

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

    def _call(self, statement: bytes, parameters: list[Parameter]) -> _Answer:
        """Execute a function, as a transaction; byte values that are not text are passed in binary form."""
        formats = FORMATS[statement]
        again = False

        def work(connection: PoolProxiedConnection) -> _Answer:
            nonlocal again
            earlier, again = again, True
            try:
                return _Answer(self._execute(connection, statement, parameters, formats), earlier)
            except errors.UniqueViolation:
                return _Answer(None, earlier)

        return self.trying(lambda: self._raw(work), self.writing)

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
        self,
        connection: PoolProxiedConnection,
        statement: bytes,
        parameters: Sequence[Parameter],
        formats: Sequence[int],
    ) -> list[str]:
        """Execute a prepared statement, and return its one row."""
        pgconn = _pgconn(connection)
        name = _prepared(connection, pgconn, statement)
        result = pgconn.exec_prepared(name, parameters, formats)  # type: ignore[arg-type] # None is NULL
        if result.error_field(pq.DiagnosticField.SQLSTATE) == UNKNOWN_STATEMENT:
            del connection.info[name]  # psycopg drops all prepared statements when a transaction is rolled back.
            return self._execute(connection, statement, parameters, formats)
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


def _prepared(connection: PoolProxiedConnection, pgconn: pq.abc.PGconn, statement: bytes) -> bytes:
    """Return the name of a statement that this connection has prepared; each connection has its own."""
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
    """Read the row that a function answers, written as (ok,5,17); none of its texts needs a quote."""
    return (result.get_value(0, 0) or b"()").decode()[1:-1].split(",")


def _parameters(commit: Commit) -> list[Parameter]:
    """Return the parameters of a commit for both functions."""
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


def _of_stream(new: NewStream) -> dict[str, Any]:
    """Return the parameters of a stream for `CREATE_STREAM`."""
    codes = _json([(seat, code.hex()) for seat, code in new.invites]).decode()
    return {
        **_named_parameters(new.commit),
        "match_id": new.match_id,
        "seal_secret": new.seal_secret,
        "root": new.root,
        "invites": codes,
        "kind": new.kind,
    }


def _named_parameters(commit: Commit) -> dict[str, Any]:
    """Return the parameters of a commit for both functions, by name."""
    names = ("first", "n", "at_ms", "events", "secrets", "head", "turns", "due", "rest", "key", "body", "mac")
    values = zip(names, FORMATS[APPEND][1:], _parameters(commit), strict=True)
    return {name: x.decode() if x is not None and not raw else x for name, raw, x in values}


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
