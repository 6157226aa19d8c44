"""What play by mail needs: standing orders."""

from pathlib import Path
from typing import Any

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, SmallInteger, Text

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table; orders go with the match that they are for, in the transaction in which it ends."""
    op.create_table(
        "orders",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("seat", SmallInteger, primary_key=True, autoincrement=False),
        Column("orders_id", Text, nullable=False, unique=True),
        Column("player_id", Text, nullable=False),
        Column("document", Text, nullable=False),
        Column("given_ms", BigInteger, nullable=False),
        Column("looked_ms", BigInteger, nullable=False),
        Column("late_ms", BigInteger, nullable=False),
        Column("carried_version", Integer),
        Column("carried_ms", BigInteger),
        Column("failed_version", Integer),
        Column("failed_ms", BigInteger),
    )
    op.create_index("orders_by_player", "orders", ["player_id"])
    if op.get_context().dialect.name == "postgresql":
        driver: Any = op.get_bind().connection.driver_connection  # SQLAlchemy would take % for its own
        driver.execute(Path(__file__).with_name("0008_functions_postgresql.sql").read_text("utf-8"))
        return
    for name, when in (("orders_end", "INSERT"), ("orders_end_later", "UPDATE")):
        op.execute(
            f"CREATE TRIGGER {name} AFTER {when} ON matches WHEN NEW.ended_ms IS NOT NULL"
            " BEGIN DELETE FROM orders WHERE match_no = NEW.match_no; END"
        )
