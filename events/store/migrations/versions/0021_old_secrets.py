"""This migration lets a webhook keep several earlier secrets, each with the time until which it signs."""

import json

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21"
down_revision = "2026_11_20"


def upgrade() -> None:
    """Replace the columns for one earlier secret by a list of them."""
    op.add_column("webhooks", sa.Column("old_secrets", sa.Text, nullable=False, server_default="[]"))
    connection = op.get_bind()
    kept = sa.text("SELECT webhook_id, old_secret, old_until_ms FROM webhooks WHERE old_secret IS NOT NULL")
    for webhook_id, secret, until in connection.execute(kept).all():
        keeping = sa.text("UPDATE webhooks SET old_secrets = :old WHERE webhook_id = :webhook_id")
        connection.execute(keeping, {"webhook_id": webhook_id, "old": json.dumps([[secret, until]])})
    for column in ("old_secret", "old_until_ms"):
        op.drop_column("webhooks", column)
