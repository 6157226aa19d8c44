"""This migration renames the table of notification settings and the follower that writes notices."""

from alembic import op

revision = "2026_11_3"
down_revision = "2026_11_2"


def upgrade() -> None:
    """Rename the table, and the checkpoint, from which the follower goes on."""
    op.rename_table("telling", "notification_settings")
    if op.get_context().dialect.name == "postgresql":
        op.execute("ALTER INDEX telling_pkey RENAME TO notification_settings_pkey")
    op.execute("UPDATE checkpoint SET name = 'notices' WHERE name = 'telling'")
