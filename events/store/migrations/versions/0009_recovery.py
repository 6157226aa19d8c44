"""This migration makes what it takes to recover a player by a confirmed address."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_9"
down_revision = "2026_11_8"


def upgrade() -> None:
    """Make the tables, and the column of mailboxes."""
    op.create_table(
        "recoveries_asked",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("code_hash", sa.LargeBinary, primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("recovery_codes_until", "recovery_codes", ["until_ms"])
    op.add_column("mailboxes", sa.Column("recovery_ms", sa.BigInteger))
