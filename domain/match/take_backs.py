"""Take-backs: a seat asks to take its last move back, and all others who play must grant it."""

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.clock import Time, ms_between
from domain.core.game import AnyGame
from domain.core.values import put_at, value
from domain.core.visibility import secret_fields
from domain.match.bot_seats import SeatHandedToBot
from domain.match.match_part import MatchPart, from_seat
from domain.match.match_shuffles import SeedRevealed
from domain.match.resignations import SeatResigned
from domain.match.state import Match, humans
from domain.match.status import running_clock


@value
class UndoKept:
    """The seat's move can be taken back; `left` are the milliseconds it had left for it, None without a deadline."""

    seat: Seat
    left: int | None
    """The milliseconds that the seat had left for the move; null if it had no deadline."""


@value
class UndoLost:
    """The last move can no longer be taken back: something hidden was shown, or another seat has answered."""


@value
class TakeBackRequested:
    seat: Seat


@value
class TakeBackGranted:
    seat: Seat


@value
class TakeBackRefused:
    seat: Seat


@value
class MoveTakenBack:
    """The table is again as it was before the seat's last move. What has happened stays in the log."""

    seat: Seat
    deadlines: tuple[Time | None, ...]
    """The deadlines of the seats' open decisions, from here on."""


@value
class RequestTakeBack:
    """Ask to take one's last move back."""


@value
class GrantTakeBack:
    """Let the requested move be taken back."""


@value
class RefuseTakeBack:
    """Let the move stand."""


def asked_to_grant(m: Match) -> tuple[Seat, ...]:
    """Return the people who have yet to say whether a move may be taken back."""
    if m.take_back is None:
        return ()
    return tuple(s for s in humans(m) if s != m.take_back and s not in m.granted)


def keep_undo(m: Match, seat: Seat, events: tuple[Any, ...], now: Time) -> tuple[Any, ...]:
    """Note that a person's move can be taken back, and what it leaves of the time for it."""
    if not m.common.take_backs or m.by_bot[seat] or m.game.answers.takes_back.isdisjoint(map(type, events)):
        return ()
    until = m.asked[seat]
    return (UndoKept(seat, None if until is None else ms_between(running_clock(m), now, until)),)


def can_request_take_back(m: Match, seat: Seat) -> bool:
    """Say whether the seat made the last move in time, it can be taken back, and nobody has asked for that yet."""
    return m.undo is not None and m.undo.seat == seat and m.take_back is None and not m.defaults[seat]


def evolve_take_backs(m: Match, event: Any) -> None:
    """Assign to the match which move can be taken back, who asks for it, and who has granted it."""
    match event:
        case TakeBackRequested():
            m.take_back, m.granted = event.seat, ()
        case TakeBackGranted():
            m.granted += (event.seat,)
        case TakeBackRefused():
            m.take_back = m.undo = None
        case MoveTakenBack():
            assert m.undo is not None
            m.table, m.banks = m.undo.table.copy(), put_at(m.banks, event.seat, m.undo.bank)
            m.asked, m.undo, m.take_back = event.deadlines, None, None
        case UndoKept():
            assert m.undo is not None
            m.undo = replace(m.undo, left=event.left)
        case UndoLost():
            m.undo = m.take_back = None


def add_undo_lost(m: Match, events: tuple[Any, ...], ending: Collection[type]) -> tuple[Any, ...]:
    """Add to events that no move can be taken back any longer, where they end that or are a move that cannot be."""
    if not m.common.take_backs:
        return events
    kinds = {type(event) for event in events}
    is_new = not m.game.answers.takes_back.isdisjoint(kinds)
    ends = is_new or (m.undo is not None and not kinds.isdisjoint(ending))
    return (*events, UndoLost()) if ends and UndoKept not in kinds else events


@cache
def acts_losing_undo(game: AnyGame) -> frozenset[type]:
    """Return the events that make an earlier move final: any act in the game, also off turn, or what ends one."""
    return consequences_losing_undo(game) | frozenset(game.events)


@cache
def consequences_losing_undo(game: AnyGame) -> frozenset[type]:
    """Return the consequences that make a move final: they show hidden cards, answer a decision or end a hand."""
    shows = {kind for kind in game.events if secret_fields(kind)}
    ends = {
        game.lifecycle.game_ends,
        *game.lifecycle.hand_ends,
        SeatResigned,
        SeatHandedToBot,
        SeedRevealed,
    }
    return frozenset(shows | ends | game.answers.by.keys())


TAKE_BACKS: Final = MatchPart(
    texts={
        UndoKept: "The move of seat {seat} can be taken back.",
        UndoLost: "The last move can no longer be taken back.",
        TakeBackRequested: "Seat {seat} asks to take the last move back.",
        TakeBackGranted: "Seat {seat} lets the move be taken back.",
        TakeBackRefused: "Seat {seat} lets the move stand.",
        MoveTakenBack: "The last move of seat {seat} is taken back.",
    },
    evolve=evolve_take_backs,
    decide={
        RequestTakeBack: lambda m, seat, c, now: (TakeBackRequested(seat),),
        GrantTakeBack: lambda m, seat, c, now: (TakeBackGranted(seat),),
        RefuseTakeBack: lambda m, seat, c, now: (TakeBackRefused(seat),),
    },
    seat_commands={
        "request_take_back": RequestTakeBack,
        "grant_take_back": GrantTakeBack,
        "refuse_take_back": RefuseTakeBack,
    },
    is_open={
        RequestTakeBack: can_request_take_back,
        GrantTakeBack: lambda m, seat: seat in asked_to_grant(m),
        RefuseTakeBack: lambda m, seat: seat in asked_to_grant(m),
    },
    zoned={UndoKept: "left"},
    read_command={
        TakeBackRequested: from_seat(RequestTakeBack()),
        TakeBackGranted: from_seat(GrantTakeBack()),
        TakeBackRefused: from_seat(RefuseTakeBack()),
    },
)
