"""This module carries out commands to a match: moves, bots' moves, and what falls due by time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.game import Refused
from domain.core.visibility import reader_of
from domain.games.catalogue import GAMES
from domain.match import Intent, Match
from events.errors import Busy
from events.log import commits as log
from events.log.cache import Loaded
from events.service import absence
from events.service import group_tables as groups
from events.service.access import Caller, acting, check_installed, check_version, seats_of
from events.service.context import Context
from events.service.fallen_due import fallen_due
from events.service.projections import due as outbox
from events.service.views import Opened, Seen, at, seen_by
from events.service.write import NOTHING, Attached, Done, carry_out, write
from events.store import tables
from events.store.records import Idempotency, Remembered

TRIES: Final = 50
"""The most times that a move which lost a race is tried again on the new state."""


@dataclass(slots=True, frozen=True)
class Asked:
    """This is what a caller asks of a match.

    `intent(loaded)` gives the intent on this state, and raises errors that the rules do not know. `if_match` is the
    version that the caller knows, if it must still be the last.
    """

    caller: Caller
    intent: Callable[[Loaded], Intent]
    if_match: int | None = None
    attached: Attached = NOTHING


def move(
    context: Context, match_id: str, caller: Caller, seat: Seat | None, move: Any,
    if_match: int | None = None, idempotency: Idempotency | None = None, opened: Opened | None = None,
) -> Done:  # fmt: skip
    """Make a move of the game, or a command of the match. `seat` None: the caller's only seat.

    `opened` is the match if it has just been opened. Raises `Refused`, `Conflict`, `Repeated`, `NotFound`.
    """

    def intent(loaded: Loaded) -> Intent:
        return Intent("seat", acting(loaded.match, caller, seat), move)

    asked = Asked(caller, intent, if_match, Attached(idempotency=idempotency))
    return command(context, match_id, asked, opened.loaded if opened else None)


def done_before(context: Context, match_id: str, caller: Caller, remembered: Remembered) -> Done:
    """Rebuild the answer to a move from the log, as it was given to this caller."""
    assert remembered.first is not None
    assert remembered.n is not None
    loaded = context.open(match_id, caller)
    check_installed(loaded.match.game)
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
    return seen_by(context, loaded, reader_of(bots[0]), (bots[0],), creator=False) if loaded and bots else None


def bot_move(context: Context, seen: Seen, move: Any) -> bool:
    """Make a bot's move, chosen at the version that `seen` shows; False if the match has gone on since."""
    loaded = context.cache.get(seen.match_id)  # the append says whether the match has gone on elsewhere
    if loaded is None or loaded.head.version != seen.version:
        loaded = context.load(seen.match_id)
    if loaded is None or loaded.head.version != seen.version or seen.seat not in life.bots_to_act(loaded.match):
        return False
    return carry_out(context, loaded, Intent("bot", seen.seat, move)) is not None


def hand_back(context: Context, seen: Seen) -> None:
    """Leave the bots of a match, for which this worker was to move on, to the next worker."""
    tables.pending.release(context.store, seen.match_no, outbox.BOT)
    context.woken()


# --- Time -------------------------------------------------------------------------------------------------


def settle(context: Context, match_id: str) -> int:
    """Settle what has fallen due by time: a lobby, the wait for nonces, decisions. Says how many.

    A match whose game is not installed is left as it is.
    """
    settled = 0
    if (loaded := context.load(match_id)) is None or loaded.match.game.name not in GAMES:
        return 0
    groups.bring_on(context, match_id)
    while (loaded := context.load(match_id)) and (falls := fallen_due(context, loaded)):
        settled += carry_out(context, loaded, falls.intent, falls.attached) is not None
    return settled


# --- Any command ------------------------------------------------------------------------------------------


def command(context: Context, match_id: str, asked: Asked, first: Loaded | None = None) -> Done:
    """Put a command to the match until it is carried out, refused, or nothing remains to do.

    What has fallen due by time is settled first: a player who is too late finds that the clock has moved for them.
    `first` is the match if it has just been loaded.
    """
    for attempt in range(TRIES):
        loaded = first if first is not None and attempt == 0 else context.open(match_id, asked.caller)
        m = loaded.match
        check_installed(m.game)
        if falls := fallen_due(context, loaded):
            carry_out(context, loaded, falls.intent, falls.attached)
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
        done = write(context, loaded, admitted, asked.attached)
        if done is not None:
            return done
    raise Busy


def _credit(context: Context, m: Match, intent: Intent) -> Intent | None:
    """Give back the time of an absence before a decision is taken; None if there is none."""
    if type(intent.command) in life.LOBBY:
        return None
    credit = absence.before_a_move(context.store, m, intent.seat, context.now())
    return None if credit is None else Intent("time", intent.seat, credit)
