"""What play by mail needs: table chat and private notes."""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, SmallInteger, Text

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "talks",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("messages", Integer, nullable=False),
        Column("changes", Integer, nullable=False),
    )
    op.create_table(
        "messages",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("no", Integer, primary_key=True, autoincrement=False),
        Column("change", Integer, nullable=False),
        Column("seat", SmallInteger, nullable=False),
        Column("player_id", Text, nullable=False),
        Column("at_ms", BigInteger, nullable=False),
        Column("text", Text),
        Column("deleted_ms", BigInteger),
        Column("deleted_by", Text),
    )
    op.create_index("messages_changed", "messages", ["match_no", "change"])
    op.create_index("messages_by_player", "messages", ["player_id", "match_no", "no"])
    op.create_table(
        "notes",
        Column("match_no", BigInteger, primary_key=True, autoincrement=False),
        Column("player_id", Text, primary_key=True),
        Column("text", Text, nullable=False),
        Column("at_ms", BigInteger, nullable=False),
    )
    op.create_index("notes_by_player", "notes", ["player_id"])
