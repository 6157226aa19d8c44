"""Prepares data that a process computes once, so that no caller waits for it."""

from contextlib import suppress

from domain.core.visibility import SPECTATORS
from domain.games.catalogue import GAMES
from events.errors import NotFound
from events.ids import ID_LENGTH
from events.log import snapshots
from events.log.codec import shapes
from events.service.access import Caller
from events.service.context import Context
from events.service.replay import open_past
from events.service.views import see_match
from events.store.tables import match_rows, seat_rows, snapshot_rows, stream_rows


def preload_code(context: Context) -> None:
    """Compile the codecs of events, and run the usual queries of requests once."""
    snapshots.hash_of_code()
    for game in GAMES:
        shapes(game)
    for ask in (see_match, open_past):
        with suppress(NotFound):
            ask(context, "0" * ID_LENGTH, Caller())
    match_rows.row(context.store, 0)
    seat_rows.of_matches(context.store, [0])
    snapshot_rows.latest(context.store, 0, SPECTATORS, 1)
    stream_rows.rows(context.store, 0, upto=1)
