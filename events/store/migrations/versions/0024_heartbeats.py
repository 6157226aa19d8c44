"""This migration notes for each scheduler when it was last at work, so that a restart of any length is seen."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_24"
down_revision = "2026_11_23"


def upgrade() -> None:
    """Make the table anew; the last beat stays, as that of a scheduler that is no more."""
    connection = op.get_bind()
    last = connection.execute(sa.text("SELECT max(at_ms) FROM heartbeat")).scalar()
    op.drop_table("heartbeat")
    op.create_table(
        "heartbeat",
        sa.Column("scheduler", sa.Text, primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    if last is not None:
        connection.execute(sa.text("INSERT INTO heartbeat VALUES ('before', :at)"), {"at": last})
