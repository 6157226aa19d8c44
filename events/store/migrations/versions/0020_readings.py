"""This migration notes by which version of the reading a finished match was noted for its rating."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_20"
down_revision = "2026_11_19"


def upgrade() -> None:
    """Add the column. What was noted until now was read by the first version."""
    op.add_column("rated_matches", sa.Column("reading", sa.Integer, nullable=False, server_default="1"))
