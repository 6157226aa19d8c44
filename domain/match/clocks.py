"""Clocks: decisions have deadlines and draw on time banks, and the clock settles those that expire.

A deadline moves when a seat could not use its time. Between hands the decision is to continue (`pause_between_hands`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from domain.core import text as words
from domain.core.cards import Seat
from domain.core.clock import Bank, Time, bank_after, deadline, time_after
from domain.core.types import Doc
from domain.core.values import put_at, value
from domain.match.match_part import MatchPart, from_seat
from domain.match.resignations import Resign, SeatHandedToBot, SeatTakenBack, resign
from domain.match.state import Match
from domain.match.status import (
    decision,
    game_time_limit,
    is_minor_decision,
    is_paused,
    overdue_seats,
    running_clock,
    to_act,
)

Decision = Annotated[str, Doc("The seat's decision, in one word.")]


@value
class DecisionRequested:
    seat: Seat
    decision: Decision
    deadline: Time
    """When the decision falls due."""
    opened: Time
    """When its time began."""


@value
class ClockCredited:
    """The deadline of a seat's decision moved: the server was down, or the player was on vacation."""

    seat: Seat
    seconds: int
    """Extension of the deadline, in seconds."""
    why: Literal["outage", "vacation"]
    """The reason: server downtime, or the player's vacation."""
    deadline: Time
    """The new deadline."""


@value
class BankSpent:
    """The time left in a seat's bank, in milliseconds, and the decisions left in a Canadian period."""

    seat: Seat
    left: int
    """The seat's remaining milliseconds."""
    moves: int
    """The decisions left in a Canadian period; 0 with other clocks."""


@value
class DecisionTimedOut:
    seat: Seat
    decision: Decision
    defaults: int
    """Consecutive decisions for which the seat ran out of time."""


@value
class HandContinued:
    seat: Seat


@value
class Credit:
    """Extend a seat's deadline by time that it could not use."""

    seconds: int
    why: Literal["outage", "vacation"]


@value
class TimeOut:
    """Settle the decision of a seat whose time is over."""


@value
class ContinueMatch:
    """Be ready for the next hand."""


def spend_bank(m: Match, seat: Seat, now: Time) -> tuple[Any, ...]:
    """Record the rest of the seat's time bank after its decision, if it has changed.

    The decision is the one that was requested: by now, another seat may have moved the table to another phase.
    """
    clocks = m.clocks
    until = clocks.asked[seat] if m.clock.ticks and not game_time_limit(m) else None
    if until is None:
        return ()
    left = bank_after(m.clock, clocks.banks[seat], until, now, minor=is_minor_decision(m, clocks.decisions[seat]))
    return () if left == clocks.banks[seat] else (BankSpent(seat, left.left, left.moves),)


def answers(m: Match, seat: Seat, events: Iterable[Any]) -> bool:
    """Return whether these events of a move answer the seat's decision: a move out of turn does not (rules 1.8.6)."""
    by = m.game.answers.by
    return any(getattr(event, by[type(event)]) == seat for event in events if type(event) in by)


def credit_time(m: Match, seat: Seat, c: Credit, now: Time) -> tuple[Any, ...]:
    """Return the event that moves the seat's deadline."""
    until = time_after(running_clock(m), m.clocks.asked[seat] or now, 1000 * c.seconds)
    return (ClockCredited(seat, c.seconds, c.why, until),)


def settle_expired(m: Match, seat: Seat, c: TimeOut, now: Time) -> Iterable[Any]:
    """Settle the decision by the game's default, a bot or a resignation."""
    yield DecisionTimedOut(seat, decision(m), m.clocks.defaults[seat] + _counts(m))
    yield from spend_bank(m, seat, Time(max(now, m.clocks.asked[seat] or now)))
    yield from _ON_EXPIRY["default_action" if game_time_limit(m) else m.clock.on_expiry](m, seat, now)


def _counts(m: Match) -> bool:
    """Return whether an expired decision counts as absence; it does not if the game's own limit ran out."""
    return not (m.clock.ticks and game_time_limit(m))


def _default_action(m: Match, seat: Seat, now: Time) -> Iterable[Any]:
    """Decide as the game does by default, and hand an absent seat to a bot."""
    if m.clock.ticks and _counts(m) and m.clocks.defaults[seat] + 1 >= m.clock.max_defaults:
        yield SeatHandedToBot(seat)
    if is_paused(m):
        yield HandContinued(seat)
    else:
        yield from m.game.decide(m.table, seat, m.game.timing.default(m.table, seat))


_ON_EXPIRY: Final[Mapping[str, Callable[[Match, Seat, Time], Iterable[Any]]]] = {
    "default_action": _default_action,
    "bot": lambda m, seat, now: (SeatHandedToBot(seat),),
    "forfeit": lambda m, seat, now: resign(m, seat, Resign(), now),
}


def continue_match(m: Match, seat: Seat, c: ContinueMatch, now: Time) -> tuple[Any, ...]:
    """Return the events by which the seat is ready for the next hand."""
    return (HandContinued(seat), *spend_bank(m, seat, now))


def close_decision(m: Match, seat: Seat) -> None:
    """Close the seat's decision. Its request or its expiry has already recorded the effect on absences."""
    clocks = m.clocks
    defaults, moved = clocks.on_answer[seat]
    clocks.asked = put_at(clocks.asked, seat, None)
    clocks.defaults, clocks.moved = put_at(clocks.defaults, seat, defaults), put_at(clocks.moved, seat, moved)


def evolve_clocks(m: Match, event: Any) -> None:
    """Assign to the match deadlines and time banks, expired decisions, and the seats ready for the next hand."""
    clocks = m.clocks
    match event:
        case DecisionRequested():
            clocks.asked, clocks.timed = put_at(clocks.asked, event.seat, event.deadline), True
            clocks.opened = put_at(clocks.opened, event.seat, event.opened)
            clocks.decisions = put_at(clocks.decisions, event.seat, event.decision)
            clocks.credited = put_at(clocks.credited, event.seat, 0)
            clocks.on_answer = put_at(clocks.on_answer, event.seat, (0, True))
        case ClockCredited():
            clocks.asked = put_at(clocks.asked, event.seat, event.deadline)
            clocks.credited = put_at(clocks.credited, event.seat, clocks.credited[event.seat] + event.seconds)
        case BankSpent():
            clocks.banks = put_at(clocks.banks, event.seat, Bank(event.left, event.moves))
        case DecisionTimedOut():
            clocks.asked = put_at(clocks.asked, event.seat, None)
            clocks.defaults = put_at(clocks.defaults, event.seat, event.defaults)
            clocks.on_answer = put_at(clocks.on_answer, event.seat, (event.defaults, clocks.moved[event.seat]))
        case HandContinued():
            clocks.ready += (event.seat,)
            close_decision(m, event.seat)


def request_decisions(m: Match, now: Time) -> tuple[Any, ...]:
    """Return the events that open the decisions for which a clock now runs."""
    limit = 0 if m.table is None or is_paused(m) else m.game.timing.seconds(m.table)
    if not m.clock.ticks and not limit:
        return ()
    due = [s for s in to_act(m) if not m.by_bot[s] and m.clocks.asked[s] is None]
    return tuple(DecisionRequested(s, decision(m), _decision_deadline(m, s, limit, now), now) for s in due)


def _decision_deadline(m: Match, seat: Seat, limit: int, now: Time) -> Time:
    """Return the deadline of a decision: by the game's own limit in seconds, or by the clock, whichever is first."""
    by_limit = [Time(now + 1000 * limit)] if limit else []
    by_clock = (
        [deadline(m.clock, m.clocks.banks[seat], now, minor=is_minor_decision(m, decision(m)))] if m.clock.ticks else []
    )
    return min(by_limit + by_clock)


def reopen_decision(m: Match, seat: Seat, left: int, now: Time) -> DecisionRequested:
    """Open the seat's decision again, under its name then and with these milliseconds."""
    return DecisionRequested(seat, m.clocks.decisions[seat], time_after(running_clock(m), now, left), now)


def is_no_show(events: Sequence[tuple[str, Any]], seat: Seat) -> bool:
    """Return whether no person ever played in a seat, from the types of events and their seats, in order.

    A bot has it, its player has not taken it back, and every decision of the seat before had expired (tournament 6.3).
    """
    types = [type_ for type_, of in events if of == seat]
    handed = SeatHandedToBot.__name__
    if handed not in types or SeatTakenBack.__name__ in types:
        return False
    before = types[: types.index(handed)]
    return before.count(DecisionRequested.__name__) == before.count(DecisionTimedOut.__name__)


NO_SHOW_EVENTS: Final = (DecisionRequested, DecisionTimedOut, SeatHandedToBot, SeatTakenBack)
"""The events from which a no-show follows."""

CLOCKS: Final = MatchPart(
    texts={
        DecisionRequested: "Seat {seat} had until {deadline} to decide.",
        ClockCredited: "The deadline of seat {seat} moved to {deadline} ({why}).",
        BankSpent: "Seat {seat} used its time bank: {left} left.",
        DecisionTimedOut: "Seat {seat} ran out of time.",
        HandContinued: "Seat {seat} was ready for the next hand.",
    },
    words={"deadline": words.moment, "left": words.duration},
    outside_play=frozenset({DecisionRequested, ClockCredited, BankSpent}),
    evolve=evolve_clocks,
    decide={Credit: credit_time, TimeOut: settle_expired, ContinueMatch: continue_match},
    seat_commands={"continue_match": ContinueMatch},
    is_open={ContinueMatch: lambda m, seat: is_paused(m) and seat in to_act(m)},
    admits={
        "time": {
            Credit: lambda m, seat, c, now: m.clocks.asked[seat] is not None and c.seconds > 0,
            TimeOut: lambda m, seat, c, now: seat in overdue_seats(m, now),
        }
    },
    read_command={
        ClockCredited: lambda m, event: (event.seat, Credit(event.seconds, event.why)),
        DecisionTimedOut: from_seat(TimeOut()),
        HandContinued: from_seat(ContinueMatch()),
    },
    zoned={DecisionRequested: "deadline", ClockCredited: "deadline", BankSpent: "left"},
)
