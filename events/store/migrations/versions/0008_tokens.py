"""This migration makes the table of scoped tokens."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_8"
down_revision = "2026_11_7"


def upgrade() -> None:
    """Make the table and its index."""
    op.create_table(
        "tokens",
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        sa.Column("token_id", sa.Text, nullable=False, unique=True),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger),
        sa.Column("used_ms", sa.BigInteger),
    )
    op.create_index("tokens_by_player", "tokens", ["player_id"])
