"""Simulates a year: `python -m tests.simulation`. It prints a summary, and exits with 1 if anything was wrong."""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import make_url

from events.store.migrate import migrate
from tests import services
from tests.simulation.reckoning import reckoned, report
from tests.simulation.world import lived


@contextmanager
def store(database: str) -> Iterator[str]:
    """Return the address of an empty store."""
    if database == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{Path(folder) / 'year.sqlite3'}"
            migrate(url)
            yield url
        return
    with services.postgres() as found:
        migrate(found.owner_url, make_url(found.app_url).username)
        yield found.app_url


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--days", type=int, default=270, help="so long matches are begun; the last end later")
    asked = parser.parse_args()
    began = time.monotonic()
    with store(asked.database) as url:
        world = lived(url, asked.seed, matches=asked.matches, players=asked.players, days=asked.days)
        found = reckoned(world)
        world.servers.close()
    lived_for = f"{world.days:.0f} days in {time.monotonic() - began:.0f} s; seed {asked.seed}"
    sys.stdout.writelines(f"{line}\n" for line in (*report(found), lived_for))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
