"""This migration makes the table of saved decks, and that of trades, which follows from the streams of collections."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_11"
down_revision = "2026_11_10"


def upgrade() -> None:
    """Make the tables and their indexes."""
    op.create_table(
        "decks",
        sa.Column("deck_id", sa.Text, primary_key=True),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("sets", sa.Text, nullable=False),
        sa.Column("main", sa.Text, nullable=False),
        sa.Column("sideboard", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("decks_by_player", "decks", ["player_id"])
    op.create_table(
        "trades",
        sa.Column("trade_id", sa.Text, primary_key=True),
        sa.Column("collection_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("partner_id", sa.Text, nullable=False),
        sa.Column("give", sa.Text, nullable=False),
        sa.Column("want", sa.Text, nullable=False),
    )
    op.create_index("trades_by_collection", "trades", ["collection_id"])
    op.create_index("trades_by_partner", "trades", ["partner_id"])
