"""Takebacks: a seat requests a takeback, and all other players must allow it."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cache
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.clock import Time, ms_between
from domain.core.game import AnyGame
from domain.core.values import value
from domain.core.visibility import secret_fields
from domain.match.clocks import reopen_decision
from domain.match.match_part import MatchPart, from_seat
from domain.match.state import ClockState, Match, Undo, humans
from domain.match.status import running_clock


@value
class UndoKept:
    """The seat's move can be taken back; `left` are the milliseconds it had left for it, None without a deadline."""

    seat: Seat
    left: int | None
    """The seat's remaining milliseconds at the move; null if it had no deadline."""


@value
class UndoLost:
    """The last move can no longer be taken back: a hidden card was shown, or another seat has moved."""


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
    """The seat's last move was taken back. The log keeps all events."""

    seat: Seat
    deadlines: tuple[Time | None, ...]
    """The deadlines of the decisions of other seats that stay open; null for a seat without one."""


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
    take_backs = m.take_backs
    if take_backs.asked_by is None:
        return ()
    return tuple(s for s in humans(m) if s != take_backs.asked_by and s not in take_backs.granted)


def keep_undo(m: Match, seat: Seat, events: tuple[Any, ...], now: Time) -> tuple[Any, ...]:
    """Record that a person's move can be taken back, and the time that was left for it."""
    if not m.common.take_backs or m.by_bot[seat] or m.game.answers.takes_back.isdisjoint(map(type, events)):
        return ()
    until = m.clocks.asked[seat]
    return (UndoKept(seat, None if until is None else ms_between(running_clock(m), now, until)),)


def can_request_take_back(m: Match, seat: Seat) -> bool:
    """Return whether the seat may request a takeback: its last move can be taken back, and no request is open."""
    return m.undo is not None and m.undo.seat == seat and m.take_backs.asked_by is None and not m.clocks.defaults[seat]


def evolve_take_backs(m: Match, event: Any) -> None:
    """Assign to the match the takeback move, the request, and the answers."""
    take_backs = m.take_backs
    match event:
        case TakeBackRequested():
            take_backs.asked_by, take_backs.granted = event.seat, ()
        case TakeBackGranted():
            take_backs.granted += (event.seat,)
        case TakeBackRefused():
            take_backs.asked_by = m.undo = None
        case MoveTakenBack():
            assert m.undo is not None
            m.table, m.clocks = m.undo.table.copy(), _clocks_before(m.undo, m.clocks, event.deadlines)
            m.undo = take_backs.asked_by = None
        case UndoKept():
            assert m.undo is not None
            m.undo = replace(m.undo, left=event.left)
        case UndoLost():
            m.undo = take_backs.asked_by = None


def _clocks_before(undo: Undo, now: ClockState, deadlines: tuple[Time | None, ...]) -> ClockState:
    """Return the clocks before the move, except for missed decisions and the time added to open decisions."""
    was = undo.clocks.copy()
    was.asked, was.credited, was.defaults, was.moved = deadlines, now.credited, now.defaults, now.moved
    return was


def add_undo_lost(m: Match, events: tuple[Any, ...], ending: Collection[type]) -> tuple[Any, ...]:
    """Add the end of a possible takeback to events that end it, or that are a final move."""
    if not m.common.take_backs:
        return events
    kinds = {type(event) for event in events}
    is_new = not m.game.answers.takes_back.isdisjoint(kinds)
    ends = is_new or (m.undo is not None and not kinds.isdisjoint(ending))
    return (*events, UndoLost()) if ends and UndoKept not in kinds else events


@cache
def acts_losing_undo(game: AnyGame, of_the_match: frozenset[type]) -> frozenset[type]:
    """Return the events that make an earlier move final: any action in the game, even out of turn, or its end."""
    return consequences_losing_undo(game, of_the_match) | frozenset(game.events)


@cache
def consequences_losing_undo(game: AnyGame, of_the_match: frozenset[type]) -> frozenset[type]:
    """Return the consequences that make a move final: they show hidden cards, answer a decision or end a hand."""
    shows = {kind for kind in game.events if secret_fields(kind)}
    ends = {game.lifecycle.game_ends, *game.lifecycle.hand_ends}
    return frozenset(shows | ends | of_the_match | game.answers.by.keys())


def take_back_move(m: Match, seat: Seat, now: Time) -> Iterable[Any]:
    """Return the events by which the decision opens again, with the time that was left for it (rules 1.13.3)."""
    assert m.undo is not None
    stays = [s != seat and until is not None for s, until in enumerate(m.undo.clocks.asked)]
    deadlines = tuple(until if keep else None for until, keep in zip(m.clocks.asked, stays, strict=True))
    taken = MoveTakenBack(seat, deadlines)
    yield taken
    if m.undo.left is not None:
        after = m.copy()
        evolve_take_backs(after, taken)
        yield reopen_decision(after, seat, m.undo.left, now)


TAKE_BACKS: Final = MatchPart(
    texts={
        UndoKept: "Seat {seat} could take back its move.",
        UndoLost: "The last move could no longer be taken back.",
        TakeBackRequested: "Seat {seat} requested a takeback.",
        TakeBackGranted: "Seat {seat} allowed the takeback.",
        TakeBackRefused: "Seat {seat} declined the takeback.",
        MoveTakenBack: "The last move of seat {seat} was taken back.",
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
    outside_play=frozenset({UndoKept, UndoLost}),
    zoned={UndoKept: "left"},
    read_command={
        TakeBackRequested: from_seat(RequestTakeBack()),
        TakeBackGranted: from_seat(GrantTakeBack()),
        TakeBackRefused: from_seat(RefuseTakeBack()),
    },
)
