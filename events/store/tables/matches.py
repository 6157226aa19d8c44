"""This module reads matches as lists show them."""

from typing import Final

from sqlalchemy import select

from events.store.protocol import Store
from events.store.records import MatchRow
from events.store.schema import matches

MATCH: Final = tuple(matches.c[name] for name in MatchRow.__dataclass_fields__)


def row(store: Store, match_no: int) -> MatchRow | None:
    """Give one match as in lists."""
    found = store.read(select(*MATCH).where(matches.c.match_no == match_no))
    return MatchRow(*found[0]) if found else None
