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
        raise click.ClickException(f"DATABASE_URL is not set, and there is no {file}, the database of `dealt serve`.")
    return with_usable_database(given)


def file_of(given: Settings) -> Path | None:
    """Return the file of an SQLite database; None for another database."""
    address = parse_database_url("DATABASE_URL", given.url)
    return Path(address.database or "") if address.get_backend_name() == "sqlite" else None


def with_fitting_schema(given: Settings) -> Settings:
    """Return the settings if their database has the schema that this code works with, or does not answer."""
    return with_usable_database(existing(given), started=True)


def with_usable_database(given: Settings, *, started: bool = False) -> Settings:
    """Return the settings unless their database is an archive, or has a schema that this code does not work with.

    A file that is not a database is refused too. A schema that can be migrated passes unless its user has `started`.
    """
    from events.store.archive_mark import IsArchive, IsNoDatabase, refuse_file
    from events.store.migrate import UnfitSchema, refuse_unfit
    from events.store.sessions import BehindPooler, refuse_pooler

    try:
        refuse_file(given.url)
        refuse_pooler(given.url)
        refuse_unfit(given.url, started=started)
    except (BehindPooler, IsArchive, IsNoDatabase, UnfitSchema) as error:
        raise click.ClickException(f"{safe_url(given)} {error}") from error
    return given


def migrate_to(given: Settings, *, contract: bool = False) -> list[str]:
    """Migrate the database of these settings; returns the migrations that wait for `contract`."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import DBAPIError

    from events.store.archive_mark import IsArchive, IsNoDatabase
    from events.store.migrate import OlderCodeRuns, UnknownMigration, migrate

    owner, user = make_url(given.migration_database_url or given.url), make_url(given.url)
    app_role = user.username if user != owner else None
    try:
        return migrate(owner.render_as_string(hide_password=False), app_role, contract=contract)
    except (IsArchive, IsNoDatabase, OlderCodeRuns, UnknownMigration) as error:
        raise click.ClickException(f"{safe_url(given)} {error}") from error
    except DBAPIError as error:
        name = str(owner) if given.migration_database_url else describe_database(given)
        raise click.ClickException(f"{name} cannot be migrated: {database_error_line(error)}") from error


def database_error_line(error: "DBAPIError") -> str:
    """Return a database's message in one line, with a full stop."""
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
        raise click.ClickException(f"{setting} is not the URL of a database that Dealt can use. Write it like {FORMS}.")
    return address
