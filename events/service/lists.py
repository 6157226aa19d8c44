"""This module lists matches, with details of each."""

from collections.abc import Collection
from typing import NamedTuple

from events.service.context import Context
from events.store import tables
from events.store.player_records import Identity
from events.store.records import MatchRow, SeatRow
from events.store.search_records import Found, PagePlace, Search


class ListDetails(NamedTuple):
    """Details are the seats of listed matches by number, who their players are, and which matches are imported."""

    seats: dict[int, list[SeatRow]]
    players: dict[str, Identity]
    imported: set[int]


def find(context: Context, viewer: str | None, search: Search, after: PagePlace | None, limit: int) -> Found:
    """Give a page of public matches and the viewer's own, the latest first; `after` is `next` of the page before."""
    return tables.search_rows.find(context.store, viewer, search, after, limit)


def details(context: Context, rows: Collection[MatchRow]) -> ListDetails:
    """Give the details of these matches."""
    seats = tables.seat_rows.of_matches(context.store, [row.match_no for row in rows])
    ids = {seat.player_id for held in seats.values() for seat in held if seat.player_id is not None}
    who = tables.player_rows.identities(context.store, ids)
    return ListDetails(seats, who, tables.stream_rows.imported(context.store, seats))
