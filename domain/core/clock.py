"""Computes time limits (rules 1.8). Times are arguments; nothing here reads a clock.

Every kind of clock is three small functions on a seat's bank: its initial value, the limit of the next decision, and
the remainder after it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Annotated, Any, Final, Literal, NewType
from zoneinfo import ZoneInfo, available_timezones

from domain.core.options import Range
from domain.core.types import TextForm, written_as
from domain.core.values import value

Time = NewType("Time", int)
"""A time is a number of milliseconds since 1970 in UTC."""


@lru_cache(maxsize=64)
def write_time(at: int) -> str:
    """Write a time as RFC 3339 with milliseconds, in UTC: `2026-11-21T20:57:12.345Z`."""
    return f"{(_EPOCH + timedelta(milliseconds=at)).isoformat(timespec='milliseconds')}Z"


_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 -- its zone is written as Z


def read_time(text: str) -> Time:
    """Read an RFC 3339 time. Raise `ValueError` for anything else."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("Write a time with its zone, like 2026-11-21T10:00:00Z.")
    return Time(round(at.timestamp() * 1000))


_SCHEMA: Final = {"type": "string", "format": "date-time", "description": "A time, in UTC."}
written_as(Time, TextForm(write_time, read_time, read_time, _SCHEMA))

HOUR: Final = 3600
DAY: Final = 24 * HOUR
YEAR: Final = 366 * DAY
LONGEST: Final = 10 * YEAR
"""A bank holds at most this many seconds, so that no deadline is beyond the dates that can be written."""

Kind = Literal["simple", "fischer", "byo_yomi", "canadian"]


@value
class Clock:
    """The clock of a match says how long a seat may take; all its times are in whole seconds.

    It is one of four kinds. `simple` gives a fixed time for each decision, then a bank for the whole match. `fischer`
    has a bank that grows by an increment with each decision, up to a cap. `byo_yomi` has a bank, then periods, of
    which one is lost whenever it runs out. `canadian` has a bank, then periods that each serve a number of decisions.

    A clock without times never runs out, and a time that its kind does not use is refused. `{"kind": "fischer"}`
    without times is the clock for slow matches: three days, plus one day for each decision, at most seven, with
    vacations.
    """

    per_decision_seconds: Annotated[int, Range(0, YEAR)] = 0
    """The time for each decision, of a simple clock."""
    bank_seconds: Annotated[int, Range(0, YEAR)] = 0
    """The time bank of a seat at the beginning, for the whole match."""
    on_expiry: Literal["default_action", "bot", "forfeit"] = "default_action"
    """Action when a seat's time is up: its default move, a bot takes the seat, or the seat resigns."""
    max_defaults: Annotated[int, Range(1, 1000)] = 3
    """After this many default moves in a row a bot takes the seat.

    A match in which no person has ever moved, and each has missed this many decisions, is abandoned.
    """
    kind: Kind = "simple"
    """How the time runs."""
    increment_seconds: Annotated[int, Range(0, YEAR)] = 0
    """Time that each decision adds to the bank of a Fischer clock."""
    cap_seconds: Annotated[int, Range(0, YEAR)] = 0
    """Maximum bank of a Fischer clock; 0 means ten years."""
    period_seconds: Annotated[int, Range(0, YEAR)] = 0
    """The length of a period of byo-yomi and Canadian clocks."""
    periods: Annotated[int, Range(0, 100)] = 0
    """The number of byo-yomi periods; together with the bank, they last ten years at most."""
    period_moves: Annotated[int, Range(0, 100)] = 0
    """The number of decisions in a period of a Canadian clock."""
    minor_seconds: Annotated[int, Range(0, YEAR)] = 0
    """The time for a small decision, such as being ready for the next hand, which then takes nothing from the bank.

    It must be less than the time for the first decision; 0 means that a small decision is like any other.
    """
    grace_seconds: Annotated[int, Range(0, DAY)] = 0
    """How long after its deadline a decision is still accepted."""
    days_off: tuple[Annotated[int, Range(1, 7)], ...] = ()
    """The days of the week on which no time passes and no decision falls due; 1 is Monday."""
    time_zone: str = "UTC"
    """Time zone of the days off, as a name in the tz database."""
    vacation: bool = False
    """Whether the clock stops while a player is on vacation."""

    @property
    def ticks(self) -> bool:
        return bool(self.per_decision_seconds or self.bank_seconds or self.increment_seconds or self.period_seconds)


@value
class Bank:
    """The milliseconds that a seat has left.

    In a Canadian period, also the number of decisions for this time; 0 if no period has begun.
    """

    left: int
    moves: int = 0


@value
class Rule:
    """The rule of one kind of clock. `after` gets the used milliseconds, which never exceed the result of `budget`."""

    first: Callable[[Clock], Bank]
    budget: Callable[[Clock, Bank], int]
    after: Callable[[Clock, Bank, int], Bank]
    fields: tuple[str, ...]
    """The fields that it uses; the first is required."""


def _simple_after(clock: Clock, bank: Bank, used: int) -> Bank:
    return Bank(bank.left - max(0, used - 1000 * clock.per_decision_seconds))


def _fischer_after(clock: Clock, bank: Bank, used: int) -> Bank:
    left = bank.left - used + 1000 * clock.increment_seconds
    return Bank(min(left, 1000 * (clock.cap_seconds or LONGEST)))


def _byo_yomi_after(clock: Clock, bank: Bank, used: int) -> Bank:
    """Deduct the used time from the bank, then whole periods; one period always remains for the next decision."""
    period = 1000 * clock.period_seconds
    main = max(0, bank.left - period * clock.periods)
    if used <= main:
        return Bank(bank.left - used)
    lost = (used - main) // period
    return Bank(max(bank.left - main - lost * period, period))


def _canadian_budget(clock: Clock, bank: Bank) -> int:
    return bank.left if bank.moves else bank.left + 1000 * clock.period_seconds


def _canadian_after(clock: Clock, bank: Bank, used: int) -> Bank:
    period = Bank(1000 * clock.period_seconds, clock.period_moves)
    if not bank.moves and used < bank.left:
        return Bank(bank.left - used)
    budget = _canadian_budget(clock, bank)
    left = Bank(min(budget - used, period.left), (bank.moves or clock.period_moves) - 1)
    return left if left.moves and left.left else period


KINDS: Final[Mapping[Kind, Rule]] = {
    "simple": Rule(
        lambda clock: Bank(1000 * clock.bank_seconds),
        lambda clock, bank: 1000 * clock.per_decision_seconds + bank.left,
        _simple_after,
        ("per_decision_seconds", "bank_seconds"),
    ),
    "fischer": Rule(
        lambda clock: Bank(1000 * clock.bank_seconds),
        lambda clock, bank: bank.left,
        _fischer_after,
        ("bank_seconds", "increment_seconds", "cap_seconds"),
    ),
    "byo_yomi": Rule(
        lambda clock: Bank(1000 * (clock.bank_seconds + clock.periods * clock.period_seconds)),
        lambda clock, bank: bank.left,
        _byo_yomi_after,
        ("period_seconds", "periods", "bank_seconds"),
    ),
    "canadian": Rule(
        lambda clock: Bank(1000 * clock.bank_seconds),
        _canadian_budget,
        _canadian_after,
        ("period_seconds", "period_moves", "bank_seconds"),
    ),
}


def first_bank(clock: Clock) -> Bank:
    """Return the initial bank of a seat."""
    return KINDS[clock.kind].first(clock)


def first_budget(clock: Clock) -> int:
    """Return the milliseconds for the first decision, days off not counted; 0 without a clock."""
    return _budget(clock, first_bank(clock))


def deadline(clock: Clock, bank: Bank, now: Time, *, minor: bool = False) -> Time:
    """Return the deadline of a decision that opens now."""
    return time_after(clock, now, _budget(clock, bank, minor=minor))


def bank_after(clock: Clock, bank: Bank, until: Time, now: Time, *, minor: bool = False) -> Bank:
    """Return the bank after a decision that was due at `until` and is made now."""
    if minor and clock.minor_seconds:
        return bank
    budget = _budget(clock, bank)
    return KINDS[clock.kind].after(clock, bank, budget - min(budget, ms_between(clock, now, until)))


def _budget(clock: Clock, bank: Bank, *, minor: bool = False) -> int:
    return 1000 * clock.minor_seconds if minor and clock.minor_seconds else KINDS[clock.kind].budget(clock, bank)


# --- Days off -------------------------------------------------------------------------------------------

WEEK_MS: Final = 7 * 1000 * DAY


def time_after(clock: Clock, start: Time, milliseconds: int) -> Time:
    """Return the time when this much time has passed since `start`, days off not counted."""
    at, left, week = int(start), milliseconds, _working(clock)
    while clock.days_off:
        if left >= week and _has_no_clock_change(clock, at):
            at, left = at + WEEK_MS, left - week
            continue
        off, end = _day(clock, at)
        if not off and at + left < end:
            break
        left -= 0 if off else end - at
        at = end
    return Time(at + left)


def ms_between(clock: Clock, start: Time, end: Time) -> int:
    """Return the milliseconds from `start` to `end`, days off not counted; 0 if `end` has passed."""
    if not clock.days_off:
        return max(0, end - start)
    at, total = int(start), 0
    while at < end:
        if at + WEEK_MS <= end and _has_no_clock_change(clock, at):
            at, total = at + WEEK_MS, total + _working(clock)
            continue
        off, midnight = _day(clock, at)
        total += 0 if off else min(midnight, end) - at
        at = midnight
    return total


def _working(clock: Clock) -> int:
    """Return the milliseconds in a week, days off not counted."""
    return (7 - len(set(clock.days_off))) * 1000 * DAY


def _has_no_clock_change(clock: Clock, at: int) -> bool:
    """Return whether the match's time zone has no clock change in the week from this moment."""
    zone, then = _zone(clock.time_zone), at + WEEK_MS
    before, after = datetime.fromtimestamp(at // 1000, zone), datetime.fromtimestamp(then // 1000, zone)
    return before.utcoffset() == after.utcoffset()


def _day(clock: Clock, at: int) -> tuple[bool, int]:
    """Return whether this moment is on a day off in the match's time zone, and when the day ends."""
    zone = _zone(clock.time_zone)
    here = datetime.fromtimestamp(at / 1000, zone)
    next_day = datetime(here.year, here.month, here.day, tzinfo=zone) + timedelta(days=1)
    return here.isoweekday() in clock.days_off, int(next_day.timestamp()) * 1000


@cache
def _zones() -> frozenset[str]:
    """Return the names of time zones, without those that mean different zones on different machines."""
    return frozenset(available_timezones() - {"localtime", "posixrules", "Factory"})


@cache
def _zone(name: str) -> Any:
    return UTC if name == "UTC" else ZoneInfo(name)


# --- What a clock may be --------------------------------------------------------------------------------


def complete_clock(clock: Clock) -> Clock:
    """Fill in the default times of a Fischer clock: one move a day, with three days in reserve."""
    named = any(getattr(clock, name) for name in KINDS["fischer"].fields)
    if clock.kind != "fischer" or named:
        return clock
    return replace(clock, bank_seconds=3 * DAY, increment_seconds=DAY, cap_seconds=7 * DAY, vacation=True)


def bad_clock(clock: Clock) -> dict[str, str]:
    """Return the faults of a clock, by field."""
    wrong = {**_bad_days(clock), **_bad_times(clock)}
    if clock.vacation and first_budget(clock) < 1000 * HOUR:
        wrong["vacation"] = "`vacation` needs at least an hour per decision."
    if clock.minor_seconds and 1000 * clock.minor_seconds >= first_budget(clock):
        wrong["minor_seconds"] = "Must be less than the time for other decisions."
    if not clock.ticks:
        for name in ("minor_seconds", "grace_seconds", "days_off"):
            if getattr(clock, name):
                wrong[name] = "Set this only for a clock with a time limit."
    return wrong


def _bad_days(clock: Clock) -> dict[str, str]:
    wrong = {}
    if len(set(clock.days_off)) != len(clock.days_off) or len(clock.days_off) == len(range(7)):
        wrong["days_off"] = "Name each day off once, and leave at least one day for play."
    if clock.time_zone != "UTC" and clock.time_zone not in _zones():
        wrong["time_zone"] = "Name a time zone as the tz database does, such as Europe/Berlin."
    return wrong


def _bad_times(clock: Clock) -> dict[str, str]:
    rule, wrong = KINDS[clock.kind], {}
    used = {name for kind in KINDS.values() for name in kind.fields}
    for name in sorted(used - set(rule.fields)):
        if getattr(clock, name):
            wrong[name] = f"A {clock.kind} clock does not use this time."
    if clock.kind != "simple" and not getattr(clock, rule.fields[0]):
        wrong[rule.fields[0]] = f"A {clock.kind} clock needs it."
    if clock.kind in ("byo_yomi", "canadian") and not getattr(clock, rule.fields[1]):
        wrong[rule.fields[1]] = f"A {clock.kind} clock needs it."
    if clock.cap_seconds and clock.cap_seconds < max(clock.bank_seconds, clock.increment_seconds):
        wrong["cap_seconds"] = "`cap_seconds` must be at least `bank_seconds` and `increment_seconds`."
    if clock.bank_seconds + clock.periods * clock.period_seconds > LONGEST:
        wrong["periods"] = "The bank and all periods together may be at most ten years."
    return wrong
