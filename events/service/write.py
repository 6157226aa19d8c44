"""This module plays, writes and answers what was admitted."""

from dataclasses import dataclass, replace
from typing import Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.visibility import reader_of
from domain.match import Admitted, Intent, Match
from events.errors import Repeated
from events.log import commits as log
from events.log.cache import Loaded
from events.log.dealers import spare
from events.service.context import Context
from events.service.projected import commit_of
from events.service.projections import due as outbox
from events.store.records import Commit, CommitRow, Idempotency, Ordered, VacationTaken


@dataclass(slots=True, frozen=True)
class Attached:
    """This is written with a commit: the key of its request, the orders that move, the vacation that it takes."""

    idempotency: Idempotency | None = None
    ordered: Ordered | None = None
    vacation: VacationTaken | None = None


NOTHING: Final = Attached()
"""The value for a commit with which nothing else is written."""


@dataclass(slots=True, frozen=True)
class Done:
    """This is a move that was made: the state after it as its maker knows it, and its events in their feed."""

    version: int
    head: str
    to_act: tuple[Seat, ...]
    events: tuple[bytes, ...]


def carry_out(context: Context, loaded: Loaded, intent: Intent, attached: Attached = NOTHING) -> Done | None:
    """Carry out an intent on this state, if it is admitted; None if somebody else wrote first. Raises `Refused`."""
    return write(context, loaded, life.admit(loaded.match, intent, context.now()), attached)


def write(context: Context, loaded: Loaded, admitted: Admitted, attached: Attached) -> Done | None:
    """Play what was admitted on this state and write it; None if somebody else wrote first. Raises `Repeated`."""
    head, m, now = loaded.head, loaded.match, context.now()
    after, happened = life.play(m, admitted.seat, admitted.command, admitted.cause, loaded.dealer, now)
    if not happened:
        return Done(head.version, head.head.hex(), life.to_act(m), ())
    row, digest = log.write(
        head.match_id,
        m.game.name,
        len(m.seats),
        head.version + 1,
        now,
        head.head.hex(),
        happened,
        loaded.dealer,
    )
    commit = _commit(context, loaded, after, row, digest, attached)
    outcome = context.store.append(head.match_no, commit)
    if outcome.status == "duplicate":
        raise Repeated
    if outcome.status == "conflict":
        return None
    written = _advanced(context, loaded, after, row, digest)
    context.keep(written, commit)
    return _done(written, row, admitted.seat)


def _commit(context: Context, loaded: Loaded, after: Match, row: CommitRow, digest: str, attached: Attached) -> Commit:
    head, m, secret = loaded.head, loaded.match, loaded.dealer.seal_secret
    now, key = Time(row.at_ms), attached.idempotency
    commit = commit_of(m, after, row, digest, now, key, secret, context.lease_ms, head.created_ms)
    commit.vacation = attached.vacation
    if attached.ordered is not None:
        # Its worker goes no further: pending work is written anew, and what it had claimed is given up with it.
        commit.ordered = attached.ordered
        commit.projected.due = outbox.rows(None, after, head.created_ms, now, context.lease_ms, secret)
    if after.epoch > m.epoch:
        commit.new_root = loaded.dealer.roots[after.epoch - 1].hex()
    return commit


def _advanced(context: Context, loaded: Loaded, after: Match, row: CommitRow, digest: str) -> Loaded:
    m, dealer = loaded.match, loaded.dealer
    head = replace(loaded.head, version=row.first + row.n - 1, head=bytes.fromhex(digest))
    return Loaded(head, after, dealer if after.epoch == m.epoch else spare(dealer, m, context.draw), loaded.seen)


def _done(written: Loaded, row: CommitRow, seat: Seat) -> Done:
    """Answer who has moved."""
    head, after, hand_key = written.head, written.match, written.dealer.hand_key
    events = log.feed([row], head.match_id, reader_of(seat), row.first - 1, hand_key, after)
    return Done(head.version, head.head.hex(), life.to_act(after), tuple(events))
