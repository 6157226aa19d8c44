"""Runs a program that limits itself, and tells whether its input or this machine kept it from answering.

Only computing time counts against the input: how long that takes depends on what else the machine does.
"""

import logging
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

log = logging.getLogger(__name__)

WALL_SECONDS: Final = 120
"""A process without an answer after this time is ended: the machine has too much else to do, or it is stuck."""
_ENDED_BY_OTHERS: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)
"""The system sends one of these if it has no memory left or shuts down; the limit of computing time sends SIGXCPU."""
_HERE: Final = Path(__file__).resolve().parents[2]


class TooMuch(Exception):
    """The input takes more computing time or memory than the program allows itself."""


class Hindered(Exception):
    """The machine kept the program from answering, and may not do so the next time."""


def run_limited(
    what: str,
    command: Sequence[str],
    *,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    environ: Mapping[str, str] | None = None,
    seconds: float = WALL_SECONDS,
) -> bytes:
    """Return what a program writes that sets its own limits by `limits.limit_process`; the log names it as `what`.

    Raises `TooMuch` if it went beyond these, `Hindered` if it could not start, was ended by another, or has not
    answered after so many seconds.
    """
    try:
        done = subprocess.run(  # noqa: S603 -- our own programs
            command, stdin=stdin, capture_output=True, cwd=_HERE, env=environ, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        log.warning("%s did not end within %s seconds", what, seconds)
        raise Hindered from None
    except OSError as error:
        log.warning("%s could not be started: %s", what, error.strerror)
        raise Hindered from None
    if done.returncode:
        log.warning("%s ended with %s %s", what, done.returncode, done.stderr.decode(errors="replace"))
        raise Hindered if -done.returncode in _ENDED_BY_OTHERS else TooMuch
    return done.stdout
