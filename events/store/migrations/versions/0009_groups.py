"""What play by mail needs: tables that get the same deals, and deals that are played once more."""

from pathlib import Path
from typing import Any

from alembic import op
from sqlalchemy import BigInteger, Column, Text

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the tables, and room for both in the rows of matches."""
    op.add_column("matches", Column("deal_group", Text))
    op.add_column("matches", Column("deal_known", Text))
    op.create_table(
        "deal_groups",
        Column("group_id", Text, primary_key=True),
        Column("creator", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("tables", Text, nullable=False),
        Column("nonces", Text),
        Column("created_ms", BigInteger, nullable=False),
    )
    op.create_table(
        "group_players",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("player_id", Text, primary_key=True),
        Column("deal_group", Text, nullable=False),
    )
    op.create_index("group_players_once", "group_players", ["deal_group", "player_id"], unique=True)
    if op.get_context().dialect.name == "postgresql":
        driver: Any = op.get_bind().connection.driver_connection  # SQLAlchemy would take % for its own
        driver.execute(Path(__file__).with_name("0009_functions_postgresql.sql").read_text("utf-8"))
