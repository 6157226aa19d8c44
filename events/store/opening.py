"""Opens the store of an address."""

from events.settings import CONNECTIONS
from events.store.archive_mark import refuse_file
from events.store.protocol import Store


def open_store(database_url: str, connections: int = CONNECTIONS) -> Store:
    """Open the store behind ``postgresql+psycopg://…`` or ``sqlite:///path``.

    `connections` is the number that this process keeps to PostgreSQL.

    Does not migrate: see ``events.store.migrate``.

    Raises ValueError for any other database, `IsArchive` and `IsNoDatabase`.
    """
    refuse_file(database_url)
    backend = database_url.partition(":")[0].partition("+")[0]
    if backend == "postgresql":
        from events.store.postgres import PostgresStore  # noqa: PLC0415 -- a process needs one of the two drivers

        return PostgresStore(database_url, connections)
    if backend == "sqlite":
        from events.store.sqlite import SqliteStore  # noqa: PLC0415 -- a process needs one of the two drivers

        return SqliteStore(database_url)
    raise ValueError("DATABASE_URL must begin with postgresql or sqlite")
