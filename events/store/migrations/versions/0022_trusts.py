"""This migration notes who is proven and who was given matches, and lets all ratings be made from the log again."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22"
down_revision = "2026_11_21"


def upgrade() -> None:
    """Add the table and the columns. What was noted of matches does not say who decided anything."""
    for table in ("rated_matches", "rating_changes", "ratings"):
        op.execute(sa.text(f"DELETE FROM {table}"))
    op.execute(sa.text("DELETE FROM checkpoint WHERE name = 'ratings'"))
    op.execute(sa.text("UPDATE rating_state SET run = run + 1, place = 0"))
    op.create_table(
        "rating_trusts",
        sa.Column("player_id", sa.Text, primary_key=True),
        sa.Column("proven", sa.Boolean, nullable=False),
        sa.Column("trust", sa.Text, nullable=False),
    )
    op.create_index("rating_trusts_proven", "rating_trusts", ["proven"])
    op.add_column("rating_changes", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("rating_changes", sa.Column("trusts", sa.Text, nullable=False, server_default="{}"))
    op.add_column("ratings", sa.Column("gifts", sa.Integer, nullable=False, server_default="0"))
    op.add_column("ratings", sa.Column("presents", sa.Text, nullable=False, server_default=""))
