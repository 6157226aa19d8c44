"""This migration adds the processes that hold claims, and their columns in lanes and mailboxes."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_2"
down_revision = "2026_11"


def upgrade() -> None:
    """Make the table, and the columns that name a process."""
    op.create_table(
        "processes",
        sa.Column("process_id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.Column("trouble", sa.Text),
    )
    for table in ("lanes", "mailboxes"):
        op.add_column(table, sa.Column("owner", sa.Text))
