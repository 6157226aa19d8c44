"""Reads matches as lists show them."""

from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, func, select

from events.errors import TooManyBotMatches
from events.store.protocol import Store
from events.store.records import MatchRow
from events.store.schema.log_schema import stream
from events.store.schema.match_schema import matches
from events.store.schema.player_schema import players

MATCH: Final = tuple(matches.c[name] for name in MatchRow.__dataclass_fields__)


def row(store: Store, match_no: int) -> MatchRow | None:
    """Return one match as in lists."""
    found = store.read(select(*MATCH).where(matches.c.match_no == match_no))
    return MatchRow(*found[0]) if found else None


def check_bot_matches(player_id: str, limit: int) -> Callable[[Connection], None]:
    """Return the check of a transaction that creates bot-only matches for a player.

    It raises `TooManyBotMatches`, and waits for concurrent creations for the same player, so that together they keep
    the limit; 0 for none.
    """

    def check(connection: Connection) -> None:
        if not limit:
            return
        connection.execute(select(players.c.player_id).where(players.c.player_id == player_id).with_for_update())
        mine = select(func.count()).where(matches.c.owner == player_id, matches.c.bots_alone)
        if connection.execute(mine).scalar_one() > limit:
            raise TooManyBotMatches(limit)

    return check


def any_on(store: Store, match_ids: Sequence[str]) -> bool:
    """Return whether one of these matches waits to begin, or is being played."""
    here = stream.c.match_id.in_(bindparam("match_ids", expanding=True)) & matches.c.status.in_(("lobby", "playing"))
    query = select(stream.c.match_id).join(matches, matches.c.match_no == stream.c.match_no).where(here).limit(1)
    pages = [match_ids[i : i + ASKED] for i in range(0, len(match_ids), ASKED)]
    return any(store.read(query, match_ids=page) for page in pages)


ASKED: Final = 1_000
"""Maximum number of matches in one query."""
