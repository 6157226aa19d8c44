"""This migration makes the tables of tournaments, which follow from their streams."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_14"
down_revision = "2026_11_13"


def upgrade() -> None:
    """Make the tables and their indexes."""
    op.create_table(
        "tournaments",
        sa.Column("tournament_id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("organiser", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("entrants", sa.Integer, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer),
        sa.Column("round_days", sa.Integer),
        sa.Column("show_up_seconds", sa.Integer, nullable=False),
        sa.Column("closes_ms", sa.BigInteger),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("tournaments_by_status", "tournaments", ["status", "closes_ms"])
    op.create_index("tournaments_by_time", "tournaments", ["created_ms", "tournament_id"])
    op.create_table(
        "tournament_players",
        sa.Column("tournament_id", sa.Text, primary_key=True),
        sa.Column("player_id", sa.Text, primary_key=True),
        sa.Column("role", sa.Text, primary_key=True),
    )
    op.create_index("tournament_players_by_player", "tournament_players", ["player_id"])
    op.create_table(
        "tournament_tables",
        sa.Column("tournament_id", sa.Text, primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("match_id", sa.Text, nullable=False),
    )
