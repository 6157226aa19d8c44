"""Measures luck and bots: the figures of the games, and how well they predict matches of bots.

A population of bots plays each game. Each makes between 70 and 100 percent of its moves like the steady bot, and the
others at random. The luck of the game, β, and the weight of strength for lower places are the values with which ratings
are least surprised by these matches, starting at 1500 ± 500. Then bots of all levels play their neighbours. Their most
likely strengths are put on the scale of β, with the steady bot at 1500.

The number of matches is fixed in advance, only by the seats of a table (`enough`), and each match has its own seed. So
the figures are the same on every machine, with any number of processors.
"""

import os
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count as numbers
from math import ceil, log, pi, sqrt
from random import Random
from typing import Any, Final, NamedTuple

from bench.foretold import MOST_ERROR, PARTS, Played, Scored, foretold, judged, scored, simulated
from bench.tables import Table
from domain.core.strengths import BOT_LEVELS, Figures
from domain.games.catalogue import GAMES
from domain.ratings.finished import class_of
from tests.ratings.bot_tables import of_level, places, thinking

SEED: Final = 20261127
"""This seed differs from 20261123 to 20261126, whose matches gave the figures of the games.

If you choose figures by these measurements, give the next measurement another seed.
"""
SHARES: Final = [0.7 + 0.3 * n / 19 for n in range(20)]
"""The shares of sound moves of the population."""
LADDER: Final = ("random", 0.15, 0.3, 0.45, "easy", 0.6, 0.7, 0.8, 0.9, 0.95, "steady")
"""Levels of bots, and shares of sound moves between them, from the weakest to the best."""
LUCK: Final = MOST_ERROR / 2
"""Maximum part of the calibration error that luck may cause: half of the allowed error."""
REDRAWS: Final = 20
"""Number of random redraws of the winners, to find the calibration error that luck causes."""
BETAS: Final = (100, 150, 200, 250, 300, 350, 400, 450, 500, 600, 700, 850, 1000, 1200, 1400, 1700, 2000, 2500)
BELOW: Final = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
SURER: Final = 3.0
"""Minimum gain in the log-likelihood of all results before places below the first count less."""


class Pool(NamedTuple):
    """A class of options of a game, with one of its presets."""

    game: str
    preset: str
    name: str


class PoolFigures(NamedTuple):
    """The findings about a class: how well its figure predicts, the best figure, and the bots' strengths by it.

    `people` and `simulated` have the loss in percent, the calibration error, and the error that luck causes.
    """

    matches: int
    people: Scored
    simulated: Scored
    best: Figures
    bots: dict[str, int]


def measure(*, quick: bool, games: Collection[str]) -> Table:
    """Let bots play every class of options of these games, or of every one; predict their matches, and simulated ones.

    As many matches are played at a time as there are processors for this process. `quick` plays a twentieth of them.
    """
    table = Table("luck and bots: predicted matches of bots; floor: luck alone; what is best is written below")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as processes:
        for pool in pools():
            if games and pool.game not in games:
                continue
            count = enough(GAMES[pool.game].setup.usual)
            found = _measured(processes, pool, ceil(count / 20) if quick else count)
            name = f"{pool.game}, {pool.name}"
            _judge(table, f"{name}: {found.matches:,} of bots", found.people, quick=quick)
            _judge(table, f"{name}: simulated", found.simulated, quick=False)
            strengths = ", ".join(f"{level} {points}" for level, points in found.bots.items())
            table.notes.append(f"{name}: β {found.best.beta:g}; below {found.best.lower_places_weight:g}; {strengths}")
    return table


def enough(seats: int) -> int:
    """Return the number of matches, in hundreds, in which luck causes a calibration error of at most `LUCK`.

    The error is the mean, over the tenths of the forecasts of the later half, of the distance between the forecast and
    the share won. That is nearly normal, and the mean distance of a normal value is √(2/π) of its deviation.
    """
    variance = (1 - 1 / seats) / seats
    forecasts = PARTS * variance * (2 / pi) / LUCK**2
    return 100 * ceil(2 * forecasts / seats / 100)


def _judge(table: Table, what: str, found: Scored, *, quick: bool) -> None:
    # A few matches are not enough for a judgement.
    table.lines += [line if not quick else replace(line, held=None) for line in judged(what, found)]


def pools() -> list[Pool]:
    """Return a preset for each class of options of each winnable game."""
    found: dict[tuple[str, str], Pool] = {}
    for game in GAMES.values():
        for preset in game.setup.presets if game.setup.winnable else ():
            name = class_of(game, _options(game.name, preset), game.setup.usual)
            found.setdefault((game.name, name), Pool(game.name, preset, name))
    return list(found.values())


def _options(game: str, preset: str) -> Any:
    setup = GAMES[game].setup
    return setup.options(**setup.resolve(setup.presets[preset], setup.usual))


def _measured(processes: Executor, pool: Pool, count: int) -> PoolFigures:
    people = list(played(processes, pool, SHARES, population(pool, count)))
    kept = GAMES[pool.game].setup.strengths.figures(pool.name)
    found = scored(people, likeliest(people, len(SHARES), below=0.0), kept, REDRAWS)
    best = least_surprised(people, GAMES[pool.game].setup.usual, kept)
    ladder = list(played(processes, pool, LADDER, neighbours(pool, ceil(count / 2))))
    return PoolFigures(len(people), found, _simulated(pool), best, bots(pool, ladder, best))


def least_surprised(people: Sequence[Played], seats: int, kept: Figures) -> Figures:
    """Return the figures whose ratings predict winners best, searched for one by one from the current ones."""
    best = kept
    for _ in range(2):
        best = _best(
            people, [Figures(best.beta, lower_places_weight=share) for share in (BELOW if seats > 2 else BELOW[:1])]
        )
        best = _best(people, [Figures(beta, lower_places_weight=best.lower_places_weight) for beta in BETAS])
    return best


def _best(people: Sequence[Played], tried: Sequence[Figures]) -> Figures:
    """Return the figures that predict best; places below the first count fully if that is nearly as likely."""

    def surprise(figures: Figures) -> float:
        return foretold(people, len(SHARES), figures).surprise * len(people) + SURER * (
            figures.lower_places_weight != 1
        )

    return min(tried, key=surprise)


def population(pool: Pool, count: int) -> Iterator[list[int]]:
    """Return this many random tables of the population."""
    rng, seats = Random(SEED), GAMES[pool.game].setup.usual
    return (rng.sample(range(len(SHARES)), seats) for _ in range(count))


def neighbours(pool: Pool, count: int) -> Iterator[list[int]]:
    """Return this many tables of bots of similar strength."""
    rng, seats = Random(SEED), GAMES[pool.game].setup.usual
    near = max(seats + 1, 4)
    for _ in range(count):
        first = rng.randrange(len(LADDER) - near + 1)
        yield rng.sample(range(first, first + near), seats)


def bots(pool: Pool, matches: Sequence[Played], figures: Figures) -> dict[str, int]:
    """Return the strength of each level in points, from matches of the ladder and this luck of the game."""
    skills = likeliest(matches, len(LADDER), below=figures.lower_places_weight)
    scale = figures.beta * sqrt(GAMES[pool.game].setup.usual)
    at = {one: skill - skills[-1] for one, skill in zip(LADDER, skills, strict=True)}
    return {level: 10 * round((1500 + scale * at[level]) / 10) for level in BOT_LEVELS if level in at}


def played(
    processes: Executor, pool: Pool, players: Sequence[str | float], tables: Iterator[list[int]]
) -> Iterator[Played]:
    """Play a match at each table, seeded by its number; return the matches in the order of the tables."""
    return processes.map(partial(_played, pool, players), numbers(), tables, chunksize=20)


def _played(pool: Pool, players: Sequence[str | float], number: int, who: Sequence[int]) -> Played:
    game, rng = GAMES[pool.game], Random(f"{SEED} {len(players)} {number}")
    chosen = [players[one] for one in who]
    choices = [of_level(game, one) if isinstance(one, str) else thinking(game, one) for one in chosen]
    return Played([[one] for one in who], places(game, _options(pool.game, pool.preset), choices, rng))


def likeliest(matches: Sequence[Played], players: int, *, below: float = 1.0) -> list[float]:
    """Return the skills, as logarithms of odds, with which these results are likeliest.

    `below` is the weight of a difference of skill for the places below the first; with 0, only the winner counts.
    Each player gets an extra half win and half loss against skill 0, so that every skill is bounded.
    """
    stages = [stage for match in matches for stage in _stages(match, below)]
    odds = [1.0] * players
    for _ in range(300):
        won, due = [0.5] * players, [one / (1 + one) for one in odds]
        powers = [one**below for one in odds]
        for first, left, draws, counts in stages:
            chances = odds if counts == 1 else powers
            each = counts * draws / sum([chances[one] for one in left])
            for one in first:
                won[one] += counts * draws / len(first)
            for one in left:
                due[one] += each * chances[one]
        odds = [one * a / b for one, a, b in zip(odds, won, due, strict=True)]
    return list(map(log, odds))


def _stages(match: Played, below: float) -> Iterator[tuple[list[int], list[int], int, float]]:
    """Yield the draws of a match by places: the winners, the candidates, the number of draws, the weight of skill."""
    for place in sorted(set(match.places)) if below else [1]:
        first = [side[0] for side, other in zip(match.sides, match.places, strict=True) if other == place]
        left = [side[0] for side, other in zip(match.sides, match.places, strict=True) if other >= place]
        draws = min(len(first), len(left) - 1) if below else 1
        if draws:
            yield first, left, draws, 1.0 if place == 1 else below


def _simulated(pool: Pool) -> Scored:
    """Predict simulated matches of players whose strengths vary as assumed for new players."""
    game, rng = GAMES[pool.game], Random(SEED)
    seats, figures = game.setup.usual, game.setup.strengths.figures(pool.name)
    skills = [rng.gauss(0, 500 / (figures.beta * sqrt(seats))) for _ in range(30 * seats)]
    matches = simulated(rng, skills, seats, seats, 24_000, below=figures.lower_places_weight)
    return scored(matches, skills, figures, REDRAWS)
