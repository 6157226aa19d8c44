"""Measures what the product does, next to a floor measured in the same run on the same machine.

`dealt bench [--quick] [NAME...]`; each module has one function `measure(*, quick)` that gives its table.
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
)

GAMES = sorted(path.parent.name for path in (Path(__file__).parents[1] / "tests/games").glob("*/bench.py"))
"""The games that have measurements of their own, beside their tests."""

HELP = f"""\
dealt bench [--quick] [{"|".join(NAMES)}]... [{"|".join(GAMES)}]...

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

The name of a game takes its own measurements.

Every figure is a median over rounds in which ours and the floor take turns; a ratio is the median of the
rounds' ratios. --quick takes a third of the time and says a third as much. Exit code 1: a target was missed."""


def main(names: list[str]) -> int:
    """Run the named measurements, or all; gives 1 if a target was missed, 2 for a name that there is not."""
    quick = "--quick" in names
    chosen = [name for name in names if name != "--quick"]
    if unknown := [name for name in chosen if name not in (*NAMES, *GAMES)]:
        click.echo(HELP)
        return 0 if unknown[0] in ("-h", "--help") else 2
    # All are run, also after one has missed its target.
    met = [_measured(name, quick=quick) for name in chosen or (*NAMES, *GAMES)]
    return int(not all(met))


def _measured(name: str, *, quick: bool) -> bool:
    began = time.monotonic()
    try:
        module = f"tests.games.{name}.bench" if name in GAMES else f"bench.{name}"
        table = import_module(module).measure(quick=quick)
    except UnavailableError as error:
        click.echo(f"{name}: skipped: {error}\n")
        return True
    click.echo(f"{table}  ({time.monotonic() - began:.0f} s)\n")
    return bool(table.held)
