"""Measures what the product does, next to a floor measured in the same run on the same machine.

`dealt bench [--quick] [--game=GAME] [NAME...] [COUNT]`; each module has one function `measure(*, quick)` that returns
its table. Some also take a `count`, None by default, or the `games` to measure, all by default.
"""

import time
from collections.abc import Mapping
from importlib import import_module
from inspect import signature
from pathlib import Path
from textwrap import fill, indent
from typing import Any

import click

from domain.games.catalogue import GAMES as PLAYED
from tests.services import UnavailableError

NAMES = (
    "start",
    "append",
    "load",
    "play",
    "poker_ranking",
    "moves",
    "scale",
    "search",
    "replay",
    "verify",
    "audit",
    "inbox",
    "deadlines",
    "pairing",
    "tournament",
    "ratings",
    "cheats",
    "bots",
    "bot_strengths",
)

OF_GAME = "--game="

_OF_GAMES = Path(__file__).parents[1] / "tests/games"

GAMES = sorted(path.parent.name for path in _OF_GAMES.glob("*/bench.py"))
"""The games with their own measurements, next to their tests."""

RATED = [game.name for game in PLAYED.values() if game.setup.winnable]

HELP = f"""\
dealt bench [--quick] [--game=GAME]... [NAME]... [COUNT]

  Run the benchmarks, or only those named.

  Example: dealt bench append --quick

Benchmarks:
  start          restart of a killed `dealt serve` while bots play
  append         a move of four events on PostgreSQL, with 1, 4 and 8 writers
  load           reading a stored match of 200 and of 2,000 events
  play           random deals of Hearts
  poker_ranking  ranking poker hands of five and seven cards
  moves          POST moves on PostgreSQL under the production server
  scale          the same with 100 and with 200,000 stored matches
  search         a page of matches, of 1,000 and of 1,000,000 stored ones
  replay         a table at earlier versions, in matches of 100 to 50,000 events
  verify         verification of a record of each game
  audit          audit of 10,000 stored matches by two processes
  inbox          the inbox of a player with 500 open matches
  deadlines      due work among 1,000 and among 100,000 open matches
  pairing        rounds of a Swiss of 16 to 1,000 entrants
  tournament     a whole Swiss of 1,000 entrants
  ratings        rating matches again; how well ratings predict results
  cheats         the effect of accounts that lose on purpose
  bots           each level of bots against the one below, on equal deals;
                 COUNT is the maximum number of deals (300)
  bot_strengths  the luck of each game and the strength of its bots;
                 takes two and a half hours of processor time for all games

Benchmarks of a game, run by its name (Fivewells plays COUNT duels of bots):
  {", ".join(GAMES)}

Options:
  --quick      Take a third of the time, with less exact figures.
  --game=GAME  Only this game, for `bots` and `bot_strengths`; repeatable:
{indent(fill(", ".join(RATED), 60), " " * 15)}.
  -h, --help   Show this message and exit.

Each figure is a median over rounds that measure Dealt and a floor in turn.
The exit code is 1 if a target was missed."""


def main(names: list[str]) -> int:
    """Run the named measurements, or all; return 1 if a target was missed, 2 for an unknown name."""
    quick = "--quick" in names
    counts = [int(name) for name in names if name.isdecimal()]
    games = [name.removeprefix(OF_GAME) for name in names if name.startswith(OF_GAME)]
    chosen = [name for name in names if name != "--quick" and not name.isdecimal() and not name.startswith(OF_GAME)]
    if unknown := [*({*chosen} - {*NAMES, *GAMES}), *({*games} - {*RATED})]:
        click.echo(HELP)
        return 0 if {"-h", "--help"} & {*unknown} else 2
    # All benchmarks run, even after one has missed its target.
    given = {"quick": quick, "count": counts[0] if counts else None, "games": games}
    met = [_measured(module, given) for name in chosen or (*NAMES, *GAMES) for module in _modules(name)]
    return int(not all(met))


def _modules(name: str) -> list[str]:
    """Return the modules of a name; for a game, those of its tests."""
    if name not in GAMES:
        return [f"bench.{name}"]
    return [f"tests.games.{name}.{path.stem}" for path in sorted((_OF_GAMES / name).glob("bench*.py"))]


def _measured(module: str, given: Mapping[str, Any]) -> bool:
    """Run a measurement with its accepted arguments, and print its table; return whether its targets were met."""
    began, name = time.monotonic(), module.rpartition(".")[2]
    measure = import_module(module).measure
    try:
        table = measure(**{name: given[name] for name in signature(measure).parameters})
    except UnavailableError as error:
        click.echo(f"{name}: skipped: {error}\n")
        return True
    click.echo(f"{table}  ({time.monotonic() - began:.0f} s)\n")
    return bool(table.held)
