"""Reads the records that commands are given: files, or the standard input."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import click

from api.safe_text import remove_controls

STDIN: Final = "-"


def text(path: Path) -> bytes:
    """Read a record up to just above the size limit. Raises OSError."""
    from events.proof.record import MOST_BYTES

    if str(path) == STDIN:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


@contextmanager
def open_record_file(path: Path) -> "Iterator[IO[bytes]]":
    """Open a document for reading. Raise `ClickException` if it fails, even during reading."""
    from events.proof.record import Unreadable

    try:
        if str(path) == STDIN:
            yield sys.stdin.buffer
        else:
            with path.open("rb") as file:
                yield file
    except Unreadable as error:
        raise click.ClickException(f"{name(path)} cannot be read: {remove_controls(str(error))}") from error
    except OSError as error:
        raise click.ClickException(f"{name(path)} cannot be read: {error.strerror}.") from error


def name(path: Path) -> str:
    """Return a record's file name for display."""
    return "standard input" if str(path) == STDIN else remove_controls(str(path))
