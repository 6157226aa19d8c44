"""This module describes kinds of streams other than matches: one declaration each, from which all else follows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Final, Generic, TypeVar

from domain.core.clock import Time
from domain.core.fairness import Dealer
from domain.core.fault import Fault
from domain.match import Match, RecordedEvent
from events.log import commits
from events.log.cache import LoadedStream
from events.log.codec import Shape, shapes_of
from events.log.seals import NO_EVENT
from events.store.records import Commit, CommitRow, Head, Lines, Secrets

State = TypeVar("State")

MOST: Final = 50
"""Maximum cached streams of a kind, with their commits: a tournament of 1,000 has some megabytes."""

Judge = Callable[[str, Sequence[Any]], Fault | None]
"""Finds the first event of the stream of an id that does not follow from those before it."""


@dataclass(slots=True, frozen=True)
class Decision(Generic[State]):
    """A decision says what happens to a stream as it was found, at what time, and the state after it."""

    found: LoadedStream[State]
    at: Time
    happened: Sequence[RecordedEvent]
    state: State


def _none(head: Head, state: Any) -> Sequence[str]:
    """Return no names."""
    return ()


def _always(head: Head, state: Any, matches: Mapping[str, Match]) -> None:
    """Agree with all matches."""


def _both_sides(events: Sequence[Any], others: Mapping[str, Sequence[Any]]) -> None:
    """Agree with all others."""


@dataclass(slots=True, frozen=True)
class StreamKind(Generic[State]):
    """This record describes a kind of stream.

    `events` are its event classes, `start` gives the state before the first of them, `evolve` the state after one.
    `tables` are its projections; `rows` makes the rows of each that has some, and their column `key` holds the id of a
    stream. `changes` makes the rows that go and those that come between two states, where that is quicker than to
    make all. `epoch` counts the chains of seeds that have begun, where new ones do. `judge` finds the event that is not
    what the rules make of those before it. It is None where the rules are told by the matches.

    A stream has to do with matches or with others of its kind. `matches` names the matches, by the state, and `agrees`
    compares it with those that are there: what does not fit, or None. `dealt` compares the shuffles of these matches
    with the secrets of the stream, its seal secret first; it returns the number of the event that is at fault, and why.
    With each commit, the pending work of these matches that is one of `wakes` becomes due. `partners` names the others,
    by the events, and `one_sided` compares it with the events of those that are there, by their ids.
    """

    name: str
    events: tuple[type, ...]
    start: Callable[[], State]
    evolve: Callable[[State, Any], State]
    tables: tuple[str, ...]
    key: str
    rows: Callable[[Head, State], Lines]
    changes: Callable[[Head, State, State], tuple[Lines, Lines]] | None = None
    epoch: Callable[[State], int] | None = None
    matches: Callable[[Head, State], Sequence[str]] = _none
    agrees: Callable[[Head, State, Mapping[str, Match]], str | None] = _always
    dealt: Callable[[bytes, Head, Sequence[Any], Mapping[str, Sequence[Any]]], tuple[int, str] | None] | None = None
    wakes: tuple[str, ...] = ()
    judge: Judge | None = None
    partners: Callable[[Sequence[Any]], Sequence[str]] | None = None
    one_sided: Callable[[Sequence[Any], Mapping[str, Sequence[Any]]], Fault | None] = _both_sides

    @property
    def shapes(self) -> Mapping[str, Shape]:
        return shapes_of(self.events)

    def fold(self, rows: Sequence[CommitRow], before: State | None = None) -> State:
        """Return the state after all commits of a stream, or after those that followed on a state before them."""
        start = self.start() if before is None else before
        return reduce(self.evolve, commits.read_events(rows, self.shapes, 0), start)

    def make_dealer(self, stream_id: str, secrets: Secrets, state: State, draw: Callable[[int], bytes]) -> Dealer:
        """Return the secrets of a stream, with a root for the chain of seeds that may begin next."""
        dealer = Dealer(stream_id, tuple(map(bytes.fromhex, secrets.roots)), secrets.seal_secret)
        return self.add_spare_root(dealer, state, draw)

    def add_spare_root(self, dealer: Dealer, state: State, draw: Callable[[int], bytes]) -> Dealer:
        """Return the secrets with a root for the chain of seeds that may begin next, where new ones do."""
        has_all = self.epoch is None or self.epoch(state) < len(dealer.roots)
        return dealer if has_all else replace(dealer, roots=(*dealer.roots, draw(32)))

    def make_decision(self, found: LoadedStream[State], events: Sequence[Any], at: Time, cause: str) -> Decision[State]:
        """Return that these events happen, by this cause."""
        happened = [RecordedEvent(event, cause, 0) for event in events]
        return Decision(found, at, happened, reduce(self.evolve, events, found.state))

    def make_commit(self, decision: Decision[State]) -> Commit:
        """Return the commit of a decision, with its rows. It has no secret parts."""
        head, before, state = decision.found.head, decision.found.state, decision.state
        tail = commits.AppendPoint(head.version + 1, decision.at, head.head.hex() if head.version else NO_EVENT)
        dealer = decision.found.dealer
        row, digest = commits.write_commit(head.match_id, self.shapes, 0, tail, decision.happened, dealer)
        commit = Commit(row.first, row.n, row.at_ms, row.events, row.secrets, bytes.fromhex(digest), row.mac)
        if not head.version:
            commit.lines = {}, self.rows(head, state)
        elif self.changes is not None:
            commit.lines = self.changes(head, before, state)
        else:
            commit.lines = self.rows(head, before), self.rows(head, state)
        if self.wakes and head.version:
            commit.wakes = self.matches(head, state), self.wakes
        if self.epoch is not None and head.version and self.epoch(state) > self.epoch(before):
            commit.new_root = dealer.roots[self.epoch(state) - 1].hex()
        return commit
