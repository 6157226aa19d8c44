"""A tournament runner as a process of its own: `python -m tests.tournament.running URL`."""

import sys
from contextlib import closing

from events.service.context import Context
from events.store.opening import open_store
from workers.tournament_runner import TournamentRunner


def main(url: str) -> None:
    """Run until killed, without a pause; a line says that it begins."""
    with closing(open_store(url)) as store:
        runner = TournamentRunner(Context(store))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            runner.look()


if __name__ == "__main__":
    main(*sys.argv[1:])
