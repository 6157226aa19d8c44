"""Reads the records that commands are given: files, or the standard input."""

import sys
from pathlib import Path
from typing import Final

from events.proof.record import MOST_BYTES

STDIN: Final = "-"


def text(path: Path) -> bytes:
    """Read a record, but no more of it than tells that it is too long. Raises OSError."""
    if str(path) == STDIN:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def name(path: Path) -> str:
    """Name a record's file for a person."""
    return "standard input" if str(path) == STDIN else str(path)
