"""Carries out commands to a match: moves, bots' moves, and due work.

All take the same path: a command is admitted, decided, written with its projections, and answered.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import Refused
from domain.core.values import value
from domain.core.visibility import reader_of
from domain.games.catalogue import GAMES
from domain.match import Admitted, Intent, Match
from domain.match.clocks import TimeOut
from domain.match.match_results import Expire
from domain.match.match_shuffles import CloseNonces
from domain.match.move_texts import in_text
from events.errors import Busy, NotSigned
from events.log import commits as log
from events.log.cache import Loaded
from events.log.streams import Decision
from events.proof.player_keys import is_signed, move_message
from events.service import absence_credit, access
from events.service import group_tables as groups
from events.service.context import Context
from events.service.match_kind import MATCH_KIND
from events.service.projections import BOT, LOBBY_MS
from events.service.stream_writer import append_decisions, execute
from events.service.views import Seen, seen_by, view_at_version
from events.store.records import CommitRow, Idempotency, Ordered, Remembered, VacationTaken
from events.store.tables import pending_rows, stream_rows


@value
class MoveAnswer:
    """A move that was made: the state after it as its maker knows it, and its events in their feed."""

    version: int
    head: str
    to_act: tuple[Seat, ...]
    events: tuple[bytes, ...]


@value
class CommandRequest:
    """A caller's command to a match.

    `intent(loaded)` returns the intent on this state, and raises errors outside the rules. `if_match` is the required
    version, if any.
    """

    caller: access.Caller
    intent: Callable[[Loaded], Intent]
    if_match: int | None = None
    idempotency: Idempotency | None = None
    ordered: Ordered | None = None


@value
class MoveRequest:
    """A move that was sent: a move of the game, or a command of the match. `seat` is None for the player's only seat.

    `if_match` is the version that the caller knows, if it must still be the last; `signature` is that of the player
    whose seat has a key.
    """

    seat: Seat | None
    move: Any
    if_match: int | None = None
    idempotency: Idempotency | None = None
    signature: str | None = None


def make_move(
    context: Context,
    match_id: str,
    caller: access.Caller,
    request: MoveRequest,
    opened: access.OpenedMatch | None = None,
) -> MoveAnswer:
    """Make a move that was sent. `opened` is the match if it has just been opened.

    Raises `Refused`, `NotSigned`, `Conflict`, `Repeated`, `NotFound`.
    """

    def intent(loaded: Loaded) -> Intent:
        return Intent("seat", access.acting_seat(loaded.state, caller, request.seat), request.move, request.signature)

    asked = CommandRequest(caller, intent, request.if_match, request.idempotency)
    return execute_command(context, match_id, asked, opened.loaded if opened else None)


def execute_command(context: Context, match_id: str, asked: CommandRequest, first: Loaded | None = None) -> MoveAnswer:
    """Retry a command on the match until it is carried out, refused, or has nothing to do.

    Due work is settled first: the clock has moved for a player who is too late. `first` is the match if it was just
    loaded.
    """
    seat, happens = 0, False

    def decide(loaded: Loaded, if_match: int | None = asked.if_match) -> Decision[Match]:
        nonlocal seat, happens
        if loaded is not first:
            access.check_readable(context.store, loaded, asked.caller)
        m = loaded.state
        access.check_installed(m.game)
        if falls := _fallen_due(context, loaded):
            return replace(decide_due(context, loaded, falls), then=decide)
        if m.over:
            raise Refused("match_over")
        intent = asked.intent(loaded)
        access.check_version(loaded, if_match)
        _check_signature(loaded, intent)
        admitted = life.admit(m, intent, context.now())
        if credit := _credit(context, m, intent):
            credited = decide_intent(context, loaded, credit)
            known = None if if_match is None else loaded.head.version + len(credited.happened)
            return replace(credited, then=partial(decide, if_match=known))
        decision = _play(context, loaded, admitted, asked.ordered)
        seat, happens = admitted.seat, bool(decision.happened)
        return decision

    after = execute(context, MATCH_KIND, match_id, decide, asked.idempotency, first=first)
    return _answer(context, after, seat, after.rows[-1:] if happens else ())


def _check_signature(loaded: Loaded, intent: Intent) -> None:
    """Raise `NotSigned` unless the player of a seat with a key has signed this, for the current state of the match."""
    head, m, signature = loaded.head, loaded.state, intent.signature
    if not life.signs(m, intent):
        return
    move = in_text(m.game, intent.command)
    text = move_message(head.match_id, intent.seat, head.version, head.head.hex(), move)
    if signature is None or not is_signed(m.keys[intent.seat] or "", signature, text):
        raise NotSigned(text.decode(), head.version, given=signature is not None)


def _credit(context: Context, m: Match, intent: Intent) -> Intent | None:
    """Return the intent that credits the time of an absence before a decision; None if there is none."""
    if type(intent.command) in life.LOBBY:
        return None
    credit = absence_credit.credit_before_move(context.store, m, intent.seat, context.now())
    return None if credit is None else Intent("time", intent.seat, credit)


# --- Playing and writing ----------------------------------------------------------------------------------


def carry_out_intent(context: Context, loaded: Loaded, intent: Intent) -> bool:
    """Carry out an intent on this state, if it is admitted; False if another commit came first. Raises `Refused`."""
    return append_decisions(context, MATCH_KIND, [decide_intent(context, loaded, intent)]) is not None


def carry_out_all(context: Context, match_id: str, next_due: Callable[[Loaded], "DueIntent | None"]) -> int:
    """Carry out one intent after the other until none is due, and return how many were. Raises `Refused`.

    It stops early if other writers are always faster.
    """
    done = 0

    def decide(loaded: Loaded, so_far: int = 0) -> Decision[Match]:
        nonlocal done
        done, falls = so_far, next_due(loaded)
        if falls is None:
            return Decision(loaded, context.now(), (), loaded.state)
        return replace(decide_due(context, loaded, falls), then=partial(decide, so_far=so_far + 1))

    if (first := context.load(match_id)) is not None:
        with suppress(Busy):
            execute(context, MATCH_KIND, match_id, decide, first=first)
    return done


def decide_intent(context: Context, loaded: Loaded, intent: Intent) -> Decision[Match]:
    """Decide the events of an intent on this state. Raises `Refused` if it is not admitted."""
    return _play(context, loaded, life.admit(loaded.state, intent, context.now()))


def decide_due(context: Context, loaded: Loaded, due: "DueIntent") -> Decision[Match]:
    """Decide the events of a due intent on this state. Raises `Refused` if it is not admitted."""
    return replace(decide_intent(context, loaded, due.intent), vacation=due.vacation)


def _play(context: Context, loaded: Loaded, admitted: Admitted, ordered: Ordered | None = None) -> Decision[Match]:
    context.note_work()
    now = context.now()
    after, happened = life.carry_out(loaded.state, admitted, loaded.dealer, now)
    return Decision(loaded, now, happened, after, ordered)


def _answer(context: Context, after: Loaded, seat: Seat, written: Sequence[CommitRow]) -> MoveAnswer:
    """Return the answer to the player who moved, with the written events."""
    head, m, hand_key = after.head, after.state, after.dealer.hand_key
    is_named = bool(written) and m.game.words.text_at is not None
    known = seen_by(context, after, reader_of(seat), (), creator=False).match if is_named else None
    footing = log.FeedContext(known=lambda _: known)
    events = log.serve_match_events(written, reader_of(seat), 0, hand_key, m, footing)
    return MoveAnswer(head.version, head.head.hex(), life.to_act(m), tuple(events))


# --- Time -------------------------------------------------------------------------------------------------


class DueIntent(NamedTuple):
    """The intent that falls due by time, and the vacation that it takes."""

    intent: Intent
    vacation: VacationTaken | None = None


def _fallen_due(context: Context, loaded: Loaded) -> DueIntent | None:
    """Return the first due intent of a match; None if nothing is due yet."""
    m, now = loaded.state, context.now()
    if m.created.deal_group is not None:
        if (command := groups.due_table_command(context, loaded, m.created.deal_group.id)) is not None:
            return DueIntent(Intent("group", 0, command))
    elif m.status == "lobby" and loaded.head.created_ms + LOBBY_MS <= now:
        return DueIntent(Intent("time", 0, Expire()))
    if m.shuffles.stage_until is not None and m.shuffles.stage_until <= now and not m.over:
        return _stage_over(context, m, m.shuffles.stage_until, now)
    late = life.overdue_seats(m, now)
    return _late(context, m, late[0], now) if late else None


def _stage_over(context: Context, m: Match, until: Time, now: Time) -> DueIntent | None:
    """Extend the wait for nonces, or end it; None if it is too early to decide."""
    if not absence_credit.is_outage_known(context.store, until, now):
        return None
    more = absence_credit.extend_nonce_time(context.store, m, now)
    return DueIntent(Intent("time", 0, more or CloseNonces()))


def _late(context: Context, m: Match, seat: Seat, now: Time) -> DueIntent | None:
    """Move the expired deadline of a seat, or let it run out; None if it is too early to decide."""
    if not absence_credit.is_outage_known(context.store, life.settling_time(m, m.clocks.asked[seat] or now), now):
        return None
    credit, taken = absence_credit.credit_at_deadline(context.store, m, seat, now)
    if credit is not None:
        return DueIntent(Intent("time", seat, credit), taken)
    return DueIntent(Intent("time", seat, TimeOut()))


def settle_due(context: Context, match_id: str) -> int:
    """Settle due work: a lobby, the wait for nonces, decisions. Return how many.

    Skips a match whose game is not installed.
    """
    if (loaded := context.load(match_id)) is None or loaded.state.game.name not in GAMES:
        return 0
    groups.advance_group(context, match_id)
    return carry_out_all(context, match_id, lambda loaded: _fallen_due(context, loaded))


# --- Bots -------------------------------------------------------------------------------------------------


def view_for_bot(context: Context, match_id: str) -> Seen | None:
    """Return the match as the first bot to move sees it; None if no bot is to move."""
    loaded = context.load(match_id)
    bots = life.bots_to_act(loaded.state) if loaded else ()
    return seen_by(context, loaded, reader_of(bots[0]), (bots[0],), creator=False) if loaded and bots else None


def bot_seed(context: Context, seen: Seen) -> bytes:
    """Return the seed of a bot's next move: a task that is delivered twice chooses the same."""
    loaded = context.cache.get(seen.match_id) or context.loaded(seen.match_id)
    return loaded.dealer.bot_seed(seen.version)


def make_bot_move(context: Context, seen: Seen, move: Any) -> bool:
    """Make a bot's move, chosen at the version that `seen` shows; False if the match has changed since."""
    loaded = context.cache.get(seen.match_id)  # The append reports whether another writer has changed the match.
    if loaded is None or loaded.head.version != seen.version:
        loaded = context.load(seen.match_id)
    if loaded is None or loaded.head.version != seen.version or seen.seat not in life.bots_to_act(loaded.state):
        return False
    return carry_out_intent(context, loaded, Intent("bot", seen.seat, move))


def release_bots(context: Context, seen: Seen) -> None:
    """Leave the bots of a match that this worker was to play to the next worker."""
    now = context.now()
    context.store.write(lambda connection: pending_rows.postpone(connection, seen.match_no, BOT, now))
    context.woken()


# --- Repeated requests -------------------------------------------------------------------------------------


def repeat_move_answer(context: Context, match_id: str, caller: access.Caller, remembered: Remembered) -> MoveAnswer:
    """Rebuild the answer to a move from the log, as it was given to this caller."""
    assert remembered.first is not None
    assert remembered.n is not None
    loaded = access.open_match(context, match_id, caller)
    access.check_installed(loaded.state.game)
    last = remembered.first + max(remembered.n - 1, 0)
    rows = stream_rows.rows(context.store, loaded.head.match_no, remembered.first - 1, 1) if remembered.n else []
    seat = log.seat_of_move(rows[0], loaded.state.game.name) if rows else None
    mine = access.seats_of(loaded.state, caller)
    reader = reader_of(seat if seat in mine else mine[0] if mine else None)
    then = view_at_version(context, seen_by(context, loaded, reader, mine, creator=False), last)
    key, open_then = loaded.dealer.hand_key, then.match.shuffles.disclosed
    footing = log.FeedContext(open_then, lambda _: then.match)
    events = log.serve_match_events(rows, reader, remembered.first - 1, key, loaded.state, footing)
    return MoveAnswer(last, then.head, life.to_act(then.match), tuple(events))
