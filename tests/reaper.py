"""Removes everything that a test process has started or created outside, even if that process is killed.

Code that starts a server or creates a folder, a database or a virtual host registers it here, and removes the entry
afterwards. A small separate process reads the entries. When its pipe to the tests closes, it removes everything still
registered.
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
SECONDS = 2  # for the tests' other processes to end when the first was killed
_numbers = count()


def note(kind: str, *what: str | int) -> Callable[[], None]:
    """Register something of a kind in `REMOVALS`, with the arguments of its removal; return the function that
    unregisters it."""
    number = next(_numbers)
    _send(number, kind, *what)
    return lambda: _send(number)


@contextmanager
def noted(kind: str, *what: str | int) -> Iterator[None]:
    """Register something for the duration of the block, which removes it itself."""
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
    """Start the process in its own session, so that no signal to the tests reaches it; return the pipe to it."""
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
                with suppress(Exception):  # the others are tried anyway
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
"""The functions that remove what was left, by kind, in this order."""

if __name__ == "__main__":
    main()
