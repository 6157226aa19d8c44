"""Reads the seats of matches."""

from collections import defaultdict
from collections.abc import Collection
from typing import Final

from sqlalchemy import select

from events.store.protocol import Store
from events.store.records import SeatRow
from events.store.schema.match_schema import seats

SEAT: Final = tuple(seats.c[name] for name in SeatRow.__dataclass_fields__)


def of_matches(store: Store, match_nos: Collection[int]) -> dict[int, list[SeatRow]]:
    """Return the seats of matches, in order, by match number."""
    found: defaultdict[int, list[SeatRow]] = defaultdict(list)
    query = select(seats.c.match_no, *SEAT).where(seats.c.match_no.in_(match_nos)).order_by(seats.c.seat)
    for match_no, *row in store.read(query) if match_nos else ():
        found[match_no].append(SeatRow(*row))
    return dict(found)
