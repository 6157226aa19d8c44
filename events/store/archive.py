"""Copies a whole database into an archive, from one moment while others write, and back.

An archive is an SQLite database in one file, whatever its source, and can be loaded into either kind of database. Once
it is marked (`events.store.archive_mark`), no store opens it, so it stays unchanged. It omits caches (`snapshots`) and
running processes (`processes`).
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from sqlalchemy import Connection, Table, create_engine, func, insert, make_url, select, update
from sqlalchemy.pool import NullPool

from events.store.archive_mark import unmark
from events.store.follow_records import Followed
from events.store.migrate import migrate
from events.store.protocol import Store
from events.store.records import CommitRow, Head
from events.store.schema.log_schema import checkpoint, commits, due, stream
from events.store.schema.metadata import metadata
from events.store.schema.notice_schema import attempts, notices
from events.store.tables import checkpoint_rows, rating_rows
from events.store.tables.stream_rows import ROW

AT_ONCE: Final = 1_000
"""The number of rows that are copied at a time."""
LEFT: Final = ("snapshots", "processes")
COPIED: Final = [table for table in metadata.sorted_tables if table.name not in LEFT]
NUMBERED: Final = ((stream, "match_no"), (commits, "position"), (notices, "notice_no"), (attempts, "attempt_no"))
"""Columns whose next value PostgreSQL generates."""


class NotEmpty(Exception):
    """The target of an archive is not empty."""

    def __init__(self) -> None:
        super().__init__("The target is not empty, so nothing was written.")


def file_of(url: str) -> Path | None:
    """Return the file of an SQLite address; None for another database."""
    address = make_url(url)
    return Path(address.database or "") if address.get_backend_name() == "sqlite" else None


def write_archive(url: str, path: Path) -> None:
    """Write the archive of a database to a new file that only its owner can read. Raises `NotEmpty`, `OSError`."""
    create_private(path)
    if (source := file_of(url)) is not None:
        _copy_file(source, path)
        return
    migrate(f"sqlite:///{path}", contract=True)
    with _connected(url) as connection, _connected(f"sqlite:///{path}") as to:
        still = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        for table in COPIED:
            for rows in _rows(still, table):
                to.execute(insert(table), rows)
        to.commit()


def load_archive(path: Path, url: str) -> None:
    """Load an archive into an empty database. Raises `NotEmpty`, `OSError`.

    `url` is the owner's address. On PostgreSQL the schema is there already.
    """
    if (target := file_of(url)) is not None:
        create_private(target)
        try:
            _copy_file(path, target)
            migrate(url, contract=True)
        except BaseException:
            target.unlink()
            raise
        return
    with _of_this_schema(path) as source, _connected(url) as to:
        if any(to.execute(select(table).limit(1)).first() is not None for table in COPIED):
            raise NotEmpty
        for table in COPIED:
            _copy_in(to, table, _rows(source, table))
        for table, column in NUMBERED:
            if (last := to.scalar(select(func.max(table.c[column])))) is not None:
                to.execute(select(func.setval(func.pg_get_serial_sequence(table.name, column), last)))
        to.commit()


def read_unhandled_commits(store: Store, name: str, limit: int) -> Iterator[list[Followed]]:
    """Return the commits that a follower had not read, in pages. No other process writes during this."""
    at = checkpoint_rows.read_position(store, name)
    query = (
        select(commits.c.position, commits.c.match_no, stream.c.kind, *ROW)
        .join(stream, stream.c.match_no == commits.c.match_no)
        .order_by(commits.c.position)
        .limit(limit)
    )
    while found := store.read(query.where(commits.c.position > at)):
        at = found[-1].position
        yield [Followed(position, match_no, CommitRow._make(row), kind) for position, match_no, kind, *row in found]


def follow_from_here(connection: Connection) -> None:
    """Move all followers to the end of the log.

    Ratings are recomputed. The transparency log continues where it was, because every commit needs its leaf.
    """
    last = connection.scalar(select(func.max(commits.c.position))) or 0
    others = checkpoint.c.name.not_like("transparency%")
    connection.execute(update(checkpoint).where(others).values(position=last))
    rating_rows.begin_with_the_log(connection)


def create_private(path: Path) -> None:
    """Make an empty file that only its owner can read. Raises `NotEmpty`."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError as error:
        raise NotEmpty from error


def _copy_file(source: Path, target: Path) -> None:
    """Copy an SQLite database, including its write-ahead log, while others write."""
    address = f"{source.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there)
    unmark(target)


@contextmanager
def _of_this_schema(path: Path) -> Iterator[Connection]:
    """Connect to a migrated copy of an archive; the archive itself stays unchanged."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "archive"
        _copy_file(path, copy)
        migrate(f"sqlite:///{copy}", contract=True)
        with _connected(f"sqlite:///{copy}") as connection:
            yield connection


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        yield connection


def _rows(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """Read a table in parts, without idle rows of pending work."""
    query = select(table)
    if table is commits:
        query = query.order_by(commits.c.position)
    if table is due:
        query = query.where(due.c.claimable_ms.is_not(None))
    for part in connection.execution_options(yield_per=AT_ONCE).execute(query).mappings().partitions():
        yield [dict(row) for row in part]


def _copy_in(connection: Connection, table: Table, parts: Iterator[list[dict[str, Any]]]) -> None:
    """Write rows unchanged, including columns whose values PostgreSQL usually generates."""
    driver: Any = connection.connection.driver_connection
    names = ", ".join(f'"{column.name}"' for column in table.c)
    with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
        for rows in parts:
            for row in rows:
                copy.write_row([row[column.name] for column in table.c])


def all_heads(url: str) -> Iterator[tuple[str, Head]]:
    """Return the kind and the head of every stream, in order."""
    columns = [stream.c[name] for name in Head.__dataclass_fields__]
    query = select(stream.c.kind, *columns).order_by(stream.c.match_no)
    with _connected(url) as connection:
        for row in connection.execution_options(yield_per=AT_ONCE).execute(query):
            yield row[0], Head(*row[1:])
