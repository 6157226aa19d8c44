"""This module carries out commands to a match: moves, bots' moves, and what falls due by time.

It is one way for all of them: what is asked is admitted, played, written with its projections, and answered.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import Refused
from domain.core.visibility import reader_of
from domain.games.catalogue import GAMES
from domain.match import Admitted, Intent, Match
from domain.match.match_shuffles import CloseNonces
from domain.match.move_signatures import MoveSigned
from domain.match.move_texts import in_text
from domain.match.seating import Expire
from domain.match.time_outs import TimeOut
from events.errors import Busy, NotSigned, Repeated
from events.log import commits as log
from events.log.cache import Loaded
from events.log.dealers import add_spare_root
from events.proof.player_keys import is_signed, move_message
from events.service import absence_credit
from events.service import group_tables as groups
from events.service.access import Caller, OpenedMatch, acting_seat, check_installed, check_version, open_match, seats_of
from events.service.context import Context
from events.service.projections import BOT, LOBBY_MS, due_rows, keep_waiting_since, make_match_commit
from events.service.stream_writer import TRIES
from events.service.views import Seen, seen_by, view_at_version
from events.store import tables
from events.store.records import Commit, CommitRow, Idempotency, Ordered, Remembered, VacationTaken


@dataclass(slots=True, frozen=True)
class CommitExtras:
    """This is written with a commit: the key of its request, the orders that move, the vacation that it takes."""

    idempotency: Idempotency | None = None
    ordered: Ordered | None = None
    vacation: VacationTaken | None = None


NOTHING: Final = CommitExtras()
"""The value for a commit with which nothing else is written."""


@dataclass(slots=True, frozen=True)
class MoveAnswer:
    """This is a move that was made: the state after it as its maker knows it, and its events in their feed."""

    version: int
    head: str
    to_act: tuple[Seat, ...]
    events: tuple[bytes, ...]


@dataclass(slots=True, frozen=True)
class CommandRequest:
    """This is what a caller asks of a match.

    `intent(loaded)` gives the intent on this state, and raises errors that the rules do not know. `if_match` is the
    version that the caller knows, if it must still be the last.
    """

    caller: Caller
    intent: Callable[[Loaded], Intent]
    if_match: int | None = None
    attached: CommitExtras = NOTHING


@dataclass(slots=True, frozen=True)
class MoveRequest:
    """This is a move that was sent: a move of the game, or a command of the match. `seat` None: the only one.

    `if_match` is the version that the caller knows, if it must still be the last; `signature` is that of the player
    whose seat has a key.
    """

    seat: Seat | None
    move: Any
    if_match: int | None = None
    idempotency: Idempotency | None = None
    signature: str | None = None


def make_move(
    context: Context, match_id: str, caller: Caller, request: MoveRequest, opened: OpenedMatch | None = None
) -> MoveAnswer:
    """Make a move that was sent. `opened` is the match if it has just been opened.

    Raises `Refused`, `NotSigned`, `Conflict`, `Repeated`, `NotFound`.
    """

    def intent(loaded: Loaded) -> Intent:
        at, move, signature = acting_seat(loaded.state, caller, request.seat), request.move, request.signature
        signed = MoveSigned(at, in_text(loaded.state.game, move), signature) if signature is not None else None
        return Intent("seat", at, move, signed)

    asked = CommandRequest(caller, intent, request.if_match, CommitExtras(idempotency=request.idempotency))
    return execute_command(context, match_id, asked, opened.loaded if opened else None)


def execute_command(context: Context, match_id: str, asked: CommandRequest, first: Loaded | None = None) -> MoveAnswer:
    """Put a command to the match until it is carried out, refused, or nothing remains to do.

    What has fallen due by time is settled first: a player who is too late finds that the clock has moved for them.
    `first` is the match if it has just been loaded.
    """
    for attempt in range(TRIES):
        loaded = first if first is not None and attempt == 0 else open_match(context, match_id, asked.caller)
        m = loaded.state
        check_installed(m.game)
        if falls := _fallen_due(context, loaded):
            carry_out_intent(context, loaded, falls.intent, falls.attached)
            continue
        if m.over:
            raise Refused("match_over")
        intent = asked.intent(loaded)
        check_version(loaded, asked.if_match)
        _check_signature(loaded, intent)
        admitted = life.admit(m, intent, context.now())
        if credit := _credit(context, m, intent):
            moved = carry_out_intent(context, loaded, credit)
            asked = replace(asked, if_match=moved.version) if moved and asked.if_match is not None else asked
            continue
        done = write_admitted(context, loaded, admitted, asked.attached)
        if done is not None:
            return done
    raise Busy


def _check_signature(loaded: Loaded, intent: Intent) -> None:
    """Raise `NotSigned` unless the player of a seat with a key has signed this, on the match as it is now."""
    head, m, given = loaded.head, loaded.state, intent.signed
    if not life.signs(m, intent):
        return
    move = in_text(m.game, intent.command)
    text = move_message(head.match_id, intent.seat, head.version, head.head.hex(), move)
    if given is None or not is_signed(m.keys[intent.seat] or "", given.signature, text):
        raise NotSigned(text.decode(), head.version, given=given is not None)


def _credit(context: Context, m: Match, intent: Intent) -> Intent | None:
    """Return back the time of an absence before a decision is taken; None if there is none."""
    if type(intent.command) in life.LOBBY:
        return None
    credit = absence_credit.credit_before_move(context.store, m, intent.seat, context.now())
    return None if credit is None else Intent("time", intent.seat, credit)


# --- Playing and writing ----------------------------------------------------------------------------------


def carry_out_intent(
    context: Context, loaded: Loaded, intent: Intent, attached: CommitExtras = NOTHING
) -> MoveAnswer | None:
    """Carry out an intent on this state, if it is admitted; None if another commit came first. Raises `Refused`."""
    return write_admitted(context, loaded, life.admit(loaded.state, intent, context.now()), attached)


def write_admitted(context: Context, loaded: Loaded, admitted: Admitted, attached: CommitExtras) -> MoveAnswer | None:
    """Play what was admitted on this state and write it; None if another commit came first. Raises `Repeated`."""
    head, m, now = loaded.head, loaded.state, context.now()
    after, happened = life.carry_out(m, admitted, loaded.dealer, now)
    if not happened:
        return MoveAnswer(head.version, head.head.hex(), life.to_act(m), ())
    tail = log.AppendPoint(head.version + 1, now, head.head.hex())
    row, digest = log.write_match_commit(head.match_id, m.game.name, len(m.seats), tail, happened, loaded.dealer)
    commit = _commit(context, loaded, after, row, digest, attached)
    outcome = context.store.append(head.match_no, commit)
    if outcome.status == "duplicate":
        raise Repeated
    if outcome.status == "conflict":
        return None
    written = _advanced(context, loaded, after, row, digest)
    context.keep(written, commit)
    return _done(context, written, row, admitted.seat)


def _commit(
    context: Context, loaded: Loaded, after: Match, row: CommitRow, digest: str, attached: CommitExtras
) -> Commit:
    head, m, secret = loaded.head, loaded.state, loaded.dealer.seal_secret
    commit = make_match_commit(m, after, (row, digest), secret, context.lease_ms, head.created_ms)
    # Turns that others have taken meanwhile are of a later version, and this commit is refused then.
    keep_waiting_since(commit, lambda: tables.inbox_rows.read_turns(context.store, head.match_no))
    commit.idempotency, commit.vacation = attached.idempotency, attached.vacation
    if attached.ordered is not None:
        # Its worker goes no further: pending work is written again, and what it had claimed is given up with it.
        commit.ordered = attached.ordered
        commit.projected.due = due_rows(None, after, head.created_ms, Time(row.at_ms), context.lease_ms, secret)
    if after.epoch > m.epoch:
        commit.new_root = loaded.dealer.roots[after.epoch - 1].hex()
    return commit


def _advanced(context: Context, loaded: Loaded, after: Match, row: CommitRow, digest: str) -> Loaded:
    m, dealer = loaded.state, loaded.dealer
    head = replace(loaded.head, version=row.first + row.n - 1, head=bytes.fromhex(digest))
    dealer = dealer if after.epoch == m.epoch else add_spare_root(dealer, m, context.draw)
    return Loaded(head, after, dealer, seen=loaded.seen)


def _done(context: Context, written: Loaded, row: CommitRow, seat: Seat) -> MoveAnswer:
    """Answer who has moved."""
    head, after, hand_key = written.head, written.state, written.dealer.hand_key
    is_named = after.game.words.text_at is not None
    known = seen_by(context, written, reader_of(seat), (), creator=False).match if is_named else None
    events = log.serve_match_events(
        [row], reader_of(seat), row.first - 1, hand_key, after, log.FeedContext(known=lambda _: known)
    )
    return MoveAnswer(head.version, head.head.hex(), life.to_act(after), tuple(events))


# --- Time -------------------------------------------------------------------------------------------------


class DueIntent(NamedTuple):
    """This is the intent that falls due by time, and what is written with it."""

    intent: Intent
    attached: CommitExtras = NOTHING


def _fallen_due(context: Context, loaded: Loaded) -> DueIntent | None:
    """Return what falls due first in a match; None if nothing does by now."""
    m, now = loaded.state, context.now()
    if m.created.deal_group is not None:
        if (command := groups.due_table_command(context, loaded, m.created.deal_group.id)) is not None:
            return DueIntent(Intent("group", 0, command))
    elif m.status == "lobby" and loaded.head.created_ms + LOBBY_MS <= now:
        return DueIntent(Intent("time", 0, Expire()))
    if m.stage_until is not None and m.stage_until <= now and not m.over:
        return _stage_over(context, m, m.stage_until, now)
    late = life.overdue_seats(m, now)
    return _late(context, m, late[0], now) if late else None


def _stage_over(context: Context, m: Match, until: Time, now: Time) -> DueIntent | None:
    """Await nonces for longer, or no more; None if it is too early to tell which."""
    if not absence_credit.is_outage_known(context.store, until, now):
        return None
    more = absence_credit.extend_nonce_time(context.store, m, now)
    return DueIntent(Intent("time", 0, more or CloseNonces()))


def _late(context: Context, m: Match, seat: Seat, now: Time) -> DueIntent | None:
    """Move the deadline of a seat whose time is over, or let it run out; None if it is too early to tell which."""
    if not absence_credit.is_outage_known(context.store, life.settling_time(m, m.asked[seat] or now), now):
        return None
    credit, taken = absence_credit.credit_at_deadline(context.store, m, seat, now)
    if credit is not None:
        return DueIntent(Intent("time", seat, credit), CommitExtras(vacation=taken))
    return DueIntent(Intent("time", seat, TimeOut()))


def settle_due(context: Context, match_id: str) -> int:
    """Settle what has fallen due by time: a lobby, the wait for nonces, decisions. Says how many.

    A match whose game is not installed is left as it is.
    """
    settled = 0
    if (loaded := context.load(match_id)) is None or loaded.state.game.name not in GAMES:
        return 0
    groups.advance_group(context, match_id)
    for _ in range(TRIES):
        loaded = context.load(match_id)
        falls = _fallen_due(context, loaded) if loaded else None
        if loaded is None or falls is None:
            break
        settled += carry_out_intent(context, loaded, falls.intent, falls.attached) is not None
    return settled


# --- Bots -------------------------------------------------------------------------------------------------


def view_for_bot(context: Context, match_id: str) -> Seen | None:
    """See the match as the first bot that is to move in it; None if none is."""
    loaded = context.load(match_id)
    bots = life.bots_to_act(loaded.state) if loaded else ()
    return seen_by(context, loaded, reader_of(bots[0]), (bots[0],), creator=False) if loaded and bots else None


def bot_seed(context: Context, seen: Seen) -> bytes:
    """Return the seed of a bot's next move: a task that is delivered twice chooses the same."""
    loaded = context.cache.get(seen.match_id) or context.loaded(seen.match_id)
    return loaded.dealer.bot_seed(seen.version)


def make_bot_move(context: Context, seen: Seen, move: Any) -> bool:
    """Make a bot's move, chosen at the version that `seen` shows; False if the match has gone on since."""
    loaded = context.cache.get(seen.match_id)  # the append says whether the match has gone on elsewhere
    if loaded is None or loaded.head.version != seen.version:
        loaded = context.load(seen.match_id)
    if loaded is None or loaded.head.version != seen.version or seen.seat not in life.bots_to_act(loaded.state):
        return False
    return carry_out_intent(context, loaded, Intent("bot", seen.seat, move)) is not None


def release_bots(context: Context, seen: Seen) -> None:
    """Leave the bots of a match, for which this worker was to move on, to the next worker."""
    now = context.now()
    context.store.write(lambda connection: tables.pending_rows.rest(connection, seen.match_no, BOT, now))
    context.woken()


# --- Once more --------------------------------------------------------------------------------------------


def repeat_move_answer(context: Context, match_id: str, caller: Caller, remembered: Remembered) -> MoveAnswer:
    """Rebuild the answer to a move from the log, as it was given to this caller."""
    assert remembered.first is not None
    assert remembered.n is not None
    loaded = open_match(context, match_id, caller)
    check_installed(loaded.state.game)
    last = remembered.first + remembered.n - 1
    rows = tables.stream_rows.rows(context.store, loaded.head.match_no, remembered.first - 1, 1)
    seat = log.seat_of_move(rows[0], loaded.state.game.name)
    mine = seats_of(loaded.state, caller)
    reader = reader_of(seat if seat in mine else mine[0] if mine else None)
    then = view_at_version(context, seen_by(context, loaded, reader, mine, creator=False), last)
    key, open_then = loaded.dealer.hand_key, then.match.disclosed
    footing = log.FeedContext(open_then, lambda _: then.match)
    events = log.serve_match_events(rows, reader, remembered.first - 1, key, loaded.state, footing)
    return MoveAnswer(last, then.head, life.to_act(then.match), tuple(events))
