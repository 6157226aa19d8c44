"""Measures luck and bots: what the figures of the games are, and how well they foretell matches of bots.

A population of bots plays each game, who make between 70 and 100 percent of their moves as the steady bot does, and
the others at random. The luck of the game, β, and how much strength counts for places below the first are those with
which ratings are least surprised by these matches, from the first on, where all have 1500 ± 500. Bots of all levels,
with others between them, then play neighbours of theirs; the strengths with which the results are likeliest are put on
the scale of β, the steady bot at 1500.

A class of options takes no more of the processor than `SECONDS`. What was not played by then is left out.
"""

import os
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from math import log, sqrt
from random import Random
from typing import Any, Final, NamedTuple

from bench.foretold import Played, Scored, foretold, judged, scored, simulated
from bench.tables import Table
from domain.core.strengths import BOT_LEVELS, Figures
from domain.games.catalogue import GAMES
from domain.ratings import class_of
from tests.ratings.bot_tables import Choice, of_level, places, thinking

SEED: Final = 20261126
"""The matches of this number are not those of 20261123, by which the figures of the games were chosen.

Who chooses figures by what is measured here gives the next measurement another number.
"""
SHARES: Final = [0.7 + 0.3 * n / 19 for n in range(20)]
"""The shares of sound moves of the population."""
LADDER: Final = ("random", 0.15, 0.3, 0.45, "easy", 0.6, 0.7, 0.8, 0.9, 0.95, "steady")
"""Levels of bots, and shares of sound moves between them, from the weakest to the best."""
EACH: Final = 800
"""So many matches each of the population plays."""
SECONDS: Final = 1200
"""The seconds of the processor for the matches of a class of options; the population has two thirds of them."""
REDRAWS: Final = 20
"""So many times it is drawn anew who won, to say what luck alone makes of the calibration."""
BETAS: Final = (100, 150, 200, 250, 300, 350, 400, 450, 500, 600, 700, 850, 1000, 1200, 1400, 1700, 2000, 2500)
BELOW: Final = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
SURER: Final = 3.0
"""So much likelier must all results be, as a logarithm, that places below the first are taken to count less."""


class Pool(NamedTuple):
    """This is a class of options of a game, with a preset that is of it."""

    game: str
    preset: str
    name: str


class PoolFigures(NamedTuple):
    """This was found of a class: how well its figure foretells, the best, and the strengths of bots by it.

    `people` and `simulated` have the loss in percent, the calibration error, and what luck alone makes of that.
    """

    pool: Pool
    matches: int
    people: Scored
    simulated: Scored
    best: Figures
    bots: dict[str, int]


def measure(*, quick: bool, games: Collection[str]) -> Table:
    """Let bots play every class of options of these games, or of every one; foretell their matches, and simulated ones.

    As many classes are played at a time as there are processors for this process.
    """
    each, seconds = (EACH // 20, SECONDS / 20) if quick else (EACH, SECONDS)
    chosen = [pool for pool in pools() if not games or pool.game in games]
    title = (
        f"luck and bots: matches of bots foretold, each of 20 in {each} or in {seconds:g} s a class; floor: luck alone"
    )
    table = Table(f"{title}; what is best is written below")
    with ProcessPoolExecutor(min(len(chosen), len(os.sched_getaffinity(0)))) as processes:
        for found in processes.map(_measured, chosen, [each] * len(chosen), [seconds] * len(chosen)):
            name = f"{found.pool.game}, {found.pool.name}"
            _judge(table, f"{name}: {found.matches:,} of bots", found.people, quick=quick)
            _judge(table, f"{name}: simulated", found.simulated, quick=False)
            strengths = ", ".join(f"{level} {points}" for level, points in found.bots.items())
            table.notes.append(f"{name}: β {found.best.beta:g}; below {found.best.lower_places_weight:g}; {strengths}")
    return table


def _judge(table: Table, what: str, found: Scored, *, quick: bool) -> None:
    # A few matches tell too little to judge by.
    table.lines += [line if not quick else replace(line, held=None) for line in judged(what, found)]


def pools() -> list[Pool]:
    """Give a preset for each class of options of each game that can be won."""
    found: dict[tuple[str, str], Pool] = {}
    for game in GAMES.values():
        for preset in game.setup.presets if game.setup.winnable else ():
            name = class_of(game, _options(game.name, preset), game.setup.usual)
            found.setdefault((game.name, name), Pool(game.name, preset, name))
    return list(found.values())


def _options(game: str, preset: str) -> Any:
    setup = GAMES[game].setup
    return setup.options(**setup.resolve(setup.presets[preset], setup.usual))


def _measured(pool: Pool, each: int, seconds: float) -> PoolFigures:
    people = population(pool, each, 2 / 3 * seconds)
    kept = GAMES[pool.game].setup.strengths.figures(pool.name)
    found = scored(people, likeliest(people, len(SHARES), below=0.0), kept, REDRAWS)
    best = least_surprised(people, GAMES[pool.game].setup.usual, kept)
    return PoolFigures(pool, len(people), found, _simulated(pool), best, bots(pool, each, best, seconds / 3))


def least_surprised(people: Sequence[Played], seats: int, kept: Figures) -> Figures:
    """Give the figures with which ratings foretell best who wins, looked for from those that are kept, one by one."""
    best = kept
    for _ in range(2):
        best = _best(
            people, [Figures(best.beta, lower_places_weight=share) for share in (BELOW if seats > 2 else BELOW[:1])]
        )
        best = _best(people, [Figures(beta, lower_places_weight=best.lower_places_weight) for beta in BETAS])
    return best


def _best(people: Sequence[Played], tried: Sequence[Figures]) -> Figures:
    """Give the figures that foretell best; places below the first count in full where that is nearly as likely."""

    def surprise(figures: Figures) -> float:
        return foretold(people, len(SHARES), figures).surprise * len(people) + SURER * (
            figures.lower_places_weight != 1
        )

    return min(tried, key=surprise)


def population(pool: Pool, each: int, seconds: float) -> list[Played]:
    """Let the population play, each so many matches, or as many as there is time for."""
    game = GAMES[pool.game]
    players = [thinking(game, share) for share in SHARES]
    rng, seats = Random(SEED), game.setup.usual
    tables = (rng.sample(range(len(SHARES)), seats) for _ in range(each * len(SHARES) // seats))
    return list(within(_played(pool, players, tables, rng), seconds))


def bots(pool: Pool, each: int, figures: Figures, seconds: float) -> dict[str, int]:
    """Let bots play their neighbours; give the strength of each level in points, by this luck of the game."""
    game, rng = GAMES[pool.game], Random(SEED)
    players = [of_level(game, one) if isinstance(one, str) else thinking(game, one) for one in LADDER]
    seats = game.setup.usual
    near = max(seats + 1, 4)
    tables = []
    for _ in range(each * len(LADDER) // seats):
        first = rng.randrange(len(LADDER) - near + 1)
        tables.append(rng.sample(range(first, first + near), seats))
    matches = list(within(_played(pool, players, iter(tables), rng), seconds))
    skills = likeliest(matches, len(LADDER), below=figures.lower_places_weight)
    scale, at = figures.beta * sqrt(seats), {one: skill - skills[-1] for one, skill in zip(LADDER, skills, strict=True)}
    return {level: round(1500 + scale * at[level], -1) for level in BOT_LEVELS if level in at}  # type: ignore[misc]


def within(matches: Iterator[Played], seconds: float) -> Iterator[Played]:
    """Give matches until this process has spent so many seconds on them; give one at least."""
    until = time.process_time() + seconds
    for match in matches:
        yield match
        if time.process_time() >= until:
            break


def _played(pool: Pool, players: Sequence[Choice], tables: Iterator[list[int]], rng: Random) -> Iterator[Played]:
    game, options = GAMES[pool.game], _options(pool.game, pool.preset)
    for who in tables:
        yield Played([[one] for one in who], places(game, options, [players[one] for one in who], rng))


def likeliest(matches: Sequence[Played], players: int, *, below: float = 1.0) -> list[float]:
    """Give the skills, as logarithms of odds, with which these results are likeliest.

    `below` is how much a difference of skill counts for the places below the first; 0: who won is all that is looked
    at. Each player has half a win and half a loss more against one of skill 0, so that nobody's is without bounds.
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
    """Give the draws of a match by places: who came in, among whom, how many draws that is, how much skill counts."""
    for place in sorted(set(match.places)) if below else [1]:
        first = [side[0] for side, other in zip(match.sides, match.places, strict=True) if other == place]
        left = [side[0] for side, other in zip(match.sides, match.places, strict=True) if other >= place]
        draws = min(len(first), len(left) - 1) if below else 1
        if draws:
            yield first, left, draws, 1.0 if place == 1 else below


def _simulated(pool: Pool) -> Scored:
    """Foretell simulated matches of players whose strengths are spread as new ones are taken to be."""
    game, rng = GAMES[pool.game], Random(SEED)
    seats, figures = game.setup.usual, game.setup.strengths.figures(pool.name)
    skills = [rng.gauss(0, 500 / (figures.beta * sqrt(seats))) for _ in range(30 * seats)]
    matches = simulated(rng, skills, seats, seats, 24_000, below=figures.lower_places_weight)
    return scored(matches, skills, figures, REDRAWS)
