"""Measures replay over HTTP on PostgreSQL: the first request in a fresh process, and more all over a match."""

import time
from collections import defaultdict
from http.client import HTTPConnection
from random import Random
from statistics import median

import psycopg

from bench.database import database, plain
from bench.played import Played, played, some_id, stored
from bench.servers import api
from bench.tables import Line, Table
from events.ids import hash_secret
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import player_rows

SIZES = (100, 1_000, 5_000, 50_000)
GOAL, GOAL_MS = 5_000, 50.0
"""Target: the maximum milliseconds of an answer at any version of a match with this many events."""

PLAYER, TOKEN = some_id("replay"), "dealt_replay"
TIMES = defaultdict[tuple[int, str], list[float]]


def measure(*, quick: bool) -> Table:
    """Request tables of earlier versions, in milliseconds each; the floor is GET /healthz on the same connection."""
    starts, asks = (2, 20) if quick else (5, 60)
    made = Table("replay: GET …/replay on PostgreSQL, ms a request; floor: GET /healthz of the same server")
    times: TIMES = defaultdict(list)
    with database() as found:
        store = open_store(found.app_url)
        player_rows.add_player(store, PLAYER, "Replay", hash_secret(TOKEN), 0)
        matches = {size: _match(store, size) for size in SIZES}
        store.close()
        for i in range(starts):
            for size, match in matches.items():
                _forget(found.owner_url)
                for kept in ("nothing kept", "snapshots kept"):
                    with api(found) as port:
                        _ask(port, match, size, kept, asks, times, Random(i))
    for size in SIZES:
        for what in (
            "first as seat, nothing kept",
            "first as all, nothing kept",
            "first as seat, snapshots kept",
            "as seat",
            "as all",
            "99 of 100",
        ):
            made.lines.append(_line(f"{matches[size].events:,} events: {what}", size, what, times))
    return made


def _line(said: str, size: int, what: str, times: TIMES) -> Line:
    if what == "99 of 100":
        took = sorted(times[size, "as seat"] + times[size, "as all"])
        figure = took[len(took) * 99 // 100]
    else:
        figure = median(times[size, what])
    floor = median(times[size, "floor"])
    if size != GOAL:
        return Line(said, figure, "ms", floor, figure / floor)
    return Line(said, figure, "ms", floor, figure / floor, f"≤ {GOAL_MS:g} ms", held=figure <= GOAL_MS)


def _match(store: Store, size: int) -> Played:
    players = (PLAYER, *(some_id(f"replay {seat}") for seat in range(1, 4)))
    made = played(f"replay {size}", players, most=size, target_score=1_000, best_of=9)
    stored(store, made)
    return made


def _forget(url: str) -> None:
    with psycopg.connect(plain(url), autocommit=True) as owner:
        owner.execute("TRUNCATE snapshots")


def _ask(port: int, match: Played, size: int, kept: str, asks: int, times: TIMES, rng: Random) -> None:
    """Ask a fresh server; if there are snapshots, continue with random positions."""
    line = HTTPConnection("127.0.0.1", port)
    _timed(line, "/healthz")
    # This event is in a disclosed hand.
    path, last = f"/v1/matches/{match.match_id}/replay", match.events - 60
    times[size, f"first as seat, {kept}"].append(_timed(line, f"{path}?version={max(last * 9 // 10, 1)}"))
    times[size, f"first as all, {kept}"].append(_timed(line, f"{path}?version={max(last * 8 // 10, 1)}&seat=all"))
    for _ in range(asks if kept == "snapshots kept" else 0):
        times[size, "floor"].append(_timed(line, "/healthz"))
        for seat, said in (("0", "as seat"), ("all", "as all")):
            asked = f"{path}?version={rng.randint(1, max(last, 1))}&seat={seat}"
            times[size, said].append(_timed(line, asked))
    line.close()


def _timed(line: HTTPConnection, path: str) -> float:
    began = time.perf_counter()
    line.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
    answer = line.getresponse()
    answer.read()
    took = 1000 * (time.perf_counter() - began)
    assert answer.status in (200, 403), answer.status
    return took
