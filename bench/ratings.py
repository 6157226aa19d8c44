"""Measures ratings: how fast all are made anew, and how well they foretell simulated matches.

Players of constant skill meet at random; the chance of each order of a table is that of Plackett and Luce by their true
skills. Of the matches after the first half the winner is foretold. No forecast can be better on average than the one
that knows the skills; how much worse ours is, is the loss, and the calibration is how far chances are from shares.
"""

import time
from collections.abc import Sequence
from contextlib import closing
from math import exp
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from bench.foretold import MOST_ERROR, MOST_LOSS, best_late, drawn, foretold, simulated
from bench.tables import Line, Table
from domain.core.clock import DAY, Time
from domain.core.strengths import BETA
from domain.games.catalogue import GAMES
from domain.ratings import Finished, Seated
from events.ratings.rated_handler import encode
from events.ratings.rating_fold import RatingFold
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.tables import rating_rows

SEED = 20261123
START = 1_700_000_000_000
MATCHES, TARGET_SECONDS = 1_000_000, 180
"""So many matches are to be rated anew in so many seconds; a part of them is measured."""
PLAYERS = 5_000
MET, SPREADS = 24_000, (0.3, 0.6, 1.0)
"""The simulated matches of each population, and how its skills are spread: standard deviations of log odds."""


def measure(*, quick: bool) -> Table:
    """Rate matches of four seats anew, and foretell tables of two, four and six."""
    count = 10_000 if quick else 50_000
    table = Table(f"ratings: {count:,} matches of four rated anew on SQLite; and simulated tables foretold, β {BETA:g}")
    speed = _speed(count)
    target = MATCHES / TARGET_SECONDS
    whole = f"≥ {target:,.0f}: {MATCHES:,} in {TARGET_SECONDS} s"
    table.lines.append(Line("matches rated anew", speed, "/s", target=whole, held=speed >= target))
    for seats, sides in ((2, 2), (4, 4), (6, 6), (4, 2)):
        loss, error = _foretold(seats, sides, SPREADS[1:2] if quick else SPREADS)
        name = f"{sides} sides of {seats // sides}" if seats > sides else f"tables of {seats}"
        held = loss <= MOST_LOSS
        table.lines.append(Line(f"{name}: loss", loss, "%", target=f"≤ {MOST_LOSS:g} %", held=held))
        held = error <= MOST_ERROR
        table.lines.append(Line(f"{name}: calibration error", error, "", target=f"≤ {MOST_ERROR:g}", held=held))
    return table


def _speed(count: int) -> float:
    """Give how many matches are rated in a second of one core, from their rows to the written ratings."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'ratings.sqlite3'}"
        migrate(url)
        with closing(open_store(url)) as store:
            rng, game = Random(SEED), next(iter(GAMES))
            skill = [rng.gauss(0, 0.6) for _ in range(PLAYERS)]
            rows = [_played(rng, game, skill, n) for n in range(count)]
            store.write(rating_rows.adding(rows))
            fold, began = RatingFold(store), time.process_time()
            while fold.step():
                pass
            return count / (time.process_time() - began)


def _played(rng: Random, game: str, skill: list[float], n: int) -> tuple[int, int, str]:
    who = rng.sample(range(PLAYERS), 4)
    places = drawn(rng, [exp(skill[one]) for one in who])
    seats = tuple(
        Seated(f"player-{one:014d}", None, side, place)
        for side, (one, place) in enumerate(zip(who, places, strict=True))
    )
    # A year for a million matches.
    at = START + n * (365 * 1000 * DAY // MATCHES)
    return n + 1, at, encode(Finished(game, f"{game}:usual:live", Time(at), False, seats)).decode()


def _foretold(seats: int, sides: int, spreads: Sequence[float]) -> tuple[float, float]:
    """Give the loss in percent and the calibration error of forecasts, over populations of these spreads of skill."""
    found = [_population(seats, sides, spread) for spread in spreads]
    return median(loss for loss, _ in found), median(error for _, error in found)


def _population(seats: int, sides: int, spread: float) -> tuple[float, float]:
    rng, players = Random(SEED), 30 * seats
    skills = [rng.gauss(0, spread) for _ in range(players)]
    matches = simulated(rng, skills, seats, sides, MET)
    ours = foretold(matches, players, BETA)
    return 100 * (ours.late / best_late(matches, skills) - 1), ours.error
