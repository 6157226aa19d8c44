"""Reads the records that commands are given: files, or the standard input."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from api.safe_text import clean

if TYPE_CHECKING:
    from events.proof.collection_record import CollectionRecord
    from events.proof.record import Record

STDIN: Final = "-"


def text(path: Path) -> bytes:
    """Read a record, but no more of it than tells that it is too long. Raises OSError."""
    from events.proof.record import MOST_BYTES

    if str(path) == STDIN:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def record(path: Path, read: bytes | None = None) -> "Record":
    """Read a record, unless it has been read, and take it apart. Raises `ClickException`."""
    from events.proof import record as records

    try:
        return records.read(text(path) if read is None else read)
    except records.Unreadable as error:
        raise click.ClickException(f"{name(path)} cannot be read: {clean(str(error))}") from error
    except OSError as error:
        raise click.ClickException(f"{name(path)} cannot be read: {error.strerror}.") from error


def collection(path: Path) -> "tuple[CollectionRecord | None, bytes]":
    """Read a document, which may be the record of a collection; gives what it is of, and what was read.

    Raises `ClickException`.
    """
    from events.proof import collection_record
    from events.proof.record import Unreadable

    try:
        read = text(path)
        return collection_record.read(read), read
    except Unreadable as error:
        raise click.ClickException(f"{name(path)} cannot be read: {clean(str(error))}") from error
    except OSError as error:
        raise click.ClickException(f"{name(path)} cannot be read: {error.strerror}.") from error


def name(path: Path) -> str:
    """Name a record's file for a person."""
    return "standard input" if str(path) == STDIN else clean(str(path))
