"""Measures what the product does, next to a floor measured in the same run on the same machine.

`dealt bench [--quick] [--game=GAME] [NAME...] [COUNT]`; each module has one function `measure(*, quick)` that gives its
table. Some take a `count` too, which is None where none was given, or `games` to be measured, none for all.
"""

import time
from collections.abc import Mapping
from importlib import import_module
from inspect import signature
from pathlib import Path
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
"""The games that have measurements of their own, beside their tests."""

RATED = [game.name for game in PLAYED.values() if game.setup.winnable]

HELP = f"""\
dealt bench [--quick] [--game=GAME]... [{"|".join(NAMES)}]... [{"|".join(GAMES)}]... [COUNT]

  start   `dealt serve` killed while bots play, and started again: computing time, and how long bots stand still
  append  a move of four events on PostgreSQL, 1, 4 and 8 writers; bytes per event
  load    a stored match of 200 and of 2,000 events, folded into a seat's table
  play    random deals of Hearts, every event of them made and folded
  poker_ranking
          poker hands of five and seven cards ranked, on one core
  moves   POST moves, end to end, on PostgreSQL under the production server
  scale   the same beside 100 and beside 200,000 stored matches
  search  a page of the search of matches, beside 1,000 and beside 1,000,000 stored ones, on both databases
  replay  a table as it was, in matches of 100 to 50,000 events, first in a fresh process and then all over
  verify  records of each game, verified
  audit   10,000 stored matches, audited by two processes
  inbox   the inbox of a player with 500 open matches, on PostgreSQL
  deadlines
          a scheduler's look at what is due, beside 1,000 and beside 100,000 open matches, on PostgreSQL
  pairing rounds of a Swiss at tables of four, of 16 to 1,000 entrants
  tournament
          a Swiss of 1,000 lived on SQLite: time a round, size of the database, its record and its audit
  ratings matches rated anew on both databases, and how well ratings foretell simulated ones
  cheats  what accounts that lose on purpose give a rating, and how soon newcomers find theirs, simulated
  bots    each level of the bots of a game against the one below, on duplicate deals, at 100 ms a move; --game takes
          one game, and COUNT is the most deals (300)
  bot_strengths
          the luck of each game and the strengths of its bots, by matches of bots, and how well ratings foretell
          these; two and a half hours of the processor for all games, --quick a twentieth of it; --game takes one
          of {", ".join(RATED)}

The name of a game takes its own measurements. That of Fivewells plays 9,000 duels of bots to see how even the cards
are, --quick 300, and COUNT as many as it says.

Every figure is a median over rounds in which ours and the floor take turns; a ratio is the median of the
rounds' ratios. --quick takes a third of the time and says a third as much. Exit code 1: a target was missed."""


def main(names: list[str]) -> int:
    """Run the named measurements, or all; gives 1 if a target was missed, 2 for a name that there is not."""
    quick = "--quick" in names
    counts = [int(name) for name in names if name.isdecimal()]
    games = [name.removeprefix(OF_GAME) for name in names if name.startswith(OF_GAME)]
    chosen = [name for name in names if name != "--quick" and not name.isdecimal() and not name.startswith(OF_GAME)]
    if unknown := [*({*chosen} - {*NAMES, *GAMES}), *({*games} - {*RATED})]:
        click.echo(HELP)
        return 0 if {"-h", "--help"} & {*unknown} else 2
    # All are run, also after one has missed its target.
    given = {"quick": quick, "count": counts[0] if counts else None, "games": games}
    met = [_measured(module, given) for name in chosen or (*NAMES, *GAMES) for module in _modules(name)]
    return int(not all(met))


def _modules(name: str) -> list[str]:
    """Give the modules of a name: of a game all that its tests have."""
    if name not in GAMES:
        return [f"bench.{name}"]
    return [f"tests.games.{name}.{path.stem}" for path in sorted((_OF_GAMES / name).glob("bench*.py"))]


def _measured(module: str, given: Mapping[str, Any]) -> bool:
    """Run a measurement with what it takes of what is given, and print its table; says whether targets were met."""
    began, name = time.monotonic(), module.rpartition(".")[2]
    measure = import_module(module).measure
    try:
        table = measure(**{name: given[name] for name in signature(measure).parameters})
    except UnavailableError as error:
        click.echo(f"{name}: skipped: {error}\n")
        return True
    click.echo(f"{table}  ({time.monotonic() - began:.0f} s)\n")
    return bool(table.held)
