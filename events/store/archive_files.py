"""Reads and writes files of archived matches.

A file is a sequence of gzip members, one for each match. So `zcat` prints the file, and a match is read without the
others. A member is one line of JSON with all commits of the match.
"""

import gzip
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

import msgspec

from events.errors import Unavailable
from events.settings import read_archive_folder
from events.store.records import ArchivedLog, CommitRow, Head

FORMAT: Final = "dealt-archive/1"

SUFFIX: Final = ".ndjson.gz"


class ArchivedMatch(msgspec.Struct, frozen=True):
    """A line of a file: a match, and its commits as the database had them."""

    format: str
    kind: str
    id: str
    version: int
    head: str
    commits: list[CommitRow]


class ArchiveUnreadable(Unavailable):
    """The file of an archived match is missing or was changed; the message names it."""


def encode_match(kind: str, head: Head, commits: Sequence[CommitRow]) -> bytes:
    """Return the member of a match. The same match always gives the same bytes."""
    line = ArchivedMatch(FORMAT, kind, head.match_id, head.version, head.head.hex(), list(commits))
    return gzip.compress(msgspec.json.encode(line) + b"\n", mtime=0)


def decode_match(member: bytes) -> ArchivedMatch:
    """Return the match of a member. Raises `ArchiveUnreadable`."""
    try:
        return msgspec.json.decode(gzip.decompress(member), type=ArchivedMatch)
    except (msgspec.DecodeError, OSError, EOFError) as error:
        raise ArchiveUnreadable("an archived match cannot be read") from error


def read_commits(there: ArchivedLog) -> list[CommitRow]:
    """Return all commits of an archived match. Raises `ArchiveUnreadable`."""
    path = read_archive_folder() / there.file
    try:
        with path.open("rb") as file:
            file.seek(there.start_byte)
            member = file.read(there.size)
    except OSError as error:
        raise ArchiveUnreadable(f"the archive file {path} cannot be read ({error.strerror})") from error
    if sha256(member).digest() != there.sha256:
        raise ArchiveUnreadable(f"the archive file {path} was changed")
    return decode_match(member).commits
