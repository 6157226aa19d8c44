"""This module writes and reads streams of other kinds than matches. One record describes each kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from domain.core.fairness import Dealer
from domain.core.fault import Fault
from domain.match import Happening, Match
from events.log import commits
from events.log.codec import Shape, shapes_of
from events.log.seals import NO_EVENT
from events.store.records import Commit, CommitRow, Head
from events.store.tables.projection_rows import Lines

Judge = Callable[[str, Sequence[Any]], Fault | None]
"""Finds the first event of the stream of an id that does not follow from those before it."""


def _none(head: Head, state: Any) -> Sequence[str]:
    """Name nothing."""
    return ()


def _always(head: Head, state: Any, matches: Mapping[str, Match]) -> None:
    """Agree with all matches."""


def _both_sides(events: Sequence[Any], others: Mapping[str, Sequence[Any]]) -> None:
    """Agree with all others."""


@dataclass(slots=True, frozen=True)
class StreamKind:
    """This record describes a kind of stream.

    `events` are its event classes, `start` gives the state before the first of them, `evolve` the state after one.
    `tables` are its projections; `rows` makes the rows of each that has some, and their column `key` holds the id of a
    stream. `judge` says
    which event, by its number, is not what the rules make of those before it, and why; the id of the stream comes
    first. It is None where the rules are told by the matches.

    A stream has to do with matches or with others of its kind. `matches` names the matches, by the state, and `agrees`
    compares it with those that are there: what does not fit, or None. `dealt` compares the shuffles of these matches
    with the secrets of the stream, its seal secret first; it returns the number of the event that is at fault, and why.
    `partners` names the others, by the events, and
    `one_sided` compares it with the events of those that are there, by their ids: the event that does not fit, by its
    number, and why.
    """

    name: str
    events: tuple[type, ...]
    start: Callable[[], Any]
    evolve: Callable[[Any, Any], Any]
    tables: tuple[str, ...]
    key: str
    rows: Callable[[Head, Any], Lines]
    matches: Callable[[Head, Any], Sequence[str]] = _none
    agrees: Callable[[Head, Any, Mapping[str, Match]], str | None] = _always
    dealt: Callable[[bytes, Head, Sequence[Any], Mapping[str, Sequence[Any]]], tuple[int, str] | None] | None = None
    judge: Judge | None = None
    partners: Callable[[Sequence[Any]], Sequence[str]] | None = None
    one_sided: Callable[[Sequence[Any], Mapping[str, Sequence[Any]]], Fault | None] = _both_sides

    @property
    def shapes(self) -> Mapping[str, Shape]:
        return shapes_of(self.events)


def write(kind: StreamKind, head: Head, at: int, events: Sequence[Any], cause: str, seal_secret: bytes) -> Commit:
    """Give the commit by which these events follow in a stream. They have no secret parts."""
    happened = [Happening(event, cause, 0) for event in events]
    dealer = Dealer(head.match_id, (), seal_secret)
    before = head.head.hex() if head.version else NO_EVENT
    tail = commits.Tail(head.version + 1, at, before)
    row, digest = commits.write_shaped(head.match_id, kind.shapes, 0, tail, happened, dealer)
    return Commit(row.first, row.n, row.at_ms, row.events, row.secrets, bytes.fromhex(digest), row.mac)


class HeldStream(NamedTuple):
    """This is a stream as it was found: its head, its commits, and the state that these make."""

    head: Head
    rows: Sequence[CommitRow]
    state: Any


def state_of(kind: StreamKind, rows: Sequence[CommitRow], before: Any | None = None) -> Any:
    """Give the state of a stream after all its commits, or after those that followed on a state before them."""
    state = kind.start() if before is None else before
    for event in commits.read_shaped(rows, kind.shapes, 0):
        state = kind.evolve(state, event)
    return state
