"""Checks the address of a command's database before it is connected to."""

from typing import TYPE_CHECKING, Final

import click

from events.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import URL

    from events.store.protocol import Store

FORMS: Final = "postgresql+psycopg://user@host/name or sqlite:///path"


def with_database(given: Settings) -> Settings:
    """Give the settings back if the databases that they name are ones that can be used."""
    parsed("DATABASE_URL", given.url)
    if given.migration_database_url:
        parsed("MIGRATION_DATABASE_URL", given.migration_database_url)
    return given


def opened(given: Settings) -> "Store":
    """Open the store of a command; what cannot be one is told in a sentence, without its password."""
    from events.store.opening import open_store

    return open_store(of_this_state(with_database(given)).url)


def of_this_state(given: Settings) -> Settings:
    """Give the settings back unless an earlier state of Dealt, which cannot be migrated, has made their database."""
    from events.store.migrate import MadeEarlier, refuse_earlier

    try:
        refuse_earlier(given.url)
    except MadeEarlier as error:
        raise click.ClickException(f"{shown(given)} {error}") from error
    return given


def shown(given: Settings) -> str:
    """Name the database without its password."""
    return str(parsed("DATABASE_URL", given.url).set(query={}))


def parsed(setting: str, text: str) -> "URL":
    """Take an address apart. Raises `click.ClickException`, which does not repeat it: there may be a password in it."""
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
