"""Absence: the time that does not count for a decision, since no scheduler ran or its player is on vacation.

Both are rows beside the log. They move a deadline when it falls due, or when its player moves, and the log says so.
"""

from dataclasses import replace
from typing import Final

from domain import match as life
from domain.cards import Seat
from domain.clock import Time
from domain.match import Match
from domain.match_events import Credit
from domain.vacation import Allowance, Interval, Vacation, owed, used, with_a_day
from events.store import OUTAGE_MS, Store

NOBODY: Final = Allowance(Time(0), auto=False)


def at_its_deadline(store: Store, m: Match, seat: Seat, now: Time) -> Credit | None:
    """Say how a deadline that is over moves: for an outage, for a vacation, or for a day of it taken by itself."""
    until, player = m.asked[seat], m.players[seat]
    assert until is not None
    out = _outages(store, m, seat, now)
    if player is None or not _vacations_count(m):
        return _credit(m, seat, out, NOBODY)
    falls = Time(until + 1000 * m.clock.grace_seconds)
    on = store.take_vacations(player, lambda a: used(used(a, until), falls)) or NOBODY
    if credit := _credit(m, seat, out, on):
        return credit
    return _credit(m, seat, out, store.take_vacations(player, lambda a: with_a_day(a, falls)) or NOBODY)


def before_a_move(store: Store, m: Match, seat: Seat, now: Time) -> Credit | None:
    """Say what a decision that is about to be taken has to be given, lest its time be charged for an absence."""
    opened, player = m.opened[seat], m.players[seat]
    if m.asked[seat] is None or opened is None or now - opened < OUTAGE_MS or life.own_limit(m):
        return None
    a = (store.allowance(player) if player is not None and _vacations_count(m) else None) or NOBODY
    so_far = tuple(Vacation(v.start, v.end, Time(min(v.end, now))) for v in a.taken if v.start < now)
    return _credit(m, seat, _outages(store, m, seat, now), replace(a, taken=so_far))


def _vacations_count(m: Match) -> bool:
    return m.clock.vacation and not life.own_limit(m)


def _outages(store: Store, m: Match, seat: Seat, now: Time) -> list[Interval]:
    opened = m.opened[seat]
    if opened is None or now - opened < OUTAGE_MS:
        return []
    return [(Time(a), Time(b)) for a, b in store.outages(opened, now)]


def _credit(m: Match, seat: Seat, out: list[Interval], a: Allowance) -> Credit | None:
    opened, until = m.opened[seat], m.asked[seat]
    if opened is None or until is None:
        return None
    away = [(v.start, v.used) for v in a.taken if v.used > opened]
    seconds = owed(m.clock, opened, until, m.credited[seat], [*out, *away])
    if not seconds:
        return None
    only_out = owed(m.clock, opened, until, m.credited[seat], out)
    return Credit(seconds, "vacation" if seconds > only_out else "outage")
