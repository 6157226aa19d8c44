"""Tests when memory is returned to the operating system."""

import pytest

from api.http.memory_release import MANY, NOTES, MemoryRelease


@pytest.mark.parametrize(("noted", "times"), [([MANY] * 50, 0), ([10 * MANY] * 50, 0), ([10 * MANY, 0] * 3, 0)])
def test_memory_is_released_some_time_after_many_connections_ended(noted, times):
    assert given_back(noted) == times


def test_memory_is_released_once_most_of_many_connections_have_ended():
    assert given_back([MANY, 10 * MANY, 10] + [10] * NOTES) == 1
    assert given_back([MANY, 10 * MANY, 10] + [10] * 10 * NOTES) == 1
    assert given_back(([10 * MANY, 10] + [10] * NOTES) * 3) == 3


def given_back(noted):
    times = []
    trim = MemoryRelease(lambda: times.append(1))
    for connections in noted:
        trim.note(connections)
    return len(times)
