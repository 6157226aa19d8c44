"""This migration makes the table of decisions, which follows from the log."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_15"
down_revision = "2026_11_14"


def upgrade() -> None:
    """Make the table and its index; the follower that fills it reads the log once more."""
    op.create_table(
        "decisions",
        sa.Column("match_no", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.Text, primary_key=True),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("in_time", sa.Integer, nullable=False),
        sa.Column("late", sa.Integer, nullable=False),
    )
    op.create_index("decisions_by_player", "decisions", ["player_id", "ended_ms"])
    op.execute("DELETE FROM checkpoint WHERE name = 'ratings'")
