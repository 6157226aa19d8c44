"""Writes the SQL of the tables in the first migration, for both databases, from `events.store.schema`.

Until the first release, ``python -m tests.store.migration_sql`` follows each change of a table. From then on a change
is a migration of its own, and these files stay as they are.
"""

from typing import Any, Final

from sqlalchemy import Dialect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from events.store.schema import commits, metadata
from events.store.sql_files import FOLDER

DIALECTS: Final[tuple[Dialect, ...]] = (postgresql.dialect(), sqlite.dialect())

HEAD: Final = "-- Written by tests/store/migration_sql.py from events/store/schema, which describes the tables.\n"


def tables_sql(dialect: Dialect) -> str:
    """Return the statements that make all tables but `commits`, and their indexes."""
    described = [table for table in metadata.tables.values() if table is not commits]
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
