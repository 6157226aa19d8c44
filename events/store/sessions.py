"""Checks at start whether PostgreSQL is behind a pooler, and how many connections are free."""

from contextlib import suppress

from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool


class BehindPooler(Exception):
    """A pooler between Dealt and the database drops the options of sessions."""

    def __init__(self) -> None:
        super().__init__(
            "is behind a pooler, such as PgBouncer, that drops session options. Use the address of PostgreSQL"
            " itself: each process of Dealt has its own pool (DEALT_CONNECTIONS)."
        )


def refuse_pooler(url: str) -> None:
    """Raise `BehindPooler` if a pooler drops the options of a session. A database that does not answer passes."""
    if not url.startswith("postgresql"):
        return
    try:
        with unpooled_engine(url).connect() as connection:
            mark = connection.scalar(text("SELECT current_setting('dealt.direct', true)"))
    except DBAPIError as error:
        if "unsupported startup parameter" in str(error.orig):
            raise BehindPooler from None
        return
    if not mark:
        raise BehindPooler


def count_free_connections(url: str) -> int | None:
    """Return the number of sessions that the server still admits; None without an answer, or on another database."""
    if not url.startswith("postgresql"):
        return None
    free = text(
        "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
        " - (SELECT sum(numbackends) FROM pg_stat_database)"
    )
    with suppress(DBAPIError), unpooled_engine(url).connect() as connection:
        return int(connection.scalar(free) or 0)
    return None


def unpooled_engine(url: str) -> Engine:
    """Return an engine without a pool, whose sessions are like those of the store. It waits 5 s for PostgreSQL."""
    if not url.startswith("postgresql"):
        return create_engine(url, poolclass=NullPool)
    from events.store.postgres import connect_args  # noqa: PLC0415 -- a process on SQLite does not need the driver

    return create_engine(url, poolclass=NullPool, connect_args=connect_args(url) | {"connect_timeout": 5})
