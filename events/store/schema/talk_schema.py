"""Describes the tables of the chat and the notes of matches."""

from sqlalchemy import BigInteger, Column, Index, Integer, SmallInteger, Table, Text

from events.store.schema.metadata import metadata

talks = Table(
    "talks",
    metadata,
    Column("match_no", BigInteger, primary_key=True, autoincrement=False),
    Column("messages", Integer, nullable=False),
    Column("changes", Integer, nullable=False),
)
"""The number of messages at a table, and of changes to them: a message is one change, its deletion another.

A writer to the chat of a match locks its row, so that both numbers have no gaps.
"""

messages = Table(
    "messages",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("no", Integer, primary_key=True),
    Column("change", Integer, nullable=False),
    Column("seat", SmallInteger, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("text", Text),
    Column("deleted_ms", BigInteger),
    Column("deleted_by", Text),
)
"""The messages at a table; a deleted message has no text. `change` is its last change."""
Index("messages_changed", messages.c.match_no, messages.c.change)
Index("messages_by_player", messages.c.player_id, messages.c.match_no, messages.c.no)

notes = Table(
    "notes",
    metadata,
    Column("match_no", BigInteger, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""The notes of players about matches."""
Index("notes_by_player", notes.c.player_id)
