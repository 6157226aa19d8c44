"""Commands to a match, carried out and written: moves, what bots do, and what falls due by time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import Refused
from domain.core.visibility import reader_of
from domain.match import Match
from domain.match.events import Cancel, CloseNonces, Expire, OpenDeals, ShareDeals, TimeOut
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
    Idempotency,
    Ordered,
    Remembered,
    VacationTaken,
)

TRIES: Final = 50
"""How often a move that lost a race is put to the fresh state."""

_OF_A_GROUP: Final[Mapping[type, str]] = {ShareDeals: "auto", OpenDeals: "auto", Cancel: "move"}
"""The causes of what a table does because its group does it."""


@dataclass(slots=True, frozen=True)
class Done:
    """A move that was made: the state after it as its maker knows it publicly, and its events in his feed."""

    version: int
    head: str
    to_act: tuple[Seat, ...]
    events: tuple[bytes, ...]


def move(
    context: Context, match_id: str, caller: Caller, seat: Seat | None, move: Any,
    if_match: int | None = None, idempotency: Idempotency | None = None, opened: Opened | None = None,
) -> Done:  # fmt: skip
    """Make a move of the game, or a command of the match. `seat` None: the caller's only seat.

    `opened` is the match if it has just been opened. Raises `Refused`, `Stale`, `Repeated`, `NotFound`.
    """
    first = opened.loaded if opened else None
    return command(
        context, match_id, caller, seat, lambda loaded: move, if_match, idempotency, first, seated=True
    )


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
    if not any(choice.admits(move) for choice in loaded.match.game.legal(loaded.match.table, seen.seat)):
        raise Refused(loaded.match.game.refusal(loaded.match.table, seen.seat, move))
    return append(context, loaded, seen.seat, move, "bot") is not None


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
        settled += (
            append(context, loaded, falls.seat, falls.command, "timeout", taken=falls.taken) is not None
        )
    return settled


class _Falls(NamedTuple):
    """What falls due by time: for which seat, the command, and the vacation that it takes."""

    seat: Seat
    command: Any
    taken: VacationTaken | None = None


def _fallen_due(context: Context, loaded: Loaded) -> _Falls | None:
    m, now = loaded.match, context.now()
    if m.created.deal_group is not None:
        if (command := groups.following(context, loaded, m.created.deal_group.id)) is not None:
            return _Falls(0, command)
    elif m.status == "lobby" and loaded.head.created_ms + outbox.LOBBY_MS <= now:
        return _Falls(0, Expire())
    if m.stage_until is not None and m.stage_until <= now and not m.over:
        if more := absence.of_nonces(context.store, m, now):
            return _Falls(0, more)
        return None if absence.may_be_out(context.store, m.stage_until, now) else _Falls(0, CloseNonces())
    late = life.overdue(m, now)
    return _late(context, m, late[0], now) if late else None


def _late(context: Context, m: Match, seat: Seat, now: Time) -> _Falls | None:
    """Move the deadline of a seat whose time is over, or let it run out; None if it is too early to tell which."""
    credit, taken = absence.at_its_deadline(context.store, m, seat, now)
    if credit is not None:
        return _Falls(seat, credit, taken)
    falls = life.settled(m, m.asked[seat] or now)
    return None if absence.may_be_out(context.store, falls, now) else _Falls(seat, TimeOut())


# --- Any command ------------------------------------------------------------------------------------------


def command(
    context: Context, match_id: str, caller: Caller, seat: Seat | None, checked: Callable[[Loaded], Any],
    if_match: int | None = None, idempotency: Idempotency | None = None, first: Loaded | None = None,
    *, seated: bool = False, entitled: Callable[[Loaded], None] | None = None, ordered: Ordered | None = None,
) -> Done:  # fmt: skip
    """Put a command to the match until it is carried out, refused, or nothing remains to do.

    What has fallen due by time is settled first: who comes too late finds that the clock has moved for him.
    """
    for attempt in range(TRIES):
        loaded = first if first is not None and attempt == 0 else context.open(match_id, caller)
        m = loaded.match
        if falls := _fallen_due(context, loaded):
            append(context, loaded, falls.seat, falls.command, "timeout", taken=falls.taken)
            continue
        if m.over:
            raise Refused("match_over")
        at = acting(m, caller, seat) if seated else seat
        assert at is not None
        if entitled is not None:
            entitled(loaded)
        check_version(loaded, if_match)
        command = checked(loaded)
        if seated:
            life.check(m, at, command)
            if credit := absence.before_a_move(context.store, m, at, context.now()):
                moved = append(context, loaded, at, credit, "timeout")
                if_match = moved.version if moved and if_match is not None else if_match
                continue
        done = append(context, loaded, at, command, "order" if ordered else "move", idempotency, ordered)
        if done is not None:
            return done
    raise Busy


def append(
    context: Context, loaded: Loaded, seat: Seat, command: Any, cause: str, idempotency: Idempotency | None = None,
    ordered: Ordered | None = None, *, taken: VacationTaken | None = None,
) -> Done | None:  # fmt: skip
    """Carry out a command on this state and write it; None if somebody else wrote first."""
    head, m, now = loaded.head, loaded.match, context.now()
    cause = _OF_A_GROUP.get(type(command), cause)
    after, happened = life.play(m, seat, command, cause, loaded.dealer, now)
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
    secret = loaded.dealer.seal_secret
    commit = commit_of(m, after, row, digest, now, idempotency, secret, context.lease_ms, head.created_ms)
    commit.vacation = taken
    if ordered is not None:
        # Its worker goes no further: pending work is written anew, and what it had claimed is given up with it.
        commit.ordered = ordered
        commit.projected.due = outbox.rows(None, after, head.created_ms, now, context.lease_ms, secret)
    if after.epoch > m.epoch:
        commit.new_root = loaded.dealer.roots[after.epoch - 1].hex()
    outcome = context.store.append(head.match_no, commit)
    if outcome.status == "duplicate":
        raise Repeated
    if outcome.status == "conflict":
        return None
    version = row.first + row.n - 1
    dealer = loaded.dealer if after.epoch == m.epoch else spare(loaded.dealer, m, context.draw)
    head = replace(head, version=version, head=bytes.fromhex(digest))
    context.keep(Loaded(head, after, dealer, loaded.seen), commit)
    reader = reader_of(seat)
    events = log.feed([row], head.match_id, reader, row.first - 1, dealer.hand_key, after)
    return Done(version, digest, life.to_act(after), tuple(events))
