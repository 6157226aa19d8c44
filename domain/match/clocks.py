"""Clocks: decisions have deadlines, which move when a seat could not use its time, and draw on time banks."""

from typing import Annotated, Any, Final, Literal

from domain.core import text as words
from domain.core.cards import Seat
from domain.core.clock import Bank, Time, bank_after, deadline, time_after
from domain.core.types import Doc
from domain.core.values import put_at, value
from domain.match.match_part import MatchPart
from domain.match.state import Match
from domain.match.status import decision, game_time_limit, is_minor_decision, is_paused, running_clock, to_act

Decision = Annotated[str, Doc("The seat's decision, in one word.")]


@value
class DecisionRequested:
    seat: Seat
    decision: Decision
    deadline: Time
    """When the decision falls due."""
    opened: Time
    """When the time for it began."""


@value
class ClockCredited:
    """The seat's decision falls due later: the server was down, or the player on vacation."""

    seat: Seat
    seconds: int
    """Extension of the deadline, in seconds."""
    why: Literal["outage", "vacation"]
    """Whether the server was down, or the player on vacation."""
    deadline: Time
    """When the decision falls due now."""


@value
class BankSpent:
    """The rest of the seat's time bank: milliseconds, and the decisions left in a Canadian period."""

    seat: Seat
    left: int
    """The seat's remaining milliseconds."""
    moves: int
    """The decisions that a Canadian period still serves; 0 with other clocks."""


@value
class Credit:
    """Extend a seat's deadline by time that it could not use."""

    seconds: int
    why: Literal["outage", "vacation"]


def spend_bank(m: Match, seat: Seat, now: Time) -> tuple[Any, ...]:
    """Record the rest of the seat's time bank after its decision, if it has changed."""
    until = m.asked[seat] if m.clock.ticks and not game_time_limit(m) else None
    if until is None:
        return ()
    left = bank_after(m.clock, m.banks[seat], until, now, minor=is_minor_decision(m))
    return () if left == m.banks[seat] else (BankSpent(seat, left.left, left.moves),)


def credit_time(m: Match, seat: Seat, c: Credit, now: Time) -> tuple[Any, ...]:
    """Move the deadline of the seat."""
    until = time_after(running_clock(m), m.asked[seat] or now, 1000 * c.seconds)
    return (ClockCredited(seat, c.seconds, c.why, until),)


def close_decision(m: Match, seat: Seat) -> None:
    """Close the seat's decision. Its request or its expiry has already recorded the effect on absences."""
    defaults, moved = m.on_answer[seat]
    m.asked = put_at(m.asked, seat, None)
    m.defaults, m.moved = put_at(m.defaults, seat, defaults), put_at(m.moved, seat, moved)


def evolve_clocks(m: Match, event: Any) -> None:
    """Assign deadlines and time banks to the match."""
    match event:
        case DecisionRequested():
            m.asked, m.timed = put_at(m.asked, event.seat, event.deadline), True
            m.opened, m.credited = put_at(m.opened, event.seat, event.opened), put_at(m.credited, event.seat, 0)
            m.on_answer = put_at(m.on_answer, event.seat, (0, True))
        case ClockCredited():
            m.asked = put_at(m.asked, event.seat, event.deadline)
            m.credited = put_at(m.credited, event.seat, m.credited[event.seat] + event.seconds)
        case BankSpent():
            m.banks = put_at(m.banks, event.seat, Bank(event.left, event.moves))


def request_decisions(m: Match, now: Time) -> tuple[Any, ...]:
    """Open the decisions that a clock runs for from now on."""
    limit = 0 if m.table is None or is_paused(m) else m.game.timing.seconds(m.table)
    if not m.clock.ticks and not limit:
        return ()
    due = [s for s in to_act(m) if not m.by_bot[s] and m.asked[s] is None]
    return tuple(DecisionRequested(s, decision(m), _until(m, s, limit, now), now) for s in due)


def _until(m: Match, seat: Seat, limit: int, now: Time) -> Time:
    """Return the deadline of a decision: by the game's own limit in seconds, or by the clock, whichever is first."""
    by_limit = [Time(now + 1000 * limit)] if limit else []
    by_clock = [deadline(m.clock, m.banks[seat], now, minor=is_minor_decision(m))] if m.clock.ticks else []
    return min(by_limit + by_clock)


CLOCKS: Final = MatchPart(
    texts={
        DecisionRequested: "Seat {seat} has until {deadline} to decide.",
        ClockCredited: "The deadline of seat {seat} moves to {deadline} ({why}).",
        BankSpent: "Seat {seat} uses its time bank: {left} left.",
    },
    words={"deadline": words.moment, "left": words.duration},
    evolve=evolve_clocks,
    decide={Credit: credit_time},
    admits={"time": {Credit: lambda m, seat, c, now: m.asked[seat] is not None and c.seconds > 0}},
    read_command={ClockCredited: lambda m, event: (event.seat, Credit(event.seconds, event.why))},
    zoned={DecisionRequested: "deadline", ClockCredited: "deadline", BankSpent: "left"},
)
