"""A check that hangs holds up no request for long."""

import time
from threading import Event

import pytest

from api.http.bounded_check import BoundedCheck


def test_result_is_that_of_the_check():
    assert BoundedCheck(lambda: 7).result() == 7


def test_exception_of_the_check_is_raised():
    check: BoundedCheck[float] = BoundedCheck(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        check.result()


def test_hanging_check_times_out_once_and_then_fails_immediately():
    hang, runs = Event(), []

    def wait() -> int:
        runs.append(1)
        hang.wait()
        return len(runs)

    check = BoundedCheck(wait, seconds=0.1)
    for most in (0.3, 0.05):
        start = time.monotonic()
        with pytest.raises(TimeoutError):
            check.result()
        assert time.monotonic() - start < most
    hang.set()
    while not check._run.done():
        time.sleep(0.001)
    assert check.result() == 2
