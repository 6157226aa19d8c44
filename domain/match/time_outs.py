"""Timeouts: an expired decision is settled by the clock."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.values import put_at, value
from domain.match.bot_seats import SeatHandedToBot
from domain.match.clocks import Decision, spend_bank
from domain.match.match_part import MatchPart, from_seat
from domain.match.pauses import HandContinued
from domain.match.resignations import Resign, resign
from domain.match.state import Match
from domain.match.status import decision, game_time_limit, is_paused, overdue_seats


@value
class DecisionTimedOut:
    seat: Seat
    decision: Decision
    defaults: int
    """The number of decisions in a row that the seat has let expire."""


@value
class TimeOut:
    """Settle the decision of a seat whose time is over."""


def settle_expired(m: Match, seat: Seat, c: TimeOut, now: Time) -> Iterable[Any]:
    """Settle the decision by the game's default, a bot or a resignation."""
    yield DecisionTimedOut(seat, decision(m), m.defaults[seat] + _counts(m))
    yield from spend_bank(m, seat, Time(max(now, m.asked[seat] or now)))
    yield from _ON_EXPIRY["default_action" if game_time_limit(m) else m.clock.on_expiry](m, seat, now)


def _counts(m: Match) -> bool:
    """Return whether an expired decision counts as absence; it does not if the game's own limit ran out."""
    return not (m.clock.ticks and game_time_limit(m))


def _default_action(m: Match, seat: Seat, now: Time) -> Iterable[Any]:
    """Decide as the game does by default, and hand an absent seat to a bot."""
    if m.clock.ticks and _counts(m) and m.defaults[seat] + 1 >= m.clock.max_defaults:
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


def evolve_time_outs(m: Match, event: Any) -> None:
    """Assign to the match the number of a seat's expired decisions in a row."""
    match event:
        case DecisionTimedOut():
            m.asked, m.defaults = put_at(m.asked, event.seat, None), put_at(m.defaults, event.seat, event.defaults)
            m.on_answer = put_at(m.on_answer, event.seat, (event.defaults, m.moved[event.seat]))


TIME_OUTS: Final = MatchPart(
    texts={DecisionTimedOut: "Seat {seat} runs out of time."},
    evolve=evolve_time_outs,
    decide={TimeOut: settle_expired},
    admits={"time": {TimeOut: lambda m, seat, c, now: seat in overdue_seats(m, now)}},
    read_command={DecisionTimedOut: from_seat(TimeOut())},
)
