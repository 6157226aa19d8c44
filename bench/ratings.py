"""Measures ratings: how fast all are recomputed, and how well they predict simulated matches.

The command `dealt projections rebuild ratings` recomputes them from the notes about each match. It is a separate
process whose whole time counts, including its start. With `--from-logs` it reads every finished match in its log first.

Players of constant skill meet at random; the chance of each order of a table is that of Plackett and Luce by their true
skills. The winners of the second half are predicted. On average no forecast is better than one that knows the skills;
the loss is how much worse ours is, and the calibration is the distance of chances from shares.
"""

import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from math import exp
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import psycopg
from sqlalchemy import select

from bench.database import database, plain
from bench.foretold import Scored, drawn, judged, scored, simulated
from bench.played import played, stored
from bench.tables import Line, Table
from domain.core.clock import DAY, Time
from domain.core.strengths import BETA, Figures
from domain.games.catalogue import GAMES
from domain.ratings.finished import READING, FinishedMatch, FinishedSeat
from events.ratings.rated_handler import decode, encode
from events.ratings.rating_fold import PAGE, RatingFold
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.schema.tournament_schema import rating_changes
from events.store.tables import rating_rows
from tests.services import UnavailableError

SEED = 20261123
START = 1_700_000_000_000
MATCHES, TARGET_SECONDS = 1_000_000, 180
"""Matches that must be recomputed within these processor seconds; a part of them is measured."""
LOGS = 25
"""The number of matches of four, to 100 points each, that are read in their logs."""
PLAYERS = 5_000
REDRAWS = 20
"""Number of random redraws of the winners, to find the calibration error that luck causes."""
MET, SPREADS = 24_000, (0.3, 0.6, 1.0)
"""The simulated matches of each population, and how its skills are spread: standard deviations of log odds."""


def measure(*, quick: bool) -> Table:
    """Recompute ratings of matches of four seats on both databases, and predict tables of two, four and six."""
    count = 20_000 if quick else 50_000
    title = (
        f"ratings: {count:,} matches of four rated anew by the command, by the time of its process; floor: as much read"
    )
    title += " and written"
    table = Table(f"{title}; and predictions of simulated tables, β {BETA:g}; floor: luck alone")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "ratings.sqlite3"
        url = f"sqlite:///{file}"
        migrate(url)
        table.lines += _speed("SQLite", url, count, lambda: sum(one.stat().st_size for one in Path(folder).iterdir()))
        table.lines.append(_from_logs(Path(folder) / "logs.sqlite3"))
    try:
        with database() as found:
            table.lines += _speed("PostgreSQL", found.app_url, count, partial(_stored, found.owner_url))
    except UnavailableError as error:
        table.notes.append(f"PostgreSQL: skipped: {error}")
    for seats, sides in ((2, 2), (4, 4), (6, 6), (4, 2)):
        name = f"{sides} sides of {seats // sides}" if seats > sides else f"tables of {seats}"
        table.lines += judged(name, _foretold(seats, sides, SPREADS[1:2] if quick else SPREADS))
    return table


def _speed(where: str, url: str, count: int, size: Callable[[], int]) -> list[Line]:
    """Rate matches from their rows to the written ratings; then read the rows and write the same again."""
    with closing(open_store(url)) as store:
        rng, game = Random(SEED), next(iter(GAMES))
        skill = [rng.gauss(0, 0.6) for _ in range(PLAYERS)]
        empty = size()
        store.write(rating_rows.writer_of_finished([_played(rng, game, skill, n) for n in range(count)]))
        # Like each process of the product, exclude objects created at the start from garbage collection.
        gc.collect()
        gc.freeze()
        fold = RatingFold(store)
        while fold.step():
            pass
        each = (size() - empty) / count / 1e3
        rated = _command(url)
        floor = _written_again(store)
        gc.unfreeze()
    target = f"≥ {MATCHES / TARGET_SECONDS:,.0f}: {MATCHES:,} in {TARGET_SECONDS} s"
    held = rated * MATCHES <= TARGET_SECONDS * count
    return [
        Line(f"{where}: matches rated anew", count / rated, "/s", count / floor, floor / rated, target, held),
        Line(f"{where}: stored for each match", each, "kB"),
    ]


def _command(url: str, *more: str) -> float:
    """Return the processor seconds of the command, including its start, without its database server's."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    dealt = [sys.executable, "-c", "from api.cli.main import main; main()"]
    environment = {**os.environ, "DATABASE_URL": url}
    subprocess.run(
        [*dealt, "projections", "rebuild", "ratings", *more], check=True, capture_output=True, env=environment
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _from_logs(file: Path) -> Line:
    """Play rated matches, and measure the additional time per match if they are read in their logs."""
    url = f"sqlite:///{file}"
    migrate(url)
    with closing(open_store(url)) as store:
        for n in range(LOGS):
            stored(store, played(f"rated {n}", rated=True))
    _command(url)
    from_notes, from_logs = _command(url), _command(url, "--from-logs")
    return Line("SQLite: a match read in its log, with --from-logs", 1e3 * (from_logs - from_notes) / LOGS, "ms")


def _written_again(store: Store) -> float:
    """Return the processor seconds for reading all matches and writing their results, without rating."""
    made = {row.match_no: row._asdict() for row in store.read(select(rating_changes))}
    before = rating_rows.state(store)
    assert before is not None
    rating_rows.begin_ratings(store, before.formula, before)
    began = time.process_time()
    while (state := rating_rows.state(store)) and (page := rating_rows.read_rated_after(store, state.place, PAGE)):
        assert all(decode(row.facts) for row in page)
        assert rating_rows.write_ratings(store, state, page[-1].place, [], [made[row.match_no] for row in page])
    return time.process_time() - began


def _stored(url: str) -> int:
    """Return the size of a PostgreSQL database, in bytes."""
    with psycopg.connect(plain(url)) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        assert row is not None
        return int(row[0])


def _played(rng: Random, game: str, skill: list[float], n: int) -> rating_rows.NewRow:
    who = rng.sample(range(PLAYERS), 4)
    places = drawn(rng, [exp(skill[one]) for one in who])
    seats = tuple(
        FinishedSeat(f"player-{one:014d}", None, side, place)
        for side, (one, place) in enumerate(zip(who, places, strict=True))
    )
    # A million matches are spread over a year.
    at = START + n * (365 * 1000 * DAY // MATCHES)
    facts = encode(FinishedMatch(game, f"{game}:usual:live", Time(at), seats)).decode()
    return rating_rows.NewRow(n + 1, at, facts, READING)


def _foretold(seats: int, sides: int, spreads: Sequence[float]) -> Scored:
    """Return the median quality of forecasts over populations of these spreads of skill."""
    found = [_population(seats, sides, spread) for spread in spreads]
    return Scored(*(median(column) for column in zip(*found, strict=True)))


def _population(seats: int, sides: int, spread: float) -> Scored:
    rng, players = Random(SEED), 30 * seats
    skills = [rng.gauss(0, spread) for _ in range(players)]
    return scored(simulated(rng, skills, seats, sides, MET), skills, Figures(), REDRAWS)
