"""Work in a process of its own, within limits. It imports nothing that whoever starts there does not need at once."""

import resource
import traceback
from pathlib import Path


def limited(memory: int, seconds: int) -> None:
    """Limit this process: so many bytes, so many seconds of computing, and no image of it on disk."""
    for limit, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))


def place(error: Exception) -> str:
    """Say which error came from where, and not what it said: a message may quote what was being read."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}"


def kept_head(text: str) -> tuple[int, str]:
    """Read a head that somebody kept, `version:digest`."""
    version, _, digest = text.partition(":")
    return int(version), digest
