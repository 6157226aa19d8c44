"""This migration lets players keep their ratings to themselves."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_13"
down_revision = "2026_11_12"


def upgrade() -> None:
    """Add the column; everybody is listed."""
    op.add_column("players", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.true()))
