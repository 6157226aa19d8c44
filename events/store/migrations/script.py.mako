"""${message}."""

from alembic import op
import sqlalchemy as sa

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Migrate; there is no way back, for the log is append-only."""
    ${upgrades if upgrades else "pass"}
