"""Defines which code works with which schema, so that two versions can share a database during an upgrade.

A migration has two halves. The first expands the schema, and older code still works; the second contracts it, once no
older code runs. Each migration names in `works_with` the oldest migration whose code works with its schema. The
database stores these names, so that code accepts a later schema too.
"""

from typing import Final

from sqlalchemy import Column, Connection, MetaData, Table, Text, column, func, inspect, select, table

from domain.core.values import value
from events import times
from events.store.schema.log_schema import processes, work_spans

REVISIONS: Final = ("0001",)
"""The migrations that this code knows, in their order. It was written for the last one."""

OLDEST_SCHEMA: Final = "0001"
"""The oldest migration with whose schema this code works."""

ALIVE_MS: Final = 3_000
"""The time since its last beat for which a process counts as alive, in milliseconds."""

schema_revisions: Final = Table(
    "schema_revisions",
    MetaData(),
    Column("revision", Text, primary_key=True),
    Column("works_with", Text, nullable=False),
)
"""The migrations that a database has had, each with the oldest migration whose code works with its schema."""

_alembic = table("alembic_version", column("version_num", Text))


@value
class Schema:
    """The schema of a database: its last migration, and the oldest migration whose code works with it."""

    revision: str
    works_with: str

    @property
    def is_known(self) -> bool:
        """Return whether this code has the migration that made the schema."""
        return self.revision in REVISIONS

    @property
    def is_current(self) -> bool:
        """Return whether the schema has had all migrations of this code, and no later one."""
        return self.revision == REVISIONS[-1]

    @property
    def is_too_old(self) -> bool:
        """Return whether this code needs a later migration than the schema has had."""
        return self.is_known and REVISIONS.index(self.revision) < REVISIONS.index(OLDEST_SCHEMA)

    @property
    def is_too_new(self) -> bool:
        """Return whether the schema works only with code later than this."""
        return self.works_with not in REVISIONS

    @property
    def fits(self) -> bool:
        """Return whether this code works with the schema."""
        return not self.is_too_old and not self.is_too_new


def read_schema(connection: Connection) -> Schema:
    """Return the schema of a database. Raises `DBAPIError` if it was never migrated."""
    revision, works_with = _alembic.c.version_num, schema_revisions.c.works_with
    kept = schema_revisions.c.revision == revision
    query = select(revision, func.coalesce(works_with, revision)).select_from(
        _alembic.outerjoin(schema_revisions, kept)
    )
    return Schema(*connection.execute(query).one())


def find_schema(connection: Connection) -> Schema | None:
    """Return the schema of a database; None if it was never migrated."""
    there = inspect(connection)
    if not there.has_table("alembic_version"):
        return None
    if not there.has_table("schema_revisions"):
        revision = connection.execute(select(_alembic.c.version_num)).scalars().first()
        return revision and Schema(revision, revision)
    return read_schema(connection)


def count_older_processes(connection: Connection, revision: str) -> int:
    """Return the number of running processes whose code is older than a migration.

    API processes record their working times, workers that they are alive, and schedulers both.
    """
    now = times.now()
    working = select(work_spans.c.process).where(work_spans.c.to_ms >= now - ALIVE_MS, work_spans.c.revision < revision)
    living = select(processes.c.process_id).where(
        processes.c.until_ms >= now, processes.c.revision < revision, processes.c.kind == "worker"
    )
    return sum(
        connection.scalar(select(func.count()).select_from(query.subquery())) or 0 for query in (working, living)
    )
