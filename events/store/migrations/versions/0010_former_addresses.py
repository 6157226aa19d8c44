"""This migration makes what it takes to tell a confirmed address that it is the player's no longer."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_10"
down_revision = "2026_11_9"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "former_addresses",
        sa.Column("player_id", sa.Text, primary_key=True),
        sa.Column("changed_ms", sa.BigInteger, primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("every_ms", sa.BigInteger, nullable=False),
        sa.Column("code_hash", sa.LargeBinary),
        sa.Column("claimable_ms", sa.BigInteger),
        sa.Column("lease_ms", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
    )
    op.create_index("former_addresses_claimable", "former_addresses", ["claimable_ms"])
    op.create_index("former_addresses_code", "former_addresses", ["code_hash"])
