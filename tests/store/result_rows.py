"""Reads the stored results of players."""

from typing import Final

from sqlalchemy import select

from events.store.protocol import Store
from events.store.records import ResultRow
from events.store.schema.log_schema import stream
from events.store.schema.match_schema import results

RESULT: Final = tuple(results.c[name] for name in ResultRow.__dataclass_fields__)


def read_results(store: Store, player_id: str, limit: int = 50) -> list[tuple[str, ResultRow]]:
    """Return a player's results with the ids of their matches, latest first."""
    query = (
        select(stream.c.match_id, *RESULT)
        .join(stream, stream.c.match_no == results.c.match_no)
        .where(results.c.player_id == player_id)
        .order_by(results.c.ended_ms.desc(), results.c.match_no.desc(), results.c.seat)
        .limit(limit)
    )
    return [(match_id, ResultRow(*row)) for match_id, *row in store.read(query)]
