"""Creates the tables, the log, and on PostgreSQL the only functions that can write the log.

The functions are those of the newest schema: a later migration that changes them executes their file again.
"""

from alembic import op

from events.store.sql_files import execute

revision = "0001"
down_revision = None
works_with = "0001"


def upgrade() -> None:
    """Make everything; there is no way back, for the log is append-only."""
    for name in ("tables", "log", "functions"):
        execute(op.get_bind(), f"0001_{name}")
