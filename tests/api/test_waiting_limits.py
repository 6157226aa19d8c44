"""Tests the limits of waiting requests."""

import pytest

from api.http.problems import Problem
from api.http.waiting_limits import WaitingLimits


def refused(places, *who):
    with pytest.raises(Problem) as problem:
        places.take(*who)
    assert int(problem.value.headers["Retry-After"]) >= 1
    return problem.value.code


def test_slots_are_released():
    places = WaitingLimits(2, 2, 2)
    for _ in range(3):
        first, second = places.take("ada", None), places.take("ben", None)
        assert refused(places, "cleo", None) == "too_many_waiters"
        first()
        second()
    assert not places._taken


def test_waiting_requests_per_player_are_limited():
    places = WaitingLimits(100, 3, 1)
    for _ in range(3):
        places.take("ada", "192.0.2.1")
    assert refused(places, "ada", "192.0.2.2") == "too_many_requests"
    places.take("ben", "192.0.2.1")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_anonymous_callers_are_distinguished_by_address(one, other, same):
    places = WaitingLimits(100, 100, 1)
    places.take(None, one)
    if same:
        assert refused(places, None, other) == "too_many_requests"
    else:
        places.take(None, other)
