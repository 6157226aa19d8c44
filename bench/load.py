"""Measures loading a stored match and folding it into a seat's table."""

from functools import partial

import msgspec
import psycopg

from bench.database import database, plain
from bench.played import Played, played, stored
from bench.rounds import rate, rounds
from bench.tables import Table, compared
from domain import match as life
from domain.games.catalogue import GAMES
from events.log import commits as log
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import stream_rows

SIZES = (200, 2_000)
TARGET = 0.3
SEAT = "2"


def measure(*, quick: bool) -> Table:
    """Compare events a second with fetching and decoding the same rows and no more."""
    seconds, count = (0.2, 5) if quick else (0.3, 15)
    table = Table("load: a stored match into a seat's table, from PostgreSQL; floor: the same rows fetched and decoded")
    with database() as found, psycopg.connect(plain(found.app_url), autocommit=True) as connection:
        store = open_store(found.app_url)
        for size in SIZES:
            match = played(f"load {size}", most=size, target_score=1_000)
            number = stored(store, match)
            ours, floor = partial(_folded, store, number, match), partial(_fetched, connection, number)
            got = rounds(count, {"ours": partial(rate, ours, seconds), "floor": partial(rate, floor, seconds)})
            table.lines.append(compared(f"{match.events:,} events", got["ours"], got["floor"], "events/s", TARGET))
        store.close()
    return table


def _folded(store: Store, number: int, made: Played) -> int:
    rows = stream_rows.rows(store, number)
    match = life.fold_from_start(GAMES["hearts"], made.match_id, log.read_match_events(rows, "hearts", 4, SEAT))
    match.game.view(match.table, int(SEAT))
    return rows[-1].first + rows[-1].n - 1


ROWS = "SELECT first, n, at_ms, events, secrets FROM commits WHERE match_no = %s ORDER BY first"


def _fetched(connection: psycopg.Connection[tuple[int, int, int, str, str | None]], number: int) -> int:
    events = 0
    for _, _, _, written, secrets in connection.execute(ROWS, [number], prepare=True):
        events += len(msgspec.json.decode(written))
        if secrets:
            msgspec.json.decode(secrets)
    return events
