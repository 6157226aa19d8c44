"""A tournament runner as a separate process: `python -m tests.tournament.running URL [before | after]`.

With the last argument it is killed as it creates a match: before that is written, or after.
"""

import os
import signal
import sys
from contextlib import closing
from typing import Any

from events.service.context import Context
from events.store.opening import open_store
from workers.tournament_runner import TournamentRunner


class Deadly:
    """A store that kills its process when a match is created."""

    def __init__(self, store: Any, when: str) -> None:
        self._store, self._when = store, when

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def create(self, new: Any) -> None:
        """Create a match, or not, and kill the process."""
        if self._when == "after":
            self._store.create(new)
        os.kill(os.getpid(), signal.SIGKILL)


def main(url: str, when: str = "") -> None:
    """Run until killed, without a pause; a printed line announces the start."""
    with closing(open_store(url)) as store:
        given: Any = Deadly(store, when) if when else store
        runner = TournamentRunner(Context(given))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            runner.look()


if __name__ == "__main__":
    main(*sys.argv[1:])
