"""Write to tournaments, collections and duplicate groups: load, let a caller decide, append, try again and cache.

Moves in matches are written by `commands`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from domain.core.fairness import Dealer
from events.errors import Busy, Conflict, Repeated
from events.log.cache import LoadedStream
from events.log.streams import Decision, StreamKind
from events.service.context import Context
from events.store.records import Commit, Head, Idempotency, NewStream
from events.store.tables import commit_rows, idempotency_rows

State = TypeVar("State")

TRIES: Final = 50
"""The most times that a command which lost a race is tried again on the new state."""


@dataclass(slots=True, frozen=True)
class Request:
    """This is what a request says besides: the version that it insists on, and its key; None: neither."""

    if_match: int | None = None
    idempotency: Idempotency | None = None


ONCE: Final = Request()
"""A request that insists on no version, and is not repeated."""


def execute(
    context: Context,
    kind: StreamKind[State],
    stream_id: str,
    decide: Callable[[LoadedStream[State]], Decision[State]],
    request: Request = ONCE,
    first: LoadedStream[State] | None = None,
) -> LoadedStream[State]:
    """Carry out what `decide` makes of a stream, and return it as it then is, as `execute_all` does.

    `first` is the stream if it has just been loaded.
    """
    there = None if first is None else [first]
    return execute_all(context, kind, [stream_id], lambda found: [decide(found[0])], request, there)[0]


def execute_all(
    context: Context,
    kind: StreamKind[State],
    stream_ids: Sequence[str],
    decide: Callable[[Sequence[LoadedStream[State]]], Sequence[Decision[State]]],
    request: Request = ONCE,
    first: Sequence[LoadedStream[State]] | None = None,
) -> list[LoadedStream[State]]:
    """Carry out what `decide` makes of several streams, all of it or nothing, and return them as they then are.

    It decides again when another writer was faster. The version and the key of the request are those of the first
    stream. Raises what `decide` does, `NotFound`, `Conflict`, `Repeated`, and `Busy` if others are always faster.
    """
    for attempt in range(TRIES):
        if attempt:
            _check_unused(context, request.idempotency)
        found = first if first and not attempt else [context.found(kind, one) for one in stream_ids]
        if request.if_match not in (None, found[0].head.version):
            raise Conflict(found[0].head.version)
        after = _append(context, kind, decide(found), request.idempotency)
        if after is not None:
            return after
    raise Busy


def _check_unused(context: Context, idempotency: Idempotency | None) -> None:
    """Raise `Repeated` if the writer that was faster has carried out the same request."""
    if idempotency is not None and idempotency_rows.find_key(context.store, idempotency.key_hash):
        raise Repeated


def _append(
    context: Context, kind: StreamKind[State], decisions: Sequence[Decision[State]], idempotency: Idempotency | None
) -> list[LoadedStream[State]] | None:
    """Append what was decided, if anything happens, and cache the streams; None if another writer was faster."""
    commits = {one.found.head.match_no: kind.make_commit(one) for one in decisions if one.happened}
    if commits and not commit_rows.append_all(context.store, commits, idempotency):
        return None
    if not commits and idempotency is not None:
        head = decisions[0].found.head
        if not idempotency_rows.remember_key(context.store, idempotency, decisions[0].at, head.match_no, head.version):
            raise Repeated
    return [_advanced(context, kind, one, commits.get(one.found.head.match_no)) for one in decisions]


def _advanced(
    context: Context, kind: StreamKind[State], decision: Decision[State], commit: Commit | None
) -> LoadedStream[State]:
    """Cache a stream after a commit, and return it."""
    found = decision.found
    if commit is None:
        return found
    head = replace(found.head, version=commit.first + commit.n - 1, head=commit.head)
    dealer = kind.add_spare_root(found.dealer, decision.state, context.draw)
    after = LoadedStream(head, decision.state, dealer, [*found.rows, commit.row])
    context.cache_of(kind).put(after)
    return after


def new_stream(
    context: Context,
    kind: StreamKind[State],
    dealer: Dealer,
    events: Sequence[object],
    idempotency: Idempotency | None = None,
) -> NewStream:
    """Return a stream that begins with these events, to be stored; `dealer` holds its id and its secrets."""
    now = context.now()
    empty = LoadedStream(Head(0, dealer.match, 0, bytes(32), now), kind.start(), dealer)
    commit = kind.make_commit(kind.make_decision(empty, events, now, "move"))
    commit.idempotency = idempotency
    root = dealer.roots[0].hex() if dealer.roots else None
    return NewStream(dealer.match, dealer.seal_secret, root, commit, [], kind.name)
