"""This migration lets notices name a tournament and its round."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_16"
down_revision = "2026_11_15"


def upgrade() -> None:
    """Add the columns; the notices that are there are of matches."""
    op.add_column("notices", sa.Column("tournament_id", sa.Text, nullable=False, server_default=""))
    op.add_column("notices", sa.Column("round", sa.Integer))
