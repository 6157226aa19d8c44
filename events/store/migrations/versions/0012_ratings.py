"""This migration makes the tables of ratings, which follow from the log."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_12"
down_revision = "2026_11_11"


def upgrade() -> None:
    """Make the tables and their indexes."""
    op.create_table(
        "rated_matches",
        sa.Column("place", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("match_no", sa.BigInteger, nullable=False, unique=True),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )
    op.create_index("rated_matches_by_end", "rated_matches", ["ended_ms"])
    op.create_table(
        "rating_changes",
        sa.Column("match_no", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("ratings", sa.Text, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("pool", sa.Text, primary_key=True),
        sa.Column("player_id", sa.Text, primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("shown", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("last_ms", sa.BigInteger, nullable=False),
        sa.Column("hasty", sa.Integer, nullable=False),
    )
    op.create_index("ratings_by_player", "ratings", ["player_id"])
    op.create_index("ratings_best", "ratings", ["pool", "shown", "player_id"])
    op.create_table(
        "rating_state",
        sa.Column("one", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("formula", sa.Text, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("place", sa.BigInteger, nullable=False),
    )
