"""This migration names the owner of each match, and says whether bots alone play in it."""

from alembic import op

from events.store.sql_files import execute

revision = "2026_11_5"
down_revision = "2026_11_4"


def upgrade() -> None:
    """Add both to the rows of matches; the functions that write these rows are made anew."""
    execute(op.get_bind(), "0005_shares")
    if op.get_context().dialect.name == "postgresql":
        execute(op.get_bind(), "0001_functions")
