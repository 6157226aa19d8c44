"""This migration lets followers go by positions alone; what is still being written is known by locks of its own."""

import sqlalchemy as sa
from alembic import op

from events.store.sql_files import execute

revision = "2026_11_23"
down_revision = "2026_11_22"

FIRST_UNSEEN = """
    UPDATE checkpoint k SET position = coalesce(
      (SELECT min(c.position) - 1 FROM commits c WHERE (c.xid, c.position) > (k.xid::text::xid8, k.position)),
      (SELECT max(c.position) FROM commits c), k.position)
"""
"""A follower may meet again some commits that it has handled, as after a crash, but misses none."""


def upgrade() -> None:
    """Move the checkpoints of followers, and drop the transaction ids."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        op.execute(sa.text(FIRST_UNSEEN))
        op.execute(sa.text("ALTER TABLE commits DROP COLUMN xid"))
        op.create_index("commits_follow", "commits", ["position"])
        execute(connection, "0001_functions")
    op.drop_column("checkpoint", "xid")
