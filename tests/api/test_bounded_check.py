"""Tests that a hanging check does not delay a request for long."""

import time
from itertools import chain, repeat
from threading import Event
from types import SimpleNamespace

import pytest

from api.http import bounded_check
from api.http.bounded_check import BoundedCheck


def test_result_of_the_check_is_returned():
    assert BoundedCheck(lambda: 7).result() == 7


def test_exception_of_the_check_is_raised():
    check: BoundedCheck[float] = BoundedCheck(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        check.result()


def test_hanging_check_times_out_once_and_then_fails_immediately(monkeypatch):
    hang, runs, clock = Event(), [], chain([0.0], repeat(60.0))
    monkeypatch.setattr(bounded_check, "time", SimpleNamespace(monotonic=clock.__next__))

    def wait() -> int:
        runs.append(1)
        hang.wait()
        return len(runs)

    check, start = BoundedCheck(wait, seconds=60), time.monotonic()
    for _ in range(2):
        with pytest.raises(TimeoutError):
            check.result()
    assert time.monotonic() - start < 30
    hang.set()
    while not check._run.done():
        time.sleep(0.001)
    assert check.result() == 2
