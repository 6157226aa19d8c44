"""Checks the address of a command's database before it is connected to."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from events.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import URL
    from sqlalchemy.exc import DBAPIError

    from events.store.protocol import Store

FORMS: Final = "postgresql+psycopg://user@host/name or sqlite:///path"


def with_database(given: Settings) -> Settings:
    """Return the settings if the databases in them can be used."""
    parse_database_url("DATABASE_URL", given.url)
    if given.migration_database_url:
        parse_database_url("MIGRATION_DATABASE_URL", given.migration_database_url)
    return given


def open_command_store(given: Settings) -> "Store":
    """Open a command's store; report an invalid URL in one sentence, without its password."""
    from events.store.opening import open_store

    return open_store(existing(given).url)


def existing(given: Settings) -> Settings:
    """Return the settings if they name a database, or if `dealt serve` has one."""
    with_database(given)
    file = file_of(given)
    if not given.database_url and file is not None and not file.exists():
        raise click.ClickException(
            f"DATABASE_URL is not set, and there is no {file}, where `dealt serve` would keep its database."
        )
    return of_this_state(given)


def file_of(given: Settings) -> Path | None:
    """Return the file of an SQLite database; None for another database."""
    address = parse_database_url("DATABASE_URL", given.url)
    return Path(address.database or "") if address.get_backend_name() == "sqlite" else None


def of_this_state(given: Settings) -> Settings:
    """Return the settings unless their database is an archive, or cannot be migrated.

    A file that is not a database is refused too.
    """
    from events.store.archive_mark import IsArchive, IsNoDatabase, refuse_file
    from events.store.migrate import UnknownMigration, refuse_unknown

    try:
        refuse_file(given.url)
        refuse_unknown(given.url)
    except (IsArchive, IsNoDatabase, UnknownMigration) as error:
        raise click.ClickException(f"{safe_url(given)} {error}") from error
    return given


def migrate_to(given: Settings) -> None:
    """Migrate the database of these settings."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import DBAPIError

    from events.store.archive_mark import IsArchive, IsNoDatabase
    from events.store.migrate import UnknownMigration, migrate

    owner, user = make_url(given.migration_database_url or given.url), make_url(given.url)
    try:
        migrate(owner.render_as_string(hide_password=False), user.username if user != owner else None)
    except (IsArchive, IsNoDatabase, UnknownMigration) as error:
        raise click.ClickException(f"{safe_url(given)} {error}") from error
    except DBAPIError as error:
        name = str(owner) if given.migration_database_url else describe_database(given)
        raise click.ClickException(f"{name} cannot be brought up to date: {database_error_line(error)}") from error


def database_error_line(error: "DBAPIError") -> str:
    """Write in one line what a database says, with a stop at its end."""
    said = " ".join(str(error.orig).split())
    return said if said.endswith((".", "?", "!")) else f"{said}."


def safe_url(given: Settings) -> str:
    """Return the URL of the database without its password."""
    return str(parse_database_url("DATABASE_URL", given.url).set(query={}))


def describe_database(given: Settings) -> str:
    """Return the URL of the database, and whether it is the default."""
    return safe_url(given) if given.database_url else f"{safe_url(given)} (DATABASE_URL is not set)"


def parse_database_url(setting: str, text: str) -> "URL":
    """Parse a URL. Raise `click.ClickException` without repeating it, because it may contain a password."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        address = make_url(text)
        address.get_dialect().import_dbapi()
    except (ArgumentError, ImportError, ValueError):
        address = None
    backend = address and address.get_backend_name()
    if (
        address is None
        or backend not in ("postgresql", "sqlite")
        or (backend == "sqlite" and address.database in (None, "", ":memory:"))
    ):
        raise click.ClickException(f"{setting} names no database that Dealt can use; write it like {FORMS}.")
    return address
