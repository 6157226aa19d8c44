"""Describes the tables, for queries and for the SQL of migrations, which a test compares.

Nothing refers to another table by a foreign key: rows are written by match in one transaction, and a check on every
insert would be paid on every move.
"""

from events.store.schema import (
    administration_schema,
    log_schema,
    match_schema,
    notice_schema,
    player_schema,
    talk_schema,
    tournament_schema,
    tree_schema,
)

__all__ = [
    "administration_schema",
    "log_schema",
    "match_schema",
    "notice_schema",
    "player_schema",
    "talk_schema",
    "tournament_schema",
    "tree_schema",
]
