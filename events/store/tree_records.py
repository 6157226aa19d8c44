"""Defines the rows of the transparency log (decision 36)."""

from typing import NamedTuple

from events.store.records import Long


class TreeRow(NamedTuple):
    """The log as a whole."""

    origin: str
    secret: bytes
    size: Long


class LeafRow(NamedTuple):
    """A leaf as it is stored."""

    place: Long
    match_no: int | None
    version: int | None
    body: str | None
    entry: bytes


class HeadRow(NamedTuple):
    """A checkpoint as it is stored."""

    size: Long
    at_ms: int
    note: str
    witnessed: bool
