"""Defines the commits that followers read from the log of all streams."""

from typing import Final, NamedTuple

from events.store.records import MATCH, CommitRow

START: Final = 0
"""The position before the first commit."""


class Followed(NamedTuple):
    """A commit as a follower reads it; ``at`` is its position, for reading on from it."""

    at: int
    match_no: int
    row: CommitRow
    kind: str = MATCH
    """The kind of its stream."""
