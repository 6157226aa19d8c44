"""This module takes ratings back to what they were before a match, so that only what follows it is rated once more."""

from collections.abc import Collection
from typing import Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from events.store.player_records import RatingRow
from events.store.schema import rated_matches, rating_changes, rating_state, ratings

PAGE: Final = 1_000
"""The number of rows that are read at a time."""


Stored = tuple[float, float, float, int, int, int, int, str]
"""A rating as it is stored, without its pool and player."""


class RatingStep(msgspec.Struct, array_like=True):
    """This is what a match has made of a rating: its mean and deviation.

    `before` is the stored rating before it, without its pool and player; None: the player was new.
    """

    mu: float
    sigma: float
    before: Stored | None = None


decode = msgspec.json.Decoder(dict[str, RatingStep]).decode


def leave_out(connection: Connection, match_nos: Collection[int]) -> None:
    """Forget rated matches. Ratings are those of before the first of them, and the next step goes on from there."""
    here = rated_matches.c.match_no.in_(match_nos)
    first = connection.scalar(select(func.min(rated_matches.c.place)).where(here)) if match_nos else None
    if first is None:
        return
    place = rating_state.c.place
    # A process that rates the next matches now has read those that are forgotten, and comes too late by this.
    connection.execute(update(rating_state).values(run=rating_state.c.run + 1))
    connection.execute(update(rating_state).values(place=first - 1).where(place >= first))
    _take_back(connection, first)
    connection.execute(delete(rated_matches).where(here))


def _take_back(connection: Connection, first: int) -> None:
    """Put ratings back to what they were before the match in this place."""
    behind = rated_matches.c.place >= first
    query = select(rating_changes.c.pool, rating_changes.c.ratings)
    query = query.join(rated_matches, rated_matches.c.match_no == rating_changes.c.match_no).where(behind)
    back: dict[tuple[str, str], Stored | None] = {}
    for pool, text in connection.execute(query.order_by(rated_matches.c.place).execution_options(yield_per=PAGE)):
        for player, step in decode(text).items():
            back.setdefault((pool, player), step.before)
    if not back:
        return
    connection.execute(
        delete(rating_changes).where(rating_changes.c.match_no.in_(select(rated_matches.c.match_no).where(behind)))
    )
    its = (ratings.c.pool == bindparam("its_pool")) & (ratings.c.player_id == bindparam("its_player"))
    connection.execute(delete(ratings).where(its), [{"its_pool": key[0], "its_player": key[1]} for key in back])
    rows = [RatingRow._make((*key, *row)) for key, row in back.items() if row is not None]
    if rows:
        connection.execute(insert(ratings), [row._asdict() for row in rows])
