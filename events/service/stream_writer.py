"""Writes to streams of all kinds: loads them, lets a caller decide, appends, retries and caches.

All writes go through here.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from domain.core.clock import Time
from domain.core.fairness import Dealer
from events.errors import Busy, Repeated
from events.log.cache import LoadedStream
from events.log.streams import Decide, Decision, StreamKind
from events.service.context import Context
from events.store.records import Commit, Head, Idempotency, Invite, NewStream
from events.store.tables import commit_rows, idempotency_rows
from events.store.tables.commit_rows import Check

State = TypeVar("State")

DecideAll = Callable[[Sequence[LoadedStream[State]]], Sequence[Decision[State]]]

TRIES: Final = 50
"""Maximum decisions for a command: after a lost race, it is decided again on the new state."""


def execute(
    context: Context,
    kind: StreamKind[State],
    stream_id: str,
    decide: Decide[State],
    idempotency: Idempotency | None = None,
    first: LoadedStream[State] | None = None,
) -> LoadedStream[State]:
    """Append the events that `decide` returns to a stream, as `execute_all` does; return its new state.

    `first` is the stream if it was just loaded.
    """
    there = None if first is None else [first]
    return execute_all(context, kind, [stream_id], _of_one(decide), idempotency, there)[0]


def _of_one(decide: Decide[State]) -> DecideAll[State]:
    return lambda found: [decide(found[0])]


def execute_all(
    context: Context,
    kind: StreamKind[State],
    stream_ids: Sequence[str],
    decide: DecideAll[State],
    idempotency: Idempotency | None = None,
    first: Sequence[LoadedStream[State]] | None = None,
) -> Sequence[LoadedStream[State]]:
    """Append the events that `decide` returns to several streams, all or none; return their new states.

    It decides again when another writer was faster, and a decision's `then` decides next. The key of the request is
    that of the first stream. Raises what `decide` does, `NotFound`, `Repeated`, and `Busy` if others are always faster.
    """
    there = first
    for _ in range(TRIES):
        found = there or [context.require_stream(kind, one) for one in stream_ids]
        decisions = decide(found)
        then = decisions[0].then
        after = there = append_decisions(context, kind, decisions, idempotency if then is None else None)
        if after is None:
            _check_unused(context, idempotency)
        elif then is None:
            return after
        else:
            decide = _of_one(then)
    raise Busy


def _check_unused(context: Context, idempotency: Idempotency | None) -> None:
    """Raise `Repeated` if the writer that was faster has carried out the same request."""
    if idempotency is not None and idempotency_rows.find_key(context.store, idempotency.key_hash):
        raise Repeated


def append_decisions(
    context: Context,
    kind: StreamKind[State],
    decisions: Sequence[Decision[State]],
    idempotency: Idempotency | None = None,
) -> Sequence[LoadedStream[State]] | None:
    """Append decided events, if any, and cache the streams; None if another writer was faster."""
    commits = {one.found.head.match_no: kind.make_commit(one, context) for one in decisions if one.happened}
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
    after = LoadedStream(head, decision.state, dealer, [*found.rows, commit.row], found.seen)
    context.keep(kind, after, commit)
    return after


# --- New streams --------------------------------------------------------------------------------------------


def empty_stream(stream_id: str, state: State, dealer: Dealer, at: Time) -> LoadedStream[State]:
    """Return a stream before its first commit, with the secrets that it will have."""
    return LoadedStream(Head(0, stream_id, 0, bytes(32), at), state, dealer)


def decide_beginning(
    context: Context, kind: StreamKind[State], dealer: Dealer, events: Sequence[object]
) -> Decision[State]:
    """Return the decision that a stream begins with these events."""
    now = context.now()
    return kind.make_decision(empty_stream(dealer.match, kind.first_state(), dealer, now), events, now, "move")


def new_stream(
    context: Context,
    kind: StreamKind[State],
    decision: Decision[State],
    idempotency: Idempotency | None = None,
    invites: Sequence[Invite] = (),
) -> NewStream:
    """Return a stream that begins with this decision, to be stored."""
    commit, dealer = kind.make_commit(decision, context), decision.found.dealer
    commit.idempotency = idempotency
    root = dealer.roots[0].hex() if dealer.roots else None
    return NewStream(decision.found.head.match_id, dealer.seal_secret, root, commit, invites, kind.name)


def begin_stream(
    context: Context,
    kind: StreamKind[State],
    decision: Decision[State],
    idempotency: Idempotency | None = None,
    invites: Sequence[Invite] = (),
    check: Check | None = None,
) -> LoadedStream[State]:
    """Store a stream that begins with this decision, and return it. Raises `AlreadyThere`, and `Repeated`.

    `check` may end the transaction by an exception.
    """
    new = new_stream(context, kind, decision, idempotency, invites)
    if check is not None or new.commit.lines is not None:
        if not commit_rows.create_all(context.store, [new], check):
            raise Repeated
        context.wake_for(new.commit)
        return context.require_stream(kind, new.match_id)
    outcome, head = context.store.create(new)  # in one round trip
    if head is None:
        raise Repeated
    head = replace(head, version=outcome.version, head=new.commit.head)
    after = LoadedStream(head, decision.state, decision.found.dealer, [new.commit.row])
    context.keep(kind, after, new.commit)
    return after
