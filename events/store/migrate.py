"""Migrates a database's schema to the version of this code, while older code continues to work."""

import logging
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, insert, make_url, select, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from events.store.archive_mark import refuse_file
from events.store.revisions import Schema, count_older_processes, find_schema, schema_revisions
from events.store.schema.metadata import metadata
from events.store.sessions import unpooled_engine

MIGRATIONS: Final = Path(__file__).with_name("migrations")

# The number spells "dealt". Without the lock, two concurrent migrations would both create the schema.
LOCK = 0x6465616C74

APPENDED: Final = "tree_leaves"
"""A table to which the application appends rows, and whose rows it never changes."""
WRITTEN_BY_THE_APPLICATION: Final = [
    name for name in metadata.tables if name not in ("stream", "commits", "archived", "secrets", APPENDED)
]
"""The tables that the application writes: all but the log, to which it appends only by functions."""
CALLED_BY_THE_APPLICATION: Final = (
    "append_commit, append_ordered, create_match, import_match, lock_match, settled_position, write_projections"
)

LOCK_NOT_AVAILABLE: Final = "55P03"
"""PostgreSQL's code for a lock that was not free in time."""
LOCK_MS: Final = 500
"""The longest time that a migration waits for a table, in milliseconds. Other statements wait behind it."""
PAUSE_SECONDS: Final = 2.0
"""The pause before a migration that found a table in use tries again, in seconds."""
PATIENCE_SECONDS: Final = 600.0
"""The time after which it gives up, in seconds."""

log = logging.getLogger(__name__)


class UnfitSchema(Exception):
    """This code does not work with the database; the message has the fix."""


class UnknownMigration(UnfitSchema):
    """Only a later version of Dealt works with the database."""

    def __init__(self, version: str) -> None:
        super().__init__(
            f"was made by another version of Dealt (migration {version}), and this one cannot migrate it. Use the"
            " version that made it, or a later one, or name an empty database."
        )


class NeedsMigration(UnfitSchema):
    """The database lacks a migration that this code needs."""

    def __init__(self) -> None:
        super().__init__("needs `dealt migrate` first.")


class OlderCodeRuns(Exception):
    """Processes are running that could not use the schema after a migration; the message has their number."""

    def __init__(self, processes: int) -> None:
        super().__init__(
            f"cannot be contracted yet: {processes} processes of an older version are running. Stop them first."
        )


def _write_ahead(connection: Connection) -> None:
    """Switch a database of SQLite to its write-ahead log. It is locked while others do so."""
    for _ in range(100):
        try:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        except OperationalError:
            time.sleep(0.05)
        else:
            return
    connection.exec_driver_sql("PRAGMA journal_mode=WAL")


def migrate(url: str, app_role: str | None = None, *, contract: bool = False) -> list[str]:
    """Migrate the database at `url`, in one transaction; return the migrations that wait for `contract`.

    A database in use is only expanded, so that running code still works. With `contract`, as for an empty database, it
    gets all migrations. While another transaction uses a table, the migration is retried.

    On PostgreSQL, `url` is the owner's, and `app_role` the role of the application. The role can read everything, write
    all tables but the log, and call the functions that append to the log. It owns nothing. Raises `UnknownMigration`,
    `OlderCodeRuns`, `IsArchive`, `IsNoDatabase`.
    """
    refuse_file(url)
    engine = create_engine(url, poolclass=NullPool)
    if engine.dialect.name == "sqlite":
        make_private(Path(engine.url.database or ""))
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return _migrate(engine, app_role, contract=contract)
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) != LOCK_NOT_AVAILABLE or time.monotonic() > end:
                raise
            log.warning("a table is in use; retrying the migration in %g s", PAUSE_SECONDS)
        time.sleep(PAUSE_SECONDS)


def _migrate(engine: Engine, app_role: str | None, *, contract: bool) -> list[str]:
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA busy_timeout=30000")
            _write_ahead(connection)
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_MS}"))
        schema = find_schema(connection)
        if schema and not schema.is_known:
            if schema.is_too_new:
                raise UnknownMigration(schema.revision)
            return []  # A later version has expanded it.
        waiting = _upgrade(connection, schema, contract=contract)
        if engine.dialect.name == "postgresql" and app_role is not None:
            grant(connection, app_role)
        connection.commit()
    return waiting


def make_private(path: Path) -> None:
    """Make a database's file, which holds all secrets, readable only by its owner; create the file if it is missing.

    SQLite gives its additional files the same rights. An existing file is not opened. Closing it would drop this
    process's SQLite locks, and another process might then delete the write-ahead log as unused.
    """
    with suppress(OSError):  # SQLite's own error is clearer.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if file.is_file() and file.stat().st_mode & 0o077:
                file.chmod(0o600)


def _upgrade(connection: Connection, schema: Schema | None, *, contract: bool) -> list[str]:
    """Carry out the missing migrations that are allowed now; return those that must wait."""
    from alembic import command  # noqa: PLC0415 -- a quarter of a second that a server with its schema can save
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config).walk_revisions()
    works_with = {script.revision: str(script.module.works_with) for script in reversed(list(scripts))}
    lacking = [name for name in works_with if schema is None or name > schema.revision]
    now = lacking
    if schema and not contract:
        now = list(takewhile(lambda name: works_with[name] == schema.works_with, lacking))
    elif schema and lacking and (older := count_older_processes(connection, works_with[lacking[-1]])):
        raise OlderCodeRuns(older)
    if now:
        command.upgrade(config, now[-1])
    _note_revisions(connection, {name: works_with[name] for name in works_with if name not in lacking or name in now})
    return lacking[len(now) :]


def _note_revisions(connection: Connection, works_with: Mapping[str, str]) -> None:
    """Record the migrations of the database, each with the oldest migration whose code works with its schema."""
    schema_revisions.create(connection, checkfirst=True)
    noted = set(connection.execute(select(schema_revisions.c.revision)).scalars())
    rows = [{"revision": name, "works_with": oldest} for name, oldest in works_with.items() if name not in noted]
    if rows:
        connection.execute(insert(schema_revisions), rows)


def refuse_unfit(url: str, *, started: bool = False) -> None:
    """Raise `UnfitSchema` for a database that this code does not work with. One that does not answer passes.

    An unmigrated database passes too, unless the caller has `started` without migrating it.
    """
    address = make_url(url)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").exists():
        return  # Opening a missing file would create it, readable by everyone.
    with suppress(DBAPIError), unpooled_engine(url).connect() as connection:
        schema = find_schema(connection)
        if schema and schema.is_too_new:
            raise UnknownMigration(schema.revision)
        if started and (schema is None or schema.is_too_old):
            raise NeedsMigration


def grant(connection: Connection, app_role: str) -> None:
    """Grant the application's role only what it needs: reading the log, and appending to it by functions."""
    role = connection.dialect.identifier_preparer.quote_identifier(app_role)
    for right in (
        "USAGE ON SCHEMA public",
        "SELECT ON ALL TABLES IN SCHEMA public",
        f"INSERT, UPDATE, DELETE ON {', '.join(WRITTEN_BY_THE_APPLICATION)}",
        f"INSERT ON {APPENDED}",
        "UPDATE (turns) ON stream",
        f"EXECUTE ON FUNCTION {CALLED_BY_THE_APPLICATION}",
    ):
        connection.execute(text(f"GRANT {right} TO {role}"))
