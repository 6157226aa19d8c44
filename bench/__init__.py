"""Measures what the product does, next to a floor measured in the same run on the same machine.

`dealt bench [--quick] [NAME...] [COUNT]`; each module has one function `measure(*, quick)` that gives its table. That
of a game's `bench_*.py` has a `count` too, which is None where none was given.
"""

import time
from importlib import import_module
from pathlib import Path

import click

from tests.services import UnavailableError

NAMES = (
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
    "bot_strengths",
)

_OF_GAMES = Path(__file__).parents[1] / "tests/games"

GAMES = sorted(path.parent.name for path in _OF_GAMES.glob("*/bench.py"))
"""The games that have measurements of their own, beside their tests."""

HELP = f"""\
dealt bench [--quick] [{"|".join(NAMES)}]... [{"|".join(GAMES)}]... [COUNT]

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
  ratings matches rated anew, and how well ratings foretell simulated ones
  bot_strengths
          the luck of each game and the strengths of its bots, by matches of bots, an hour of them; and how well
          ratings foretell these; --quick plays a twentieth

The name of a game takes its own measurements. That of Fivewells plays 9,000 duels of bots to see how even the cards
are, --quick 300, and COUNT as many as it says.

Every figure is a median over rounds in which ours and the floor take turns; a ratio is the median of the
rounds' ratios. --quick takes a third of the time and says a third as much. Exit code 1: a target was missed."""


def main(names: list[str]) -> int:
    """Run the named measurements, or all; gives 1 if a target was missed, 2 for a name that there is not."""
    quick = "--quick" in names
    counts = [int(name) for name in names if name.isdecimal()]
    chosen = [name for name in names if name != "--quick" and not name.isdecimal()]
    if unknown := [name for name in chosen if name not in (*NAMES, *GAMES)]:
        click.echo(HELP)
        return 0 if unknown[0] in ("-h", "--help") else 2
    # All are run, also after one has missed its target.
    modules = [module for name in chosen or (*NAMES, *GAMES) for module in _modules(name)]
    met = [_measured(module, counts[0] if counts else None, quick=quick) for module in modules]
    return int(not all(met))


def _modules(name: str) -> list[str]:
    """Give the modules of a name: of a game all that its tests have."""
    if name not in GAMES:
        return [f"bench.{name}"]
    return [f"tests.games.{name}.{path.stem}" for path in sorted((_OF_GAMES / name).glob("bench*.py"))]


def _measured(module: str, count: int | None, *, quick: bool) -> bool:
    began, name = time.monotonic(), module.rpartition(".")[2]
    counted = {"count": count} if name.startswith("bench_") else {}
    try:
        table = import_module(module).measure(quick=quick, **counted)
    except UnavailableError as error:
        click.echo(f"{name}: skipped: {error}\n")
        return True
    click.echo(f"{table}  ({time.monotonic() - began:.0f} s)\n")
    return bool(table.held)
