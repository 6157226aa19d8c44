"""This migration gives every player a handle, made from the name."""

import sqlalchemy as sa
from alembic import op

from events.handles import kept, made_from

revision = "2026_11_7"
down_revision = "2026_11_6"

AT_ONCE = 1_000
"""The number of players who get their handles together."""


def upgrade() -> None:
    """Make the table, the column and its index; players of imported matches, and who was erased, have no handle."""
    op.create_table(
        "handles",
        sa.Column("handle_hash", sa.LargeBinary, primary_key=True),
        sa.Column("player_id", sa.Text),
    )
    op.create_index("handles_by_player", "handles", ["player_id"])
    op.add_column("players", sa.Column("handle", sa.Text))
    connection = op.get_bind()
    query = sa.text("SELECT player_id, name FROM players WHERE token_hash IS NOT NULL AND name IS NOT NULL")
    known, given = connection.execute(query).all(), set[str]()
    for start in range(0, len(known), AT_ONCE):
        rows = [_given(row.player_id, row.name, given) for row in known[start : start + AT_ONCE]]
        connection.execute(sa.text("UPDATE players SET handle = :handle WHERE player_id = :player_id"), rows)
        connection.execute(sa.text("INSERT INTO handles VALUES (:handle_hash, :player_id)"), rows)
    op.create_index("players_by_handle", "players", ["handle"], unique=True)


def _given(player_id: str, name: str, given: set[str]) -> dict[str, str | bytes]:
    """Draw a handle that nobody has yet."""
    while (handle := made_from(name)) in given:
        pass
    given.add(handle)
    return {"player_id": player_id, "handle": handle, "handle_hash": kept(handle)}
