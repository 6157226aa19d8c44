"""Removes what a process of tests has started and made outside, also if that process is killed.

Whoever starts a server or makes a folder, a database or a virtual host notes it here, and takes the note back when it
is gone. A small process beside the tests reads the notes. When the pipe between them ends, nobody else will remove what
is still noted, so it does.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECONDS = 2  # in which the tests' other processes end, when the first of them was killed
_numbers = count()


def note(kind: str, *what: str | int) -> Callable[[], None]:
    """Note something of a kind in `REMOVALS`, with the arguments of its removal; gives what takes the note back."""
    number = next(_numbers)
    _send(number, kind, *what)
    return lambda: _send(number)


@contextmanager
def noted(kind: str, *what: str | int) -> Iterator[None]:
    """Note something for as long as the block lasts, which removes it itself."""
    take_back = note(kind, *what)
    try:
        yield
    finally:
        take_back()


def _send(*line: str | int) -> None:
    pipe = _beside()
    with suppress(BrokenPipeError):
        os.write(pipe, f"{json.dumps(line)}\n".encode())


@cache
def _beside() -> int:
    """Start the process in a session of its own, where no signal to the tests reaches it; gives the pipe to it."""
    ours, its = os.pipe()
    subprocess.Popen([sys.executable, "-m", __name__], cwd=ROOT, stdin=ours, start_new_session=True).returncode = 0
    os.close(ours)
    return its


def main() -> None:
    left: dict[int, list[str | int]] = {}
    for line in sys.stdin:
        number, *what = json.loads(line)
        left[number] = what
    if not any(left.values()):
        return
    time.sleep(SECONDS)
    for kind, remove in REMOVALS.items():
        for what in left.values():
            if what[:1] == [kind]:
                with suppress(Exception):  # the others are tried all the same
                    remove(*what[1:])


def _end(group: int) -> None:
    os.killpg(group, signal.SIGKILL)


def _drop(admin: str, run: str) -> None:
    from sqlalchemy import make_url

    from tests.services import PostgresServer

    PostgresServer(make_url(admin), run=run).remove()


def _delete(server: str, name: str) -> None:
    from tests.services import delete_virtual_host

    delete_virtual_host(server, name)


REMOVALS: dict[str, Callable[..., None]] = {
    "process group": _end,
    "PostgreSQL": _drop,
    "virtual host": _delete,
    "folder": shutil.rmtree,
}
"""How what was left is removed, by its kind, in this order."""

if __name__ == "__main__":
    main()
