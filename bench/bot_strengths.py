"""Measures luck and bots: what the figures of the games are, and how well they foretell matches of bots.

A population of bots plays each game, who make between 70 and 100 percent of their moves as the steady bot does, and
the others at random. The luck of the game, β, is the one with which ratings are least surprised by these matches, from
the first on, where all have 1500 ± 500. Bots of all levels, with others between them, then play neighbours of
theirs; the strengths with which the results are likeliest are put on the scale of β, the steady bot at 1500.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import log, sqrt
from random import Random
from typing import Any, Final, NamedTuple

from bench.foretold import MOST_ERROR, MOST_LOSS, Foretold, Played, best_late, foretold, simulated
from bench.tables import Line, Table
from domain.core.strengths import BOT_LEVELS
from domain.games.catalogue import GAMES
from domain.ratings import class_of
from tests.ratings.bot_tables import Choice, of_level, places, thinking

SEED: Final = 20261123
SHARES: Final = [0.7 + 0.3 * n / 19 for n in range(20)]
"""The shares of sound moves of the population."""
LADDER: Final = ("random", 0.15, 0.3, 0.45, "easy", 0.6, 0.7, 0.8, 0.9, 0.95, "steady")
"""Levels of bots, and shares of sound moves between them, from the weakest to the best."""
EACH: Final = 800
"""So many matches each of the population plays."""
BETAS: Final = (100, 150, 200, 250, 300, 350, 400, 450, 500, 600, 700, 850, 1000, 1200, 1400, 1700, 2000, 2500)


class Pool(NamedTuple):
    """This is a class of options of a game, with a preset that is of it."""

    game: str
    preset: str
    name: str


class PoolFigures(NamedTuple):
    """This was found of a class: how well its figure foretells, the best, and the strengths of bots by it."""

    pool: Pool
    matches: int
    loss: float
    error: float
    best: int
    bots: dict[str, int]


def measure(*, quick: bool) -> Table:
    """Let bots play every class of options of every game; foretell their matches, and simulated ones."""
    each = EACH // 20 if quick else EACH
    table = Table(f"luck and bots: matches of bots foretold, each of 20 in {each}; what is best is written below")
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        for found in processes.map(_measured, pools(), [each] * len(pools())):
            name = f"{found.pool.game}, {found.pool.name}"
            _judge(table, f"{name}: {found.matches:,} of bots", found.loss, found.error, quick=quick)
            _judge(table, f"{name}: simulated", *_simulated(found.pool), quick=False)
            strengths = ", ".join(f"{level} {points}" for level, points in found.bots.items())
            table.notes.append(f"{name}: β {found.best}; {strengths}")
    return table


def _judge(table: Table, what: str, loss: float, error: float, *, quick: bool) -> None:
    # A few matches tell too little to judge by.
    held = None if quick else loss <= MOST_LOSS
    table.lines.append(Line(f"{what}: loss", loss, "%", target=f"≤ {MOST_LOSS:g} %", held=held))
    held = None if quick else error <= MOST_ERROR
    table.lines.append(Line(f"{what}: calibration error", error, "", target=f"≤ {MOST_ERROR:g}", held=held))


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


def _measured(pool: Pool, each: int) -> PoolFigures:
    game = GAMES[pool.game]
    people = population(pool, each)
    kept = game.setup.strengths.figures(pool.name).beta
    ours: Foretold = foretold(people, len(SHARES), kept)
    skills = likeliest(people, len(SHARES), winners=True)
    best = min(BETAS, key=lambda beta: foretold(people, len(SHARES), beta).surprise)
    loss = 100 * (ours.late / best_late(people, skills) - 1)
    return PoolFigures(pool, len(people), loss, ours.error, best, bots(pool, each, best))


def population(pool: Pool, each: int) -> list[Played]:
    """Let the population play, each so many matches."""
    game = GAMES[pool.game]
    players = [thinking(game, share) for share in SHARES]
    rng, seats = Random(SEED), game.setup.usual
    tables = (rng.sample(range(len(SHARES)), seats) for _ in range(each * len(SHARES) // seats))
    return list(_played(pool, players, tables, rng))


def bots(pool: Pool, each: int, beta: float) -> dict[str, int]:
    """Let bots play their neighbours; give the strength of each level in points, by this luck of the game."""
    game, rng = GAMES[pool.game], Random(SEED)
    players = [of_level(game, one) if isinstance(one, str) else thinking(game, one) for one in LADDER]
    seats = game.setup.usual
    near = max(seats + 1, 4)
    tables = []
    for _ in range(each * len(LADDER) // seats):
        first = rng.randrange(len(LADDER) - near + 1)
        tables.append(rng.sample(range(first, first + near), seats))
    skills = likeliest(list(_played(pool, players, iter(tables), rng)), len(LADDER))
    scale, at = beta * sqrt(seats), {one: skill - skills[-1] for one, skill in zip(LADDER, skills, strict=True)}
    return {level: round(1500 + scale * at[level], -1) for level in BOT_LEVELS if level in at}  # type: ignore[misc]


def _played(pool: Pool, players: Sequence[Choice], tables: Iterator[list[int]], rng: Random) -> Iterator[Played]:
    game, options = GAMES[pool.game], _options(pool.game, pool.preset)
    for who in tables:
        yield Played([[one] for one in who], places(game, options, [players[one] for one in who], rng))


def likeliest(matches: Sequence[Played], players: int, *, winners: bool = False) -> list[float]:
    """Give the skills, as logarithms of odds, with which these results are likeliest: all places, or who won.

    Each player has half a win and half a loss more against one of skill 0, so that nobody's is without bounds.
    """
    stages = [stage for match in matches for stage in _stages(match, winners=winners)]
    odds = [1.0] * players
    for _ in range(300):
        won, share = [0.5] * players, [1 / (1 + one) for one in odds]
        for first, left, draws in stages:
            each = draws / sum([odds[one] for one in left])
            for one in first:
                won[one] += draws / len(first)
            for one in left:
                share[one] += each
        odds = [a / b for a, b in zip(won, share, strict=True)]
    return list(map(log, odds))


def _stages(match: Played, *, winners: bool) -> Iterator[tuple[list[int], list[int], int]]:
    """Give the draws of a match by places: who came in, among whom, and how many draws that were."""
    for place in [1] if winners else sorted(set(match.places)):
        first = [side[0] for side, other in zip(match.sides, match.places, strict=True) if other == place]
        left = [side[0] for side, other in zip(match.sides, match.places, strict=True) if other >= place]
        draws = 1 if winners else min(len(first), len(left) - 1)
        if draws:
            yield first, left, draws


def _simulated(pool: Pool) -> tuple[float, float]:
    """Foretell simulated matches of players whose strengths are spread as new ones are taken to be."""
    game, rng = GAMES[pool.game], Random(SEED)
    seats, beta = game.setup.usual, game.setup.strengths.figures(pool.name).beta
    skills = [rng.gauss(0, 500 / (beta * sqrt(seats))) for _ in range(30 * seats)]
    matches = simulated(rng, skills, seats, seats, 24_000)
    ours = foretold(matches, len(skills), beta)
    return 100 * (ours.late / best_late(matches, skills) - 1), ours.error
