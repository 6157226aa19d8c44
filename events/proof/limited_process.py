"""Runs a program that limits itself, and distinguishes faults of its input from faults of the machine.

Only computing time counts against the input, since elapsed time depends on other programs.
"""

import logging
import resource
import signal
import subprocess
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final


def limit_process(memory: int, seconds: int) -> None:
    """Limit the memory of this process, in bytes, and its computing time, in seconds; it leaves no image on disk.

    A process out of time gets SIGXCPU, and SIGKILL a second later. Other processes do not send SIGXCPU.
    """
    for limit, most, at_last in (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, seconds, seconds + 1),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(limit, (most, at_last))


def place(error: Exception) -> str:
    """Return the type and place of an error without its message, which may quote what was being read."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}"


def kept_head(text: str) -> tuple[int, str]:
    """Read a head that the caller kept, `version:digest`."""
    version, _, digest = text.partition(":")
    return int(version), digest


log = logging.getLogger(__name__)

WALL_SECONDS: Final = 120
"""A process without an answer after this many seconds is ended: the machine is overloaded, or the process hangs."""
_ENDED_BY_OTHERS: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)
"""The system sends one of these if it has no memory left or shuts down; the limit of computing time sends SIGXCPU."""
_HERE: Final = Path(__file__).resolve().parents[2]


class TooMuch(Exception):
    """The input takes more computing time or memory than the program allows itself."""


class Hindered(Exception):
    """The machine prevented an answer; a retry may succeed."""


def run_limited(
    what: str,
    command: Sequence[str],
    *,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    environ: Mapping[str, str] | None = None,
    seconds: float = WALL_SECONDS,
) -> bytes:
    """Return the output of a program that limits itself by `limits.limit_process`; the log names it `what`.

    Raises `TooMuch` if it exceeded its limits. Raises `Hindered` if it could not start, was killed, or did not answer
    in time.
    """
    try:
        done = subprocess.run(  # noqa: S603 -- our own programs
            command, stdin=stdin, capture_output=True, cwd=_HERE, env=environ, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        log.warning("%s did not end within %s s", what, seconds)
        raise Hindered from None
    except OSError as error:
        log.warning("%s could not be started: %s", what, error.strerror)
        raise Hindered from None
    if done.returncode:
        log.warning("%s ended with %s %s", what, done.returncode, done.stderr.decode(errors="replace"))
        raise Hindered if -done.returncode in _ENDED_BY_OTHERS else TooMuch
    return done.stdout
