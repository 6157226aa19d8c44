"""This migration notes how the latest matches of players went, and lets all that ratings follow from be found anew."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_19"
down_revision = "2026_11_18"


def upgrade() -> None:
    """Add the column. What was noted of finished matches says less than is needed, so the log is read once more."""
    op.add_column("ratings", sa.Column("lately", sa.Text, nullable=False, server_default=""))
    for table in ("rated_matches", "rating_changes", "ratings"):
        op.execute(sa.text(f"DELETE FROM {table}"))
    op.execute(sa.text("DELETE FROM checkpoint WHERE name = 'ratings'"))
    op.execute(sa.text("UPDATE rating_state SET run = run + 1, place = 0"))
