"""Finds the time that does not count for a decision, because the server was down or its player is away.

Both are rows outside the log. They move a deadline when it falls due, or when its player moves, and the log records it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Clock, Time
from domain.match import Match
from domain.match.clocks import Credit
from domain.match.match_shuffles import AwaitNonces
from domain.match.vacation_days import Allowance, Interval, Vacation, mark_used, seconds_owed, with_a_day
from events.log import deadlines
from events.log.deadlines import counts_vacations
from events.service.context import Context
from events.store.protocol import Store
from events.store.records import VacationTaken
from events.store.tables import outage_rows, vacation_rows

NOBODY: Final = Allowance(Time(0), auto=False)

AT_ONCE_MS: Final = 1_000
"""The time within which an answer is charged without asking the store for outages, in milliseconds."""


def credit_at_deadline(store: Store, m: Match, seat: Seat, now: Time) -> tuple[Credit | None, VacationTaken | None]:
    """Return how an expired deadline moves: for an outage, a vacation, or an automatic day of vacation.

    Also return the vacation that the player takes with it.
    """
    until, player = m.clocks.asked[seat], m.players[seat]
    assert until is not None
    out = _outages(store, m, seat, now)
    had = vacation_rows.allowance(store, player) if player is not None and counts_vacations(m) else None
    if player is None or had is None:
        return _credit(m, seat, out, NOBODY), None
    falls = life.settling_time(m, until)
    marked = mark_used(mark_used(had, until), falls)
    for has in (marked, with_a_day(marked, falls)):
        if credit := _credit(m, seat, out, has):
            return credit, VacationTaken(player, had, has) if has != had else None
    return None, None


def credit_before_move(store: Store, m: Match, seat: Seat, now: Time) -> Credit | None:
    """Return the time to add to a decision that is being made, so that an absence is not charged."""
    opened, player = m.clocks.opened[seat], m.players[seat]
    if m.clocks.asked[seat] is None or opened is None or now - opened < AT_ONCE_MS or life.game_time_limit(m):
        return None
    counts = player is not None and counts_vacations(m)
    a = (vacation_rows.allowance(store, player, opened) if player is not None and counts else None) or NOBODY
    so_far = tuple(Vacation(v.start, v.end, Time(min(v.end, now))) for v in a.taken if v.start < now)
    return _credit(m, seat, _outages(store, m, seat, now), replace(a, taken=so_far))


def extend_nonce_time(store: Store, m: Match, now: Time) -> AwaitNonces | None:
    """Return the additional time for nonces, after an outage in their time."""
    assert m.shuffles.stage_until is not None
    opened = Time(m.shuffles.stage_until - 1000 * (life.nonce_seconds(m) + m.shuffles.stage_credited))
    out = [(Time(a), Time(b)) for a, b in outage_rows.outages_since(store, opened, now)]
    seconds = seconds_owed(Clock(), opened, m.shuffles.stage_until, m.shuffles.stage_credited, out)
    return AwaitNonces(seconds) if seconds else None


def deadline_of(context: Context, m: Match, seat: Seat) -> Time | None:
    """Return when the open decision of a seat will fall due; None if it will not, or none is open."""
    return deadlines.deadline_of_seat(context.store, m, seat, context.now()) if seat in life.to_act(m) else None


def first_deadline(context: Context, m: Match) -> Time | None:
    """Return when the first open decision of a match will fall due; None if none will."""
    return deadlines.first_deadline(context.store, m, context.now())


def is_outage_known(store: Store, falls: Time, now: Time) -> bool:
    """Return whether schedulers and API have recorded a beat since a time, so that an outage then would be known.

    Until they have, no deadline expires, and none moves in the log.
    """
    proven = outage_rows.proven_until(store, now)
    return proven is None or falls <= proven


def _outages(store: Store, m: Match, seat: Seat, now: Time) -> list[Interval]:
    opened = m.clocks.opened[seat]
    return [] if opened is None else [(Time(a), Time(b)) for a, b in outage_rows.outages_since(store, opened, now)]


def _credit(m: Match, seat: Seat, out: Sequence[Interval], a: Allowance) -> Credit | None:
    opened, until, clock = m.clocks.opened[seat], m.clocks.asked[seat], life.running_clock(m)
    if opened is None or until is None:
        return None
    away = [(v.start, v.used) for v in a.taken if v.used > opened]
    seconds = seconds_owed(clock, opened, until, m.clocks.credited[seat], [*out, *away])
    if not seconds:
        return None
    only_out = seconds_owed(clock, opened, until, m.clocks.credited[seat], out)
    return Credit(seconds, "vacation" if seconds > only_out else "outage")
