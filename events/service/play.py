"""Commands to a match, carried out and written: moves, what bots do, and what falls due by time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import Refused
from domain.core.visibility import reader_of
from domain.match import Admitted, Intent, Match
from domain.match.events import CloseNonces, Expire, TimeOut
from events.errors import Busy, Repeated
from events.log import commits as log
from events.log.cache import Loaded
from events.log.dealers import spare
from events.service import absence
from events.service import group_tables as groups
from events.service.access import Caller, acting, check_version, seats_of
from events.service.context import Context
from events.service.projected import commit_of
from events.service.projections import due as outbox
from events.service.views import Opened, Seen, at, seen_by
from events.store import tables
from events.store.records import (
    Commit,
    CommitRow,
    Idempotency,
    Ordered,
    Remembered,
    VacationTaken,
)

TRIES: Final = 50
"""How often a move that lost a race is put to the fresh state."""


@dataclass(slots=True, frozen=True)
class Done:
    """A move that was made: the state after it as its maker knows it publicly, and its events in his feed."""

    version: int
    head: str
    to_act: tuple[Seat, ...]
    events: tuple[bytes, ...]


@dataclass(slots=True, frozen=True)
class Asked:
    """What a caller asks of a match.

    `intent(loaded)` says what that is on this state, and raises what there is against it from outside the rules.
    `if_match` is the version that the caller knows, if it must still be the last. `ordered` are the orders that move.
    """

    caller: Caller
    intent: Callable[[Loaded], Intent]
    if_match: int | None = None
    idempotency: Idempotency | None = None
    ordered: Ordered | None = None


def move(
    context: Context, match_id: str, caller: Caller, seat: Seat | None, move: Any,
    if_match: int | None = None, idempotency: Idempotency | None = None, opened: Opened | None = None,
) -> Done:  # fmt: skip
    """Make a move of the game, or a command of the match. `seat` None: the caller's only seat.

    `opened` is the match if it has just been opened. Raises `Refused`, `Conflict`, `Repeated`, `NotFound`.
    """

    def intent(loaded: Loaded) -> Intent:
        return Intent("seat", acting(loaded.match, caller, seat), move)

    asked = Asked(caller, intent, if_match, idempotency)
    return command(context, match_id, asked, opened.loaded if opened else None)


def done_before(context: Context, match_id: str, caller: Caller, remembered: Remembered) -> Done:
    """Rebuild the answer to a move from the log, as it was given to this caller."""
    assert remembered.first is not None
    assert remembered.n is not None
    loaded = context.open(match_id, caller)
    last = remembered.first + remembered.n - 1
    rows = tables.streams.rows(context.store, loaded.head.match_no, remembered.first - 1, 1)
    seat = log.mover(rows[0], loaded.match.game.name)
    mine = seats_of(loaded.match, caller)
    reader = reader_of(seat if seat in mine else mine[0] if mine else None)
    then = at(context, seen_by(context, loaded, reader, mine, creator=False), last)
    key, open_then = loaded.dealer.hand_key, then.match.disclosed
    events = log.feed(rows, match_id, reader, remembered.first - 1, key, loaded.match, open_then)
    return Done(last, then.head, life.to_act(then.match), tuple(events))


# --- Bots -------------------------------------------------------------------------------------------------


def bot_to_move(context: Context, match_id: str) -> Seen | None:
    """See the match as the first bot that is to move in it; None if none is."""
    loaded = context.load(match_id)
    bots = life.bots_to_act(loaded.match) if loaded else ()
    return (
        seen_by(context, loaded, reader_of(bots[0]), (bots[0],), creator=False) if loaded and bots else None
    )


def bot_move(context: Context, seen: Seen, move: Any) -> bool:
    """Make a bot's move, chosen at the version that `seen` shows; False if the match has gone on since."""
    loaded = context.cache.get(seen.match_id)  # the append says whether the match has gone on elsewhere
    if loaded is None or loaded.head.version != seen.version:
        loaded = context.load(seen.match_id)
    if (
        loaded is None
        or loaded.head.version != seen.version
        or seen.seat not in life.bots_to_act(loaded.match)
    ):
        return False
    return carry_out(context, loaded, Intent("bot", seen.seat, move)) is not None


def hand_back(context: Context, seen: Seen) -> None:
    """Leave the bots of a match, for which this worker was to move on, to whoever comes first."""
    tables.pending.release(context.store, seen.match_no, outbox.BOT)
    context.woken()


# --- Time -------------------------------------------------------------------------------------------------


def settle(context: Context, match_id: str) -> int:
    """Settle what has fallen due by time: a lobby, the wait for nonces, decisions. Says how many."""
    settled = 0
    groups.bring_on(context, match_id)
    while (loaded := context.load(match_id)) and (falls := _fallen_due(context, loaded)):
        settled += carry_out(context, loaded, falls.intent, taken=falls.taken) is not None
    return settled


class _Falls(NamedTuple):
    """What falls due by time: the intent, and the vacation that it takes."""

    intent: Intent
    taken: VacationTaken | None = None


def _fallen_due(context: Context, loaded: Loaded) -> _Falls | None:
    m, now = loaded.match, context.now()
    if m.created.deal_group is not None:
        if (command := groups.following(context, loaded, m.created.deal_group.id)) is not None:
            return _Falls(Intent("group", 0, command))
    elif m.status == "lobby" and loaded.head.created_ms + outbox.LOBBY_MS <= now:
        return _Falls(Intent("time", 0, Expire()))
    if m.stage_until is not None and m.stage_until <= now and not m.over:
        return _stage_over(context, m, m.stage_until, now)
    late = life.overdue(m, now)
    return _late(context, m, late[0], now) if late else None


def _stage_over(context: Context, m: Match, until: Time, now: Time) -> _Falls | None:
    """Await nonces for longer, or no more; None if it is too early to tell which."""
    if more := absence.of_nonces(context.store, m, now):
        return _Falls(Intent("time", 0, more))
    return None if absence.may_be_out(context.store, until, now) else _Falls(Intent("time", 0, CloseNonces()))


def _late(context: Context, m: Match, seat: Seat, now: Time) -> _Falls | None:
    """Move the deadline of a seat whose time is over, or let it run out; None if it is too early to tell which."""
    credit, taken = absence.at_its_deadline(context.store, m, seat, now)
    if credit is not None:
        return _Falls(Intent("time", seat, credit), taken)
    falls = life.settled(m, m.asked[seat] or now)
    return None if absence.may_be_out(context.store, falls, now) else _Falls(Intent("time", seat, TimeOut()))


# --- Any command ------------------------------------------------------------------------------------------


def command(context: Context, match_id: str, asked: Asked, first: Loaded | None = None) -> Done:
    """Put a command to the match until it is carried out, refused, or nothing remains to do.

    What has fallen due by time is settled first: who comes too late finds that the clock has moved for them. `first` is
    the match if it has just been loaded.
    """
    for attempt in range(TRIES):
        loaded = first if first is not None and attempt == 0 else context.open(match_id, asked.caller)
        m = loaded.match
        if falls := _fallen_due(context, loaded):
            carry_out(context, loaded, falls.intent, taken=falls.taken)
            continue
        if m.over:
            raise Refused("match_over")
        intent = asked.intent(loaded)
        check_version(loaded, asked.if_match)
        admitted = life.admit(m, intent, context.now())
        if credit := _credit(context, m, intent):
            moved = carry_out(context, loaded, credit)
            asked = replace(asked, if_match=moved.version) if moved and asked.if_match is not None else asked
            continue
        done = write(context, loaded, admitted, asked)
        if done is not None:
            return done
    raise Busy


def _credit(context: Context, m: Match, intent: Intent) -> Intent | None:
    """Give back the time of an absence before a decision is taken; None if there is none."""
    if type(intent.command) in life.LOBBY:
        return None
    credit = absence.before_a_move(context.store, m, intent.seat, context.now())
    return None if credit is None else Intent("time", intent.seat, credit)


def carry_out(
    context: Context, loaded: Loaded, intent: Intent, *, taken: VacationTaken | None = None
) -> Done | None:
    """Carry out an intent on this state, if it is admitted; None if somebody else wrote first. Raises `Refused`."""
    return write(context, loaded, life.admit(loaded.match, intent, context.now()), taken=taken)


def write(
    context: Context, loaded: Loaded, admitted: Admitted, asked: Asked | None = None,
    *, taken: VacationTaken | None = None,
) -> Done | None:  # fmt: skip
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
    commit = _commit(context, loaded, after, row, digest, asked)
    commit.vacation = taken
    outcome = context.store.append(head.match_no, commit)
    if outcome.status == "duplicate":
        raise Repeated
    if outcome.status == "conflict":
        return None
    written = _advanced(context, loaded, after, row, digest)
    context.keep(written, commit)
    return _done(written, row, admitted.seat)


def _commit(
    context: Context, loaded: Loaded, after: Match, row: CommitRow, digest: str, asked: Asked | None
) -> Commit:
    head, m, secret = loaded.head, loaded.match, loaded.dealer.seal_secret
    key, ordered = (asked.idempotency, asked.ordered) if asked else (None, None)
    now = Time(row.at_ms)
    commit = commit_of(m, after, row, digest, now, key, secret, context.lease_ms, head.created_ms)
    if ordered is not None:
        # Its worker goes no further: pending work is written anew, and what it had claimed is given up with it.
        commit.ordered = ordered
        commit.projected.due = outbox.rows(None, after, head.created_ms, now, context.lease_ms, secret)
    if after.epoch > m.epoch:
        commit.new_root = loaded.dealer.roots[after.epoch - 1].hex()
    return commit


def _advanced(context: Context, loaded: Loaded, after: Match, row: CommitRow, digest: str) -> Loaded:
    m, dealer = loaded.match, loaded.dealer
    head = replace(loaded.head, version=row.first + row.n - 1, head=bytes.fromhex(digest))
    return Loaded(
        head, after, dealer if after.epoch == m.epoch else spare(dealer, m, context.draw), loaded.seen
    )


def _done(written: Loaded, row: CommitRow, seat: Seat) -> Done:
    """Answer who has moved."""
    head, after, hand_key = written.head, written.match, written.dealer.hand_key
    events = log.feed([row], head.match_id, reader_of(seat), row.first - 1, hand_key, after)
    return Done(head.version, head.head.hex(), life.to_act(after), tuple(events))
