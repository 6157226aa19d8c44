"""A cache of tables as they stood, for long replays."""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, LargeBinary, Text

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the cache; it may be emptied at any time."""
    op.create_table(
        "snapshots",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("reader", Text, primary_key=True),
        Column("version", Integer, primary_key=True, autoincrement=False),
        Column("code", LargeBinary, nullable=False),
        Column("state", Text, nullable=False),
        Column("sum", LargeBinary, nullable=False),
    )
