"""A scheduler with its worker as a separate process, whose clock is read from a file.

Start it with `python -m tests.workers.clockwork URL FILE`. Due work is done in the same process. The file contains the
time in milliseconds.
"""

import sys
from contextlib import closing
from pathlib import Path

from domain.core.clock import Time
from events.service import projections as outbox
from events.service import uptime_beats
from events.store.opening import open_store
from events.store.pending_records import Due
from tests.bound import Matches
from workers.dispatcher import Dispatcher
from workers.polling import Poll
from workers.tasks import bot_turn_tasks, deadline_tasks


def main(url: str, file: str) -> None:
    """Run until killed."""
    path, last = Path(file), Time(0)

    def now() -> Time:
        nonlocal last
        if written := path.read_text():  # empty while it is written
            last = Time(int(written))
        return last

    with closing(open_store(url)) as store:
        matches = Matches(store, now=now)

        def work(due: Due) -> None:
            if due.kind == outbox.BOT:
                bot_turn_tasks.play_bot_turns(matches, due.match_id)
            else:
                deadline_tasks.settle(matches, due.match_id)

        uptime_beats.BEAT_SECONDS = 0.02  # type: ignore[misc]  # its clock may be fast
        process = uptime_beats.UptimeBeats(store, "scheduler", now)
        process.start()
        Poll(Dispatcher(store, work, now=now, beat=process.beat).look, "cannot dispatch").run()


if __name__ == "__main__":
    main(*sys.argv[1:])
