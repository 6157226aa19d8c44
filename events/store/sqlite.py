"""Contains the store on SQLite: for one machine, in one file, with nothing to install."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from threading import Lock
from typing import Any, Final, TypeVar

from sqlalchemy import (
    BigInteger,
    Connection,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError

from events.errors import AlreadyThere
from events.store.engine import Transactions
from events.store.follow_records import START, Followed
from events.store.records import Appended, Commit, CommitRow, Head, Import, NewStream, Ordered, Projected
from events.store.schema.log_schema import commits, idempotency, secrets, stream
from events.store.schema.match_schema import invites, orders
from events.store.tables import vacation_rows
from events.store.tables.projection_rows import in_json, name_foreign, rows_by_table, sqlite_statements, write_turns
from events.store.tables.stream_rows import HEAD, ROW

T = TypeVar("T")

_WRITING: Final = Lock()
"""The lock of the one thread of this process that writes. SQLite's own waiting is slow, and not in order."""

UNWRITABLE: Final = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN")
"""The beginnings of the names of errors that an operator must fix."""

SAME: Final = "UPDATE alembic_version SET version_num = version_num"
"""A statement that changes nothing, but writes a page to the disk."""

EMPTY_LOG: Final = "PRAGMA wal_checkpoint(TRUNCATE)"
"""Copies the write-ahead log into the database file, and empties it.

Its answer begins with 1 if readers still need the log.
"""

SHORT_WAIT_MS: Final = 500
"""The time that emptying the write-ahead log waits for readers, in milliseconds; writers wait for it."""

NO_EVENTS: Final = bytes(32)

# Statements that every commit executes are built only once, since building one takes as long as executing it.
_THIS: Final = stream.c.match_no == bindparam("this", type_=BigInteger)
HEAD_OF: Final = select(*HEAD).where(_THIS)
MOVE_HEAD: Final = update(stream).where(_THIS).values(version=bindparam("version"), head=bindparam("head"))
ADD_COMMIT: Final = insert(commits)
USED: Final = select(idempotency).where(idempotency.c.key_hash == bindparam("key"))
USE: Final = insert(idempotency)
PROJECTING: Final = [
    (set(needs), [text(statement) for statement in statements]) for needs, statements in sqlite_statements()
]


class SqliteStore(Transactions):
    """The store in an SQLite database.

    `patience` is the time that each try waits for another process, in seconds.
    """

    def __init__(self, url: str, patience: float = 5.0) -> None:
        super().__init__()
        self._patience = patience
        self.engine = create_engine(
            url,
            pool_size=8,
            max_overflow=-1,
            isolation_level="AUTOCOMMIT",
            connect_args={"timeout": patience, "check_same_thread": False},
        )
        event.listen(self.engine, "connect", _prepare)

    def is_temporary(self, cause: BaseException) -> bool:
        return getattr(cause, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))

    def is_out_of_reach(self, cause: BaseException) -> bool:
        return False

    def is_permanent(self, cause: BaseException) -> bool:
        return getattr(cause, "sqlite_errorname", "").startswith(UNWRITABLE)

    def check_writable(self) -> None:
        self.write(lambda connection: connection.exec_driver_sql(SAME))

    def begin(self, connection: Connection) -> Connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        return connection

    def write(self, work: Callable[[Connection], T]) -> T:
        with _WRITING:
            return super().write(work)

    def overwrite_deleted(self) -> bool:
        def work(connection: Connection) -> bool:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={SHORT_WAIT_MS}")
            try:
                return not connection.exec_driver_sql(EMPTY_LOG).scalar_one()
            finally:
                connection.exec_driver_sql(f"PRAGMA busy_timeout={int(1000 * self._patience)}")

        with _WRITING:
            return self.ask(work)

    @contextmanager
    def at_one_moment(self, connection: Connection) -> Iterator[Connection]:
        """Begin a reading transaction that also reads text with invalid bytes, perhaps from another program."""
        driver: Any = connection.connection.driver_connection
        connection.exec_driver_sql("BEGIN")
        driver.text_factory = _any_text
        try:
            yield connection
        finally:
            driver.text_factory = str
            connection.commit()

    def lock(self, connection: Connection, match_no: int) -> None:
        """Do nothing: a transaction that writes has the whole database."""

    def create(self, new: NewStream) -> tuple[Appended, Head | None]:
        def work(connection: Connection) -> tuple[Appended, Head | None]:
            if used := _used(connection, new.commit):
                return used, None
            return _begin(connection, new)

        return self.write(work)

    def create_all(self, new: Sequence[NewStream], write_rows: Callable[[Connection], None]) -> bool:
        def work(connection: Connection) -> bool:
            if any(_used(connection, one.commit) for one in new):
                return False
            for one in new:
                _begin(connection, one)
            write_rows(connection)
            return True

        return self.write(work)

    def append(self, match_no: int, commit: Commit) -> Appended:
        def work(connection: Connection) -> Appended:
            return _used(connection, commit) or self.append_within(connection, match_no, commit)

        try:
            return self.write(work)
        except IntegrityError as error:
            raise AlreadyThere from error

    def append_within(self, connection: Connection, match_no: int, commit: Commit) -> Appended:
        found = connection.execute(HEAD_OF, {"this": match_no}).one_or_none()
        if found is None or found.version != commit.first - 1:
            return Appended("conflict", found.version if found else 0)
        if commit.ordered is not None and not _carried_out(connection, commit, commit.ordered):
            return Appended("conflict", found.version)
        if commit.vacation is not None and not vacation_rows.write_vacations_if_unchanged(connection, commit.vacation):
            return Appended("conflict", found.version)
        return _append(connection, Head(*found), commit)

    def write_projections(self, connection: Connection, match_no: int, projected: Projected) -> None:
        _write_projections(connection, match_no, projected)

    def import_matches(self, played: Sequence[Import]) -> bool:
        def work(connection: Connection) -> bool:
            ids = [head.match_id for head, _, _, _ in played]
            if connection.execute(select(stream.c.match_no).where(stream.c.match_id.in_(ids))).first():
                return False
            for one in played:
                _import(connection, *one)
            return True

        return self.write(work)

    def follow(self, after: int, limit: int) -> list[Followed]:
        query = select(commits.c.position, commits.c.match_no, stream.c.kind, *ROW).outerjoin(
            stream, stream.c.match_no == commits.c.match_no
        )
        found = self.read(query.where(commits.c.position > after).order_by(commits.c.position).limit(limit))
        return [Followed(position, match_no, CommitRow._make(row), kind) for position, match_no, kind, *row in found]

    def end(self) -> int:
        return self.read(select(func.max(commits.c.position)))[0][0] or START


def _import(
    connection: Connection, head: Head, rows: list[CommitRow], projected: Projected, names: Mapping[str, str]
) -> None:
    row = {name: getattr(head, name) for name in Head.__dataclass_fields__ if name != "match_no"}
    key = connection.execute(insert(stream).values(row)).inserted_primary_key
    assert key is not None
    here = replace(head, match_no=key.match_no)
    connection.execute(insert(secrets).values(match_no=here.match_no, seal_secret=b"", roots="[]"))
    values = [row._asdict() | {"match_no": here.match_no} for row in rows]
    connection.execute(insert(commits), values)
    _write_projections(connection, here.match_no, projected)
    name_foreign(connection, here, names)


def _begin(connection: Connection, new: NewStream) -> tuple[Appended, Head]:
    commit = new.commit
    row = {
        "match_id": new.match_id,
        "kind": new.kind,
        "version": 0,
        "head": NO_EVENTS,
        "created_ms": commit.at_ms,
    }
    try:
        key = connection.execute(insert(stream).values(row)).inserted_primary_key
    except IntegrityError as error:
        raise AlreadyThere from error
    assert key is not None
    head = Head(key.match_no, new.match_id, 0, NO_EVENTS, commit.at_ms)
    connection.execute(
        insert(secrets).values(
            match_no=head.match_no,
            seal_secret=new.seal_secret,
            roots=json.dumps([new.root] if new.root else []),
        )
    )
    for seat, code in new.invites:
        connection.execute(insert(invites).values(match_no=head.match_no, seat=seat, code_hash=code))
    outcome = _append(connection, head, commit)
    return outcome, Head(head.match_no, new.match_id, outcome.version, commit.head, commit.at_ms)


def _any_text(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


def _prepare(connection: Any, _record: Any) -> None:
    """Set up a new connection: concurrent readers, durable answers, and zeros in place of deleted data."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA secure_delete=ON")


def _used(connection: Connection, commit: Commit) -> Appended | None:
    """Return the outcome of a commit whose idempotency key was used before."""
    if commit.idempotency is None:
        return None
    found = connection.execute(USED, {"key": commit.idempotency.key_hash}).one_or_none()
    if found is None:
        return None
    return Appended("duplicate", 0 if found.first is None else found.first + found.n - 1)


def _carried_out(connection: Connection, commit: Commit, ordered: Ordered) -> bool:
    """Record that orders make a move; return False if the orders are gone."""
    done = {"carried_version": commit.first, "carried_ms": commit.at_ms, "looked_ms": ordered.since_ms}
    here = orders.c.orders_id == ordered.orders_id
    return connection.execute(update(orders).where(here).values(done)).rowcount > 0


def _append(connection: Connection, head: Head, commit: Commit) -> Appended:
    version = commit.first + commit.n - 1
    row = {name: getattr(commit, name) for name in CommitRow._fields}
    written = connection.execute(ADD_COMMIT, {"match_no": head.match_no, **row})
    connection.execute(MOVE_HEAD, {"this": head.match_no, "version": version, "head": commit.head})
    if idem := commit.idempotency:
        written_by = {"match_no": head.match_no, "first": commit.first, "n": commit.n, "at_ms": commit.at_ms}
        connection.execute(USE, asdict(idem) | written_by)
    _write_projections(connection, head.match_no, commit.projected)
    if commit.new_root is not None:
        roots = connection.execute(select(secrets.c.roots).where(secrets.c.match_no == head.match_no)).scalar_one()
        added = json.dumps([*json.loads(roots), commit.new_root])
        connection.execute(update(secrets).where(secrets.c.match_no == head.match_no).values(roots=added))
    if commit.spent_invites:
        spent = (invites.c.match_no == head.match_no) & invites.c.seat.in_(commit.spent_invites)
        connection.execute(delete(invites).where(spent))
    position: int = written.lastrowid
    return Appended("ok", version, position)


def _write_projections(connection: Connection, match_no: int, projected: Projected) -> None:
    if projected.turns is not None:
        write_turns(connection, match_no, projected.turns)
    rows, pending = rows_by_table(projected), projected.due
    values = {"p_match": match_no, "p_due": in_json(pending), "p_rows": in_json(rows)}
    given = rows.keys() | (set() if pending is None else {"due"})
    for needs, statements in PROJECTING:
        if needs & given:
            for statement in statements:
                connection.execute(statement, values)
