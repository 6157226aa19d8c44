"""The index of the matches that a player has cancelled before their start."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_4"
down_revision = "2026_11_3"


def upgrade() -> None:
    """Make the index."""
    cancelled = sa.text("status = 'cancelled'")
    op.create_index("matches_cancelled", "matches", ["creator"], postgresql_where=cancelled, sqlite_where=cancelled)
