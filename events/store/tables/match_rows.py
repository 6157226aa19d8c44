"""This module reads matches as lists show them."""

from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, func, select

from events.errors import TooManyBotMatches
from events.store.protocol import Store
from events.store.records import MatchRow, NewStream
from events.store.schema import matches, players, stream

MATCH: Final = tuple(matches.c[name] for name in MatchRow.__dataclass_fields__)


def row(store: Store, match_no: int) -> MatchRow | None:
    """Return one match as in lists."""
    found = store.read(select(*MATCH).where(matches.c.match_no == match_no))
    return MatchRow(*found[0]) if found else None


def check_bot_matches(player_id: str, limit: int, new: Sequence[NewStream]) -> Callable[[Connection], None]:
    """Return what the transaction that creates these matches for a player does: it raises `TooManyBotMatches`.

    It waits for others that create matches in which only bots play for the same player, so that together they pass no
    limit; 0 is none.
    """

    def check(connection: Connection) -> None:
        if not limit or not any(one.commit.projected.match and one.commit.projected.match.bots_alone for one in new):
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
"""The most matches that are asked for at once."""
