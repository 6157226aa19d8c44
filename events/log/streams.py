"""Describes kinds of streams: one declaration each, by which a stream is loaded, written and audited."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final, Generic, Protocol, TypeVar

from domain.core.clock import Time
from domain.core.fairness import Dealer
from domain.core.fault import Fault
from domain.core.values import value
from domain.match import Match, RecordedEvent
from events.log import commits
from events.log.cache import LoadedStream
from events.log.codec import Shape, shapes_of
from events.log.seals import NO_EVENT
from events.store.protocol import Store
from events.store.records import Beside, Commit, CommitRow, Head, Lines, Ordered, Secrets, VacationTaken
from events.store.tables import projection_rows

State = TypeVar("State")

MOST: Final = 50
"""Maximum cached streams of a kind, with their commits: a tournament of 1,000 has some megabytes."""

Judge = Callable[[str, Sequence[Any]], Fault | None]
"""Finds the first event of a stream, given its id, that does not follow from those before it."""

Draw = Callable[[int], bytes]
"""Draws this number of random bytes."""


@value
class Decision(Generic[State]):
    """New events of a stream, their time, and the state after them.

    `ordered` are the standing orders that make a move; `vacation` is the vacation that moves a deadline. `beside`
    writes to other tables in the same transaction, for a stream other than a match. `then` decides the next step once
    this is written, such as the request itself after an overdue event; None if this is the last.
    """

    found: LoadedStream[State]
    at: Time
    happened: Sequence[RecordedEvent]
    state: State
    ordered: Ordered | None = None
    vacation: VacationTaken | None = None
    beside: Beside | None = None
    then: "Decide[State] | None" = None


Decide = Callable[[LoadedStream[State]], Decision[State]]


class Writer(Protocol):
    """The writer of a commit: a worker claims the next bot's turn for `lease_ms`."""

    @property
    def store(self) -> Store: ...

    @property
    def lease_ms(self) -> int: ...


def _none(head: Head, state: Any) -> Sequence[str]:
    """Return no names."""
    return ()


def _always(head: Head, state: Any, matches: Mapping[str, Match]) -> None:
    """Agree with all matches."""


def _both_sides(events: Sequence[Any], others: Mapping[str, Sequence[Any]]) -> None:
    """Agree with all others."""


def _no_rows(head: Head, state: Any) -> Lines:
    """Return no rows."""
    return {}


def _dealer(head: Head, state: Any, secrets: Secrets) -> Dealer:
    """Return the secrets of a stream, from whose id its draws follow."""
    return Dealer(head.match_id, tuple(map(bytes.fromhex, secrets.roots)), secrets.seal_secret)


def _random_root(dealer: Dealer, state: Any, draw: Draw) -> bytes:
    """Return a random root."""
    return draw(32)


@value
class StreamKind(Generic[State]):
    """Describes a kind of stream.

    `events` are the event classes of its streams, `start` returns the state before the first event, `evolve` the state
    after one. `tables` are its projections; `rows` makes the rows of each, and their column `key` holds the id of a
    stream. `changes` makes only the rows to delete and to write between two states, if that is faster. `epoch` counts
    the chains of seeds, if new ones can begin. `judge` finds the event that breaks the rules; it is None if matches
    define the rules.

    A stream refers to matches, or to others of its kind. `matches` names the matches, by the state, and `agrees`
    compares it with the stored ones: it returns the disagreement, or None. `dealt` compares the shuffles of these
    matches with the secrets of the stream, its seal secret first.
    With each commit, the pending work of these matches in `wakes` becomes due. `partners` names the other streams, by
    the events, and `one_sided` compares it with their events, by their ids.

    The other fields are for streams whose events have secret parts, or rows that do not follow from the state.
    `fold_commits` replaces `start`, and `add_rows` and `rebuild` replace `rows`. `shapes_of_all` returns the shapes of
    all events of a stream and its number of seats. `make_dealer` and `next_root` return its secrets. At most `most`
    streams are cached, and their commits if `has_rows`.
    """

    name: str
    events: tuple[type, ...]
    evolve: Callable[[State, Any], State]
    tables: tuple[str, ...]
    start: Callable[[], State] | None = None
    key: str = ""
    rows: Callable[[Head, State], Lines] = _no_rows
    changes: Callable[[Head, State, State], tuple[Lines, Lines]] | None = None
    epoch: Callable[[State], int] | None = None
    matches: Callable[[Head, State], Sequence[str]] = _none
    agrees: Callable[[Head, State, Mapping[str, Match]], str | None] = _always
    dealt: Callable[[bytes, Head, Sequence[Any], Mapping[str, Sequence[Any]]], Fault | None] | None = None
    wakes: tuple[str, ...] = ()
    judge: Judge | None = None
    partners: Callable[[Sequence[Any]], Sequence[str]] | None = None
    one_sided: Callable[[Sequence[Any], Mapping[str, Sequence[Any]]], Fault | None] = _both_sides
    fold_commits: Callable[[Head, Sequence[CommitRow], State | None], State] | None = None
    shapes_of_all: Callable[[State], tuple[Mapping[str, Shape], int]] | None = None
    make_dealer: Callable[[Head, State, Secrets], Dealer] = _dealer
    next_root: Callable[[Dealer, State, Draw], bytes] = _random_root
    add_rows: Callable[[Commit, Decision[State], Writer], None] | None = None
    rebuild: Callable[[Writer, int, Collection[str]], None] | None = None
    most: int = MOST
    has_rows: bool = True

    @property
    def shapes(self) -> Mapping[str, Shape]:
        return shapes_of(self.events)

    def fold(self, head: Head, rows: Sequence[CommitRow], before: State | None = None) -> State:
        """Return the state after all commits of a stream, or after those that followed on a state before them."""
        if self.fold_commits is not None:
            return self.fold_commits(head, rows, before)
        return reduce(
            self.evolve, commits.read_events(rows, self.shapes, 0), self.first_state() if before is None else before
        )

    def first_state(self) -> State:
        """Return the state before the first event."""
        assert self.start is not None
        return self.start()

    def has_spare_root(self, dealer: Dealer, state: State) -> bool:
        """Return whether the secrets have a root for the chain of seeds that may begin next."""
        return self.epoch is None or self.epoch(state) < len(dealer.roots)

    def add_spare_root(self, dealer: Dealer, state: State, draw: Draw) -> Dealer:
        """Return the secrets with a root for the chain of seeds that may begin next, if the kind has new chains."""
        if self.has_spare_root(dealer, state):
            return dealer
        return replace(dealer, roots=(*dealer.roots, self.next_root(dealer, state, draw)))

    def make_decision(self, found: LoadedStream[State], events: Sequence[Any], at: Time, cause: str) -> Decision[State]:
        """Return the decision that these events happen, with this cause."""
        happened = [RecordedEvent(event, cause, 0) for event in events]
        return Decision(found, at, happened, reduce(self.evolve, events, found.state))

    def make_commit(self, decision: Decision[State], writer: Writer) -> Commit:
        """Return the commit of a decision, with its rows."""
        head, before, state, dealer = decision.found.head, decision.found.state, decision.state, decision.found.dealer
        tail = commits.AppendPoint(head.version + 1, decision.at, head.head.hex() if head.version else NO_EVENT)
        known, seats = self.shapes_of_all(state) if self.shapes_of_all else (self.shapes, 0)
        row, digest = commits.write_commit(head.match_id, known, seats, tail, decision.happened, dealer)
        commit = Commit(*row[:5], bytes.fromhex(digest), row.mac)
        commit.ordered, commit.vacation, commit.beside = decision.ordered, decision.vacation, decision.beside
        if self.add_rows is not None:
            self.add_rows(commit, decision, writer)
        elif not head.version:
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

    def rebuild_rows(self, writer: Writer, number: int, tables: Collection[str] = ()) -> None:
        """Rebuild the projections of the stream with this number, or those named, from its log."""
        if self.rebuild is not None:
            self.rebuild(writer, number, tables or self.tables)
            return
        projection_rows.rebuild_stream_rows(
            writer.store, number, self.key, lambda head, rows: self.rows(head, self.fold(head, rows))
        )
