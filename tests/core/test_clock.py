"""Tests clocks: the time for a decision, and the remaining time (rules 1.8)."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from time import process_time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.clock import (
    DAY,
    HOUR,
    KINDS,
    LONGEST,
    YEAR,
    Bank,
    Clock,
    Time,
    bad_clock,
    bank_after,
    complete_clock,
    deadline,
    first_bank,
    first_budget,
    ms_between,
    time_after,
)
from tests.draws import first_of

NOW = Time(int(datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()) * 1000)  # a Friday


def after(clock, *seconds):
    """Return the seconds and decisions left after decisions that took this many seconds each."""
    bank = first_bank(clock)
    for used in seconds:
        bank = bank_after(clock, bank, deadline(clock, bank, NOW), Time(NOW + 1000 * used))
    return bank.left / 1000, bank.moves


SIMPLE = Clock(per_decision_seconds=10, bank_seconds=60)
FISCHER = Clock(kind="fischer", bank_seconds=100, increment_seconds=10, cap_seconds=120)
BYO_YOMI = Clock(kind="byo_yomi", bank_seconds=60, period_seconds=30, periods=3)
CANADIAN = Clock(kind="canadian", bank_seconds=60, period_seconds=30, period_moves=2)


@pytest.mark.parametrize(
    ("clock", "used", "left"),
    [
        (SIMPLE, (4,), (60, 0)),
        (SIMPLE, (10,), (60, 0)),
        (SIMPLE, (25, 15), (40, 0)),
        (SIMPLE, (70,), (0, 0)),
        (FISCHER, (0,), (110, 0)),
        (FISCHER, (0, 0, 0), (120, 0)),  # no more than the cap
        (FISCHER, (90, 5), (25, 0)),
        (FISCHER, (100,), (10, 0)),  # a late player has the increment for the next one
        (BYO_YOMI, (20,), (130, 0)),
        (BYO_YOMI, (60,), (90, 0)),  # the bank is empty, three periods are whole
        (BYO_YOMI, (60, 29), (90, 0)),  # taken inside a period, which is whole again
        (BYO_YOMI, (60, 30), (60, 0)),
        (BYO_YOMI, (80,), (90, 0)),
        (BYO_YOMI, (60, 95), (30, 0)),  # the last period stays
        (CANADIAN, (59,), (1, 0)),
        (CANADIAN, (65,), (25, 1)),  # the first of two decisions in thirty seconds
        (CANADIAN, (65, 20), (30, 2)),  # both made: a new period
        (CANADIAN, (65, 25), (30, 2)),
    ],
)
def test_clock_has_the_expected_time_left_after_a_move(clock, used, left):
    assert after(clock, *used) == left


@pytest.mark.parametrize("clock", [SIMPLE, FISCHER, BYO_YOMI, CANADIAN])
@given(used=st.lists(st.integers(0, 200), max_size=20))
def test_clock_is_never_negative_and_leaves_time_for_the_next_decision(clock, used):
    left, moves = after(clock, *used)
    assert left >= 0
    assert moves <= clock.period_moves
    assert KINDS[clock.kind].budget(clock, Bank(int(left * 1000), moves)) > 0


def test_small_decision_has_its_own_time_outside_the_bank():
    clock = Clock(kind="fischer", bank_seconds=1000, increment_seconds=100, minor_seconds=20)
    until = deadline(clock, Bank(500), NOW, minor=True)
    assert until == NOW + 20_000
    assert bank_after(clock, Bank(500), until, NOW, minor=True) == Bank(500)


def test_default_fischer_clock_has_three_days_and_adds_one_per_move():
    clock = complete_clock(Clock(kind="fischer"))
    assert (clock.bank_seconds, clock.increment_seconds, clock.cap_seconds) == (3 * DAY, DAY, 7 * DAY)
    assert complete_clock(FISCHER) == FISCHER


WEEKEND = Clock(per_decision_seconds=DAY, days_off=(6, 7), time_zone="Europe/Berlin")


def at(*when):
    return Time(int(datetime(*when, tzinfo=UTC).timestamp()) * 1000)


def test_days_off_use_the_time_zone_of_the_match():
    friday_noon = at(2026, 11, 20, 12)  # 13:00 in Berlin: eleven hours are left of the day
    assert time_after(WEEKEND, friday_noon, 1000 * DAY) == at(2026, 11, 23, 12)
    assert ms_between(WEEKEND, friday_noon, at(2026, 11, 23, 12)) == 1000 * DAY
    assert ms_between(WEEKEND, at(2026, 11, 21, 12), at(2026, 11, 22, 12)) == 0


def test_deadline_at_midnight_before_days_off_moves_to_after_them():
    friday_at_eleven = at(2026, 11, 20, 22)  # 23:00 in Berlin
    assert time_after(WEEKEND, friday_at_eleven, 3_599_999) == at(2026, 11, 20, 22) + 3_599_999
    assert time_after(WEEKEND, friday_at_eleven, 3_600_000) == at(2026, 11, 22, 23)
    assert time_after(WEEKEND, at(2026, 11, 18, 22), 3_600_000) == at(2026, 11, 18, 23)  # before a working day


def test_night_of_the_change_to_winter_time_has_an_extra_hour():
    sundays_off = Clock(per_decision_seconds=DAY, days_off=(7,), time_zone="Europe/Berlin")
    saturday = at(2026, 10, 24, 21, 59, 59)  # a second before midnight
    assert time_after(sundays_off, saturday, 2000) == at(2026, 10, 25, 23, 0, 1)


@given(start=st.integers(0, 10**9), used=st.integers(0, 60 * DAY))
def test_elapsed_time_is_the_difference_of_two_times(start, used):
    begun = Time(NOW + 1000 * start)
    assert ms_between(WEEKEND, begun, time_after(WEEKEND, begun, 1000 * used)) == 1000 * used


ZONES = ["Europe/Berlin", "UTC", "America/Havana", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Gaza"]


def day_by_day(clock, start, end):
    """Return the time between two moments, from midnight to midnight."""
    zone = ZoneInfo(clock.time_zone)
    here = datetime.fromtimestamp(start / 1000, zone)
    midnights = [
        round((datetime(here.year, here.month, here.day, tzinfo=zone) + timedelta(days=n)).timestamp() * 1000)
        for n in range(3 + (end - start) // (1000 * DAY) + 1)  # an hour more or less may reach another day
    ]
    return sum(
        max(0, min(b, end) - max(a, start))
        for a, b in pairwise(midnights)
        if datetime.fromtimestamp((a + b) / 2000, zone).isoweekday() not in clock.days_off
    )


@pytest.mark.parametrize("zone", first_of(ZONES))
@given(start=st.integers(0, 3 * YEAR), long=st.integers(0, 60 * DAY), off=st.sets(st.integers(1, 7), min_size=1))
def test_whole_weeks_count_like_single_days(zone, start, long, off):
    clock = Clock(per_decision_seconds=DAY, days_off=tuple(sorted(off))[:6], time_zone=zone)
    begun, ended = Time(NOW + 1000 * start), Time(NOW + 1000 * (start + long))
    assert ms_between(clock, begun, ended) == day_by_day(clock, begun, ended)
    until = time_after(clock, begun, 1000 * long)
    assert day_by_day(clock, begun, until) == 1000 * long
    assert day_by_day(clock, until, Time(until + 1)) == 1


def test_longest_clock_is_computed_quickly_and_within_the_calendar():
    longest = Clock(
        kind="byo_yomi", bank_seconds=YEAR, period_seconds=9 * YEAR // 100, periods=100,
        days_off=(1, 2, 3, 4, 5, 6), time_zone="Europe/Berlin",
    )  # fmt: skip
    assert bad_clock(longest) == {}
    begun = process_time()
    until = deadline(longest, first_bank(longest), NOW)
    assert bank_after(longest, first_bank(longest), until, NOW) == first_bank(longest)
    assert process_time() - begun < 0.5
    assert datetime.fromtimestamp(until / 1000, UTC).year < 2100


def test_a_bank_without_a_cap_stops_growing_within_the_calendar():
    clock = Clock(kind="fischer", bank_seconds=YEAR, increment_seconds=YEAR, days_off=(1, 2, 3, 4, 5, 6))
    bank = first_bank(clock)
    for _ in range(20):
        bank = bank_after(clock, bank, deadline(clock, bank, NOW), NOW)
    assert bank.left == 1000 * LONGEST


def test_seven_days_off_or_an_unknown_time_zone_is_refused_quickly():
    for wrong in ({"days_off": (1, 2, 3, 4, 5, 6, 7)}, {"days_off": (6,), "time_zone": "Atlantis"}):
        begun = process_time()
        assert bad_clock(complete_clock(Clock(kind="fischer", **wrong)))
        assert process_time() - begun < 0.5


@pytest.mark.parametrize("off", range(1, 8))
def test_time_limit_is_the_same_on_every_day(off):
    assert first_budget(Clock(per_decision_seconds=1, days_off=(off,))) == 1000
    assert "vacation" in bad_clock(Clock(per_decision_seconds=1, days_off=(off,), vacation=True))
    assert bad_clock(Clock(per_decision_seconds=HOUR, days_off=(off,), vacation=True)) == {}


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        (Clock(minor_seconds=60), "minor_seconds"),
        (Clock(grace_seconds=5), "grace_seconds"),
        (Clock(days_off=(1,)), "days_off"),
        (Clock(per_decision_seconds=60, minor_seconds=60), "minor_seconds"),
        (Clock(kind="fischer", bank_seconds=60, minor_seconds=61), "minor_seconds"),
        (Clock(kind="byo_yomi", period_seconds=YEAR, periods=11), "periods"),
        (Clock(per_decision_seconds=60, time_zone="localtime"), "time_zone"),
        (Clock(per_decision_seconds=60, time_zone="Factory"), "time_zone"),
        (Clock(per_decision_seconds=60, time_zone="posixrules"), "time_zone"),
        (Clock(per_decision_seconds=60, time_zone="right/UTC"), "time_zone"),
        (Clock(per_decision_seconds=60, time_zone="posix/UTC"), "time_zone"),
        (Clock(per_decision_seconds=60, time_zone="a\0b"), "time_zone"),
        (Clock(increment_seconds=5), "increment_seconds"),
        (Clock(kind="fischer", increment_seconds=5), "bank_seconds"),
        (Clock(kind="fischer", bank_seconds=50, cap_seconds=20), "cap_seconds"),
        (Clock(kind="byo_yomi", period_seconds=5), "periods"),
        (Clock(kind="canadian", period_moves=5), "period_seconds"),
        (Clock(kind="canadian", period_moves=5, period_seconds=5, periods=3), "periods"),
        (Clock(days_off=(1, 1)), "days_off"),
        (Clock(days_off=(1, 2, 3, 4, 5, 6, 7)), "days_off"),
        (Clock(time_zone="Atlantis"), "time_zone"),
        (Clock(time_zone="../../etc/passwd"), "time_zone"),
    ],
)
def test_invalid_clock_is_reported_with_its_field(clock, field):
    assert field in bad_clock(clock)


@pytest.mark.parametrize("clock", [Clock(), SIMPLE, FISCHER, BYO_YOMI, CANADIAN, WEEKEND])
def test_valid_clock_has_no_fault(clock):
    assert bad_clock(clock) == {}
