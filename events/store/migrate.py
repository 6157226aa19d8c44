"""This module migrates a database's schema to the state this code was written for."""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, inspect, make_url, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from events.store.archive_mark import refuse_file
from events.store.schema import REVISIONS, metadata

MIGRATIONS: Final = Path(__file__).with_name("migrations")

LOCK = 0x6465616C74  # "dealt": two migrations at once would both find nothing there

APPENDED: Final = "tree_leaves"
"""The application appends rows to this table, and changes none."""
WRITTEN_BY_THE_APPLICATION: Final = [
    name for name in metadata.tables if name not in ("stream", "commits", "secrets", APPENDED)
]
"""The tables that the application writes: all but the log, which it appends to by functions alone."""
CALLED_BY_THE_APPLICATION = "append_commit, append_ordered, create_match, import_match, lock_match, settled_position"


class UnknownMigration(Exception):
    """Another version of Dealt made the database, and this one cannot migrate it; the message says what to do."""

    def __init__(self, version: str) -> None:
        super().__init__(
            f"was made by another version of Dealt (migration {version}), and this one cannot migrate it. Use the"
            " version that made it, or a later one, or name an empty database."
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


def migrate(url: str, app_role: str | None = None) -> None:
    """Migrate the database at `url`, in one transaction; does nothing where nothing is to do.

    On PostgreSQL `url` is the owner's, and `app_role` the role of the application: it is granted to read everything,
    to write what lies beside the log, and to call the functions that append to the log. It owns nothing.
    Raises `UnknownMigration`, `IsArchive`, `IsNoDatabase`.
    """
    refuse_file(url)
    engine = create_engine(url, poolclass=NullPool)
    if engine.dialect.name == "sqlite":
        make_private(Path(engine.url.database or ""))
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA busy_timeout=30000")
            _write_ahead(connection)
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        _check_known(connection)
        _upgrade(connection)
        if engine.dialect.name == "postgresql" and app_role is not None:
            grant(connection, app_role)
        connection.commit()


def make_private(path: Path) -> None:
    """Let nobody but its owner read a database's file, which holds all secrets; make the file if it is not there.

    SQLite gives the files that it makes beside it the same rights.
    A file that is there is not opened: to close it would drop all locks that this process has on it through SQLite,
    and another process would then take the write-ahead log for one that nobody uses, and delete it.
    """
    with suppress(OSError):  # what cannot be opened, SQLite says better
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if file.is_file() and file.stat().st_mode & 0o077:
                file.chmod(0o600)


def _upgrade(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 -- a quarter of a second that a server with its schema can save
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def current(engine: Engine) -> bool:
    """Say whether the schema is the one this code was written for; False also where there is none."""
    try:
        with engine.connect() as connection:
            return is_current(connection)
    except DBAPIError:
        return False


def is_current(connection: Connection) -> bool:
    """Say whether the schema is the one this code was written for. Raises `DBAPIError` where there is none."""
    return _versions(connection) == [REVISIONS[-1]]


def refuse_unknown(url: str) -> None:
    """Raise `UnknownMigration` for a database that another version made. One that does not answer passes."""
    address = make_url(url)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").exists():
        return  # to look into a file makes it, for anybody to read
    patience = {"connect_timeout": 5} if url.startswith("postgresql") else {}
    engine = create_engine(url, poolclass=NullPool, connect_args=patience)
    with suppress(DBAPIError), engine.connect() as connection:
        _check_known(connection)


def _check_known(connection: Connection) -> None:
    found = _versions(connection) if inspect(connection).has_table("alembic_version") else []
    for version in set(found).difference(REVISIONS):
        raise UnknownMigration(version)


def _versions(connection: Connection) -> Sequence[str]:
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()


def grant(connection: Connection, app_role: str) -> None:
    """Let the application's role do what it needs, and no more: the log it can only read, and append to by function."""
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
