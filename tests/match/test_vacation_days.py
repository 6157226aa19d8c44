"""Tests vacations: the pool of days, and how far a deadline moves for time that does not count."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.clock import DAY, HOUR, Clock, Time
from domain.core.game import Refused
from domain.match.vacation_days import (
    AT_FIRST,
    DAY_MS,
    MOST,
    Allowance,
    Vacation,
    current_vacation,
    give_back_vacation,
    mark_used,
    seconds_owed,
    take_vacation,
    vacation_left,
    with_a_day,
)

JOINED = Time(0)
NEW = Allowance(JOINED)
MAIL = Clock(per_decision_seconds=DAY)


def days(n):
    return Time(round(n * DAY_MS))


@pytest.mark.parametrize(("after", "left"), [(0, 7), (12, 8), (24, 9), (276, 30), (1000, 30)])
def test_pool_starts_at_a_week_and_grows_every_twelve_days_up_to_thirty(after, left):
    assert vacation_left(NEW, days(after)) == days(left)


def test_vacation_uses_the_pool_and_returns_the_rest():
    away = take_vacation(NEW, days(0), days(5))
    assert vacation_left(away, days(0)) == days(2)
    assert current_vacation(away, days(4)) == Vacation(days(0), days(5), days(0))
    back = give_back_vacation(away, days(1))
    assert vacation_left(back, days(1)) == days(7 - 1) + days(1) // 12
    assert current_vacation(back, days(1)) is None


@pytest.mark.parametrize(("begins", "back", "ends"), [(0, 0, 1), (0, 0.5, 1), (0, 1, 1), (0, 1.5, 1.5)])
def test_immediate_return_from_vacation_costs_an_hour(begins, back, ends):
    away = take_vacation(NEW, days(begins), days(5))
    assert give_back_vacation(away, days(back / 24)).taken == (Vacation(days(0), days(ends / 24), days(0)),)


def test_vacation_that_moved_a_deadline_is_not_returned():
    away = mark_used(take_vacation(NEW, days(0), days(5)), days(1.5))
    assert [v.used for v in away.taken] == [days(2)]
    assert [v.end for v in give_back_vacation(away, days(1.6)).taken] == [days(2)]
    assert [v.used for v in mark_used(take_vacation(NEW, days(0), days(0.5)), days(0.2)).taken] == [days(0.5)]


@pytest.mark.parametrize(
    ("allowance", "change", "code"),
    [
        (NEW, lambda a: take_vacation(a, days(0), days(7.1)), "too_few_days"),
        (take_vacation(NEW, days(0), days(1)), lambda a: take_vacation(a, days(0.5), days(2)), "on_vacation"),
        (NEW, lambda a: give_back_vacation(a, days(1)), "not_on_vacation"),
        (take_vacation(NEW, days(0), days(1)), lambda a: give_back_vacation(a, days(1)), "not_on_vacation"),
    ],
)
def test_impossible_vacation_is_refused(allowance, change, code):
    with pytest.raises(Refused) as refused:
        change(allowance)
    assert refused.value.code == code


def test_automatic_day_is_taken_while_one_is_left():
    one = with_a_day(NEW, days(1))
    assert one.taken == (Vacation(days(1), days(2), days(2)),)
    assert with_a_day(one, days(1.5)) == one  # there is one already
    assert with_a_day(replace(NEW, auto=False), days(1)).taken == ()
    spent = take_vacation(NEW, days(0), days(7))
    assert with_a_day(spent, days(7)) == spent
    assert len(with_a_day(spent, days(12)).taken) == 2


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(1, 40), st.booleans()), max_size=30))
def test_vacation_pool_cannot_be_overdrawn(asked):
    a = NEW
    for at, n, by_itself in sorted(asked):
        try:
            a = with_a_day(a, days(at)) if by_itself else take_vacation(a, days(at), days(at + n))
        except Refused:
            continue
        assert 0 <= vacation_left(a, days(at)) <= MOST
    assert all(v.end <= w.start for v, w in zip(a.taken, a.taken[1:], strict=False))
    assert sum(v.end - v.start for v in a.taken) <= AT_FIRST + days(440) // 12


def due_after(hours):
    return Time(hours * HOUR * 1000)


@pytest.mark.parametrize(
    ("gone", "credited", "hours"),
    [
        ([], 0, 0),
        ([(0, 5)], 0, 5),
        ([(20, 30)], 0, 10),  # four hours were left, and are afterwards
        ([(24, 30)], 0, 6),  # it falls due as the time begins that does not count
        ([(25, 30)], 0, 0),  # it was due before
        ([(2, 4), (25, 30)], 0, 7),  # by the first gap it had moved into the second
        ([(2, 6), (4, 8)], 0, 6),  # counted once
        ([(2, 6)], 4, 0),  # and given once
        ([(2, 6), (27, 30)], 4, 3),
        ([(-10, 3)], 0, 3),  # from when it opened
    ],
)
def test_deadline_moves_by_the_vacation_and_days_off(gone, credited, hours):
    until = due_after(24 + credited)
    times = [(due_after(a), due_after(b)) for a, b in gone]
    assert seconds_owed(MAIL, Time(0), until, credited * HOUR, times) == hours * HOUR


def test_vacation_during_the_grace_period_counts_too():
    clock = replace(MAIL, grace_seconds=2 * HOUR)
    assert seconds_owed(clock, Time(0), due_after(24), 0, [(due_after(25), due_after(30))]) == 5 * HOUR
    assert seconds_owed(clock, Time(0), due_after(24), 0, [(due_after(27), due_after(30))]) == 0


def test_days_off_during_a_vacation_are_not_counted_twice():
    """1 January 1970 was a Thursday."""
    clock = Clock(per_decision_seconds=3 * DAY, days_off=(6, 7))
    until = Time(days(5))  # Thursday, Friday, Monday
    assert seconds_owed(clock, Time(0), until, 0, [(days(1), days(5))]) == 2 * DAY


def test_vacation_that_begins_at_a_credited_deadline_moves_it():
    short = (Time(HOUR), Time(HOUR + 700))
    credited = seconds_owed(MAIL, Time(0), due_after(24), 0, [short])
    assert credited == 1
    falls = Time(due_after(24) + 1000 * credited)
    assert seconds_owed(MAIL, Time(0), falls, credited, [short, (falls, Time(falls + DAY_MS))]) == DAY
    assert seconds_owed(MAIL, Time(0), falls, credited, [short, (Time(falls + 1000), Time(falls + DAY_MS))]) == 0


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(1, 50)), max_size=6), st.integers(0, 3))
def test_credited_time_is_counted_once(gaps, times_before):
    gone = [(due_after(a), due_after(a + n)) for a, n in gaps]
    total = seconds_owed(MAIL, Time(0), due_after(24), 0, gone)
    assert seconds_owed(MAIL, Time(0), Time(due_after(24) + 1000 * total), total, gone) == 0
