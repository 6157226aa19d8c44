"""Computes vacations: days on which no decision of a player falls due, taken from a pool that grows with time.

The pool begins with a week, grows by a day every twelve days, and holds at most thirty. A player who ends a vacation
early keeps the rest, except its first hour and the time that has already moved a deadline.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from domain.core.clock import DAY, HOUR, Clock, Time, ms_between, time_after
from domain.core.game import Refused
from domain.core.values import value

DAY_MS: Final = 1000 * DAY
AT_FIRST: Final = 7 * DAY_MS
MOST: Final = 30 * DAY_MS
DAYS_FOR_ONE: Final = 12
LEAST: Final = 1000 * HOUR
"""A vacation has at least this many milliseconds; one that is ended sooner counts as an hour."""

Interval = tuple[Time, Time]


@value
class Vacation:
    """A vacation of a player. The time up to `used` has moved a deadline."""

    start: Time
    end: Time
    used: Time


@value
class Allowance:
    """A player's vacations and pool, the time since which days are earned, and whether days are taken automatically."""

    joined: Time
    auto: bool = True
    taken: tuple[Vacation, ...] = ()
    """The vacations in order, without overlaps."""


def vacation_left(a: Allowance, now: Time) -> int:
    """Return the player's remaining milliseconds; below 0 if the player has taken more than allowed."""
    left, at, least = AT_FIRST, a.joined, MOST
    for v in a.taken:
        left = min(MOST, left + max(0, v.start - at) // DAYS_FOR_ONE) - (v.end - v.start)
        least, at = min(least, left), Time(max(at, v.start))
    return least if least < 0 else min(MOST, left + max(0, now - at) // DAYS_FOR_ONE)


def current_vacation(a: Allowance, now: Time) -> Vacation | None:
    """Return the player's current vacation."""
    return next((v for v in a.taken if v.start <= now < v.end), None)


def take_vacation(a: Allowance, now: Time, end: Time) -> Allowance:
    """Return the allowance with a vacation from now. Raise `Refused` during a vacation, or if too little is left."""
    if any(v.end > now for v in a.taken):
        raise Refused("on_vacation")
    more = _add_vacation(a, Vacation(now, end, now))
    if vacation_left(more, now) < 0:
        raise Refused("too_few_days")
    return more


def give_back_vacation(a: Allowance, now: Time) -> Allowance:
    """Return the allowance with the current vacation ended. Raise `Refused` if there is none."""
    v = current_vacation(a, now)
    if v is None:
        raise Refused("not_on_vacation")
    end = Time(min(v.end, max(now, v.used, v.start + LEAST)))
    return replace(a, taken=tuple(replace(w, end=end) if w == v else w for w in a.taken))


def mark_used(a: Allowance, at: Time) -> Allowance:
    """Return the allowance with vacation days marked as used up to a deadline; of the current one, to the day's end."""

    def mark(v: Vacation) -> Time:
        day = v.start + DAY_MS * ((at - v.start) // DAY_MS + 1)
        return Time(max(v.used, min(v.end, day))) if v.start <= at else v.used

    return replace(a, taken=tuple(replace(v, used=mark(v)) for v in a.taken))


def with_a_day(a: Allowance, start: Time) -> Allowance:
    """Return the allowance with an automatic day from `start`; unchanged if none is left."""
    end = min([Time(start + DAY_MS), *(v.start for v in a.taken if v.start > start)])
    more = _add_vacation(a, Vacation(start, end, end))
    return more if a.auto and not current_vacation(a, start) and vacation_left(more, start) >= 0 else a


def _add_vacation(a: Allowance, v: Vacation) -> Allowance:
    return replace(a, taken=tuple(sorted([*a.taken, v], key=_start)))


def _start(v: Vacation) -> Time:
    return v.start


def seconds_owed(clock: Clock, opened: Time, until: Time, credited: int, gone: Iterable[Interval]) -> int:
    """Return the seconds by which the deadline of a decision must still move; it opened then and is due at `until`.

    `gone` is the time that does not count. Time after the resulting deadline changes nothing. `credited` are the
    seconds by which the deadline was moved before.
    """
    left = ms_between(clock, opened, until) - 1000 * (credited - clock.grace_seconds)
    at, total = opened, 0
    for a, b in sorted(gone):
        start = Time(max(a, at))
        if b <= start:
            continue
        left -= ms_between(clock, at, start)
        # Credits are whole seconds, and the decision falls due when they end.
        if left <= -1000:
            break
        total += ms_between(clock, start, b)
        at = b
    return max(0, -(-total // 1000) - credited)


def moved_deadline(clock: Clock, opened: Time, until: Time, credited: int, gone: Iterable[Interval]) -> Time:
    """Return when a decision falls due once all time that does not count has moved its deadline; see `seconds_owed`."""
    return time_after(clock, until, 1000 * seconds_owed(clock, opened, until, credited, gone))
