"""This migration adds when an arena ends, by which it is found once its time is over."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_17"
down_revision = "2026_11_16"


def upgrade() -> None:
    """Add the column, which is empty for all that there are, and its index."""
    op.add_column("tournaments", sa.Column("ends_ms", sa.BigInteger))
    op.create_index("tournaments_by_end", "tournaments", ["ends_ms"])
