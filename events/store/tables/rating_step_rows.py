"""Restores ratings from before a match, so that only later matches are rated again."""

from collections.abc import Collection, Mapping
from typing import Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from events.store.player_records import RatingRow
from events.store.schema.tournament_schema import rated_matches, rating_changes, rating_state, rating_trusts, ratings

PAGE: Final = 1_000
"""The number of rows that are read at a time."""


Stored = tuple[float, float, float, int, int, int, int, str, int, str]
"""A rating as it is stored, without its pool and player."""


class RatingStep(msgspec.Struct, array_like=True):
    """The effect of a match on a rating: its mean and deviation.

    `before` is the stored rating before it, without its pool and player; None if the player was new.
    """

    mu: float
    sigma: float
    before: Stored | None = None


decode = msgspec.json.Decoder(dict[str, RatingStep]).decode


class TrustBefore(msgspec.Struct, array_like=True):
    """The stored trust in a player before a match: whether proven, and the data as JSON."""

    proven: bool
    trust: str


decode_trusts = msgspec.json.Decoder(dict[str, TrustBefore | None]).decode


def leave_out(connection: Connection, match_nos: Collection[int]) -> None:
    """Delete rated matches.

    Ratings are restored to before the first of them, and the next step continues from there.
    """
    here = rated_matches.c.match_no.in_(match_nos)
    first = connection.scalar(select(func.min(rated_matches.c.place)).where(here)) if match_nos else None
    if first is None:
        return
    place = rating_state.c.place
    # A process that is rating the next matches has read the deleted steps; this makes it fail.
    connection.execute(update(rating_state).values(run=rating_state.c.run + 1))
    connection.execute(update(rating_state).values(place=first - 1).where(place >= first))
    _take_back(connection, first)
    connection.execute(delete(rated_matches).where(here))


def _take_back(connection: Connection, first: int) -> None:
    """Restore ratings to their state before the match at this position."""
    behind = rated_matches.c.place >= first
    query = select(rating_changes.c.pool, rating_changes.c.ratings, rating_changes.c.trusts)
    query = query.join(rated_matches, rated_matches.c.match_no == rating_changes.c.match_no).where(behind)
    back: dict[tuple[str, str], Stored | None] = {}
    trusts: dict[str, TrustBefore | None] = {}
    for row in connection.execute(query.order_by(rated_matches.c.place).execution_options(yield_per=PAGE)):
        for player, step in decode(row.ratings).items():
            back.setdefault((row.pool, player), step.before)
        for player, before in decode_trusts(row.trusts).items():
            trusts.setdefault(player, before)
    if not back:
        return
    _put_back(connection, trusts)
    connection.execute(
        delete(rating_changes).where(rating_changes.c.match_no.in_(select(rated_matches.c.match_no).where(behind)))
    )
    its = (ratings.c.pool == bindparam("its_pool")) & (ratings.c.player_id == bindparam("its_player"))
    connection.execute(delete(ratings).where(its), [{"its_pool": key[0], "its_player": key[1]} for key in back])
    rows = [RatingRow._make((*key, *row)) for key, row in back.items() if row is not None]
    if rows:
        connection.execute(insert(ratings), [row._asdict() for row in rows])


def _put_back(connection: Connection, trusts: Mapping[str, TrustBefore | None]) -> None:
    """Restore the earlier trust in these players."""
    if not trusts:
        return
    its = rating_trusts.c.player_id == bindparam("its_player")
    connection.execute(delete(rating_trusts).where(its), [{"its_player": player} for player in trusts])
    rows = [
        {"player_id": player, "proven": before.proven, "trust": before.trust}
        for player, before in trusts.items()
        if before is not None
    ]
    if rows:
        connection.execute(insert(rating_trusts), rows)
