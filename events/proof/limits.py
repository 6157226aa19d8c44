"""Limits the process it runs in. It imports only what every such process needs immediately."""

import resource
import traceback
from pathlib import Path


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
