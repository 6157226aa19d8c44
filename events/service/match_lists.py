"""Lists matches, with details of each."""

from collections.abc import Collection
from typing import Final, NamedTuple

from domain import match as life
from domain.core.visibility import SPECTATORS
from domain.games.catalogue import GAMES
from domain.ratings.finished import pool_of_match
from domain.ratings.plackett_luce import Rating
from events.log import commits as log
from events.service import player_ratings
from events.service.context import Context
from events.store.player_records import Identity
from events.store.records import MatchRow, SeatRow
from events.store.search_records import Found, PagePlace, Search
from events.store.tables import player_rows, search_rows, seat_rows, stream_rows


class ListDetails(NamedTuple):
    """The seats of listed matches by number, their players, and the imported matches.

    `pools` has the pool of ratings of each rated match; `ratings`, by pool and player, those of the players of
    unstarted rated matches that the viewer may see.
    """

    seats: dict[int, list[SeatRow]]
    players: dict[str, Identity]
    imported: set[int]
    pools: dict[int, str]
    ratings: dict[tuple[str, str], Rating]


def find_matches(context: Context, viewer: str | None, search: Search, after: PagePlace | None, limit: int) -> Found:
    """Return a page of public matches and the viewer's own, the latest first; `after` is `next` of the last page."""
    return search_rows.find_matches(context.store, viewer, search, after, limit)


def list_details(context: Context, rows: Collection[MatchRow], viewer: str | None) -> ListDetails:
    """Return the details of these matches, as a viewer may see them (None: anonymous)."""
    seats = seat_rows.of_matches(context.store, [row.match_no for row in rows])
    ids = {seat.player_id for held in seats.values() for seat in held if seat.player_id is not None}
    who = player_rows.read_identities(context.store, ids)
    imported = stream_rows.find_imported(context.store, seats)
    pools = _pools(context, [row for row in rows if row.match_no not in imported])
    waiting = {row.match_no for row in rows if row.status == "lobby"} & pools.keys()
    there = {seat.player_id for number in waiting for seat in seats[number] if seat.player_id is not None}
    ratings = player_ratings.visible_ratings(context, {pools[number] for number in waiting}, there, viewer)
    return ListDetails(seats, who, imported, pools, ratings)


RATED: Final = '"rated":true'
"""The part of a match's stored options that marks it as rated."""


def _pools(context: Context, rows: Collection[MatchRow]) -> dict[int, str]:
    """Return the rating pool of each rated match, by number, from the first event."""
    asked = {row.match_no: row for row in rows if RATED in row.options and row.game in GAMES}
    found = {}
    for number, first in stream_rows.openings(context.store, asked).items():
        row = asked[number]
        created = next(log.read_match_events([first], row.game, 0, SPECTATORS))
        if pool := pool_of_match(life.initial_match(GAMES[row.game], row.match_id, created)):
            found[number] = pool
    return found
