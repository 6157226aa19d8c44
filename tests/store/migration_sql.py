"""Writes the SQL of the tables in the first migration, for both databases, from `events.store.schema`.

Until the first release, ``python -m tests.store.migration_sql`` follows each change of a table. From then on each
change is a new migration, and these files stay as they are.
"""

from typing import Any, Final

from sqlalchemy import Dialect, Index, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from events.store.schema.log_schema import COMMITS_IN_SQLITE, commits
from events.store.schema.metadata import metadata
from events.store.sql_files import FOLDER

DIALECTS: Final[tuple[Dialect, ...]] = (postgresql.dialect(), sqlite.dialect())

HEAD: Final = "-- Written by tests/store/migration_sql.py from events/store/schema, which describes the tables.\n"


def add_dialect_options(table: Table) -> Table:
    """Give a table and its indexes the options that only one database knows."""
    items: tuple[Table | Index, ...] = (table, *table.indexes)
    for item in items:
        item.dialect_kwargs.update(item.info)
    return table


def tables_sql(dialect: Dialect) -> str:
    """Return the statements that create all tables and their indexes."""
    of_sqlite = {commits: COMMITS_IN_SQLITE} if dialect.name == "sqlite" else {}
    described = [add_dialect_options(of_sqlite.get(table, table)) for table in metadata.tables.values()]
    return HEAD + "".join(
        f"\n{_sql(CreateTable(table), dialect)}"
        + "".join(
            _sql(CreateIndex(index), dialect) for index in sorted(table.indexes, key=lambda index: str(index.name))
        )
        for table in described
    )


def _sql(statement: Any, dialect: Dialect) -> str:
    schema = {None: "public"} if dialect.name == "postgresql" else {}
    compiled = statement.compile(dialect=dialect, schema_translate_map=schema, render_schema_translate=True)
    lines = str(compiled).strip().replace("\n)\n WITH", "\n) WITH").replace("\t", "  ").splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip()) + ";\n"


def write_files() -> None:
    """Write the file of each database."""
    for dialect in DIALECTS:
        (FOLDER / f"0001_tables_{dialect.name}.sql").write_text(tables_sql(dialect))


if __name__ == "__main__":
    write_files()
