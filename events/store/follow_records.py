"""This module has what a follower reads of the log of all streams."""

from typing import NamedTuple

from events.store.records import MATCH, CommitRow


class Position(NamedTuple):
    """A position is a place in the order in which followers read the log of all matches.

    On SQLite ``xid`` is always 0.
    """

    xid: int
    position: int


START = Position(0, 0)


class Followed(NamedTuple):
    """This is one commit as a follower reads it; ``at`` is the position to follow on from."""

    at: Position
    match_no: int
    row: CommitRow
    kind: str = MATCH
    """The kind of its stream."""
