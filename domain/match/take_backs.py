"""Takebacks: a seat requests a takeback, and all other players must allow it."""

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
    """The seat's remaining milliseconds at the move; null if it had no deadline."""


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
    """The table is as before the seat's last move. The log keeps all events."""

    seat: Seat
    deadlines: tuple[Time | None, ...]
    """The deadlines of the seats' open decisions, from here on."""


@value
class RequestTakeBack:
    """Request a takeback of your last move."""


@value
class GrantTakeBack:
    """Allow the takeback."""


@value
class RefuseTakeBack:
    """Decline the takeback."""


def asked_to_grant(m: Match) -> tuple[Seat, ...]:
    """Return the people who have not yet answered the takeback request."""
    if m.take_back is None:
        return ()
    return tuple(s for s in humans(m) if s != m.take_back and s not in m.granted)


def keep_undo(m: Match, seat: Seat, events: tuple[Any, ...], now: Time) -> tuple[Any, ...]:
    """Record that a person's move can be taken back, and the time that was left for it."""
    if not m.common.take_backs or m.by_bot[seat] or m.game.answers.takes_back.isdisjoint(map(type, events)):
        return ()
    until = m.asked[seat]
    return (UndoKept(seat, None if until is None else ms_between(running_clock(m), now, until)),)


def can_request_take_back(m: Match, seat: Seat) -> bool:
    """Return whether the seat made the last move in time, it can be taken back, and no request is open."""
    return m.undo is not None and m.undo.seat == seat and m.take_back is None and not m.defaults[seat]


def evolve_take_backs(m: Match, event: Any) -> None:
    """Assign to the match the takeback move, the request, and the answers."""
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
    """Add the end of a possible takeback to events that end it, or that are a final move."""
    if not m.common.take_backs:
        return events
    kinds = {type(event) for event in events}
    is_new = not m.game.answers.takes_back.isdisjoint(kinds)
    ends = is_new or (m.undo is not None and not kinds.isdisjoint(ending))
    return (*events, UndoLost()) if ends and UndoKept not in kinds else events


@cache
def acts_losing_undo(game: AnyGame) -> frozenset[type]:
    """Return the events that make an earlier move final: any action in the game, even off turn, or its end."""
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
        UndoKept: "Seat {seat} can take back its move.",
        UndoLost: "The last move can no longer be taken back.",
        TakeBackRequested: "Seat {seat} requests a takeback.",
        TakeBackGranted: "Seat {seat} allows the takeback.",
        TakeBackRefused: "Seat {seat} declines the takeback.",
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
