"""Tests that a hanging check does not delay a request for long."""

import time
from contextlib import suppress
from threading import Event

import pytest

from api.http import bounded_check
from api.http.bounded_check import BoundedCheck


def test_result_of_the_check_is_returned():
    assert BoundedCheck(lambda: 7).result() == 7


def test_exception_of_the_check_is_raised():
    check: BoundedCheck[float] = BoundedCheck(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        check.result()


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(bounded_check, "time", clock)
    return clock


class Check:
    """A check that counts its runs, and hangs while `goes_on` is not set."""

    def __init__(self):
        self.runs, self.goes_on = 0, Event()
        self.goes_on.set()

    def __call__(self):
        self.runs += 1
        self.goes_on.wait()
        return self.runs


def test_hanging_check_times_out_once_and_then_fails_immediately():
    check = Check()
    check.goes_on.clear()
    bounded, start = BoundedCheck(check, seconds=0.1), time.monotonic()
    for _ in range(200):
        with pytest.raises(TimeoutError):
            bounded.result()
    assert time.monotonic() - start < 200 * 0.1
    assert check.runs == 1
    check.goes_on.set()
    while not bounded._run.done():
        time.sleep(0.001)
    assert bounded.result() == 2


def test_slow_check_gives_its_last_result_while_that_is_recent(clock):
    check = Check()
    bounded = BoundedCheck(check, seconds=0, recent_seconds=5)
    with suppress(TimeoutError):
        bounded.result()
    while not bounded._run.done():
        time.sleep(0.001)
    check.goes_on.clear()
    clock.now = 5.0
    assert [bounded.result() for _ in range(3)] == [1, 1, 1]
    clock.now = 5.1
    with pytest.raises(TimeoutError):
        bounded.result()
    check.goes_on.set()


def test_failing_check_fails_however_recent_its_last_result_is(clock):
    answers = iter([7])
    bounded = BoundedCheck(lambda: next(answers), seconds=60)
    assert bounded.result() == 7
    with pytest.raises(StopIteration):
        bounded.result()
