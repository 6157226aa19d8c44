"""What play by mail needs: outages of the schedulers, and players' vacations."""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Integer, Text, true

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the tables; a vacation is taken by itself unless the player says no."""
    op.create_table(
        "heartbeat",
        Column("one", Integer, primary_key=True, autoincrement=False),
        Column("at_ms", BigInteger, nullable=False),
    )
    op.create_table(
        "outages",
        Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
        Column("to_ms", BigInteger, nullable=False),
    )
    op.create_index("outages_end", "outages", ["to_ms"])
    op.create_table(
        "vacations",
        Column("player_id", Text, primary_key=True),
        Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
        Column("to_ms", BigInteger, nullable=False),
        Column("used_ms", BigInteger, nullable=False),
    )
    op.add_column("players", Column("auto_vacation", Boolean, nullable=False, server_default=true()))
