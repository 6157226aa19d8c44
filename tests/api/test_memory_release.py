"""When memory is given back to the system."""

import pytest

from api.http.memory_release import MANY, NOTES, MemoryRelease


@pytest.mark.parametrize(("noted", "times"), [([MANY] * 50, 0), ([10 * MANY] * 50, 0), ([10 * MANY, 0] * 3, 0)])
def test_memory_is_kept_while_there_are_few_connections_or_all_stay_or_they_have_just_ended(noted, times):
    assert given_back(noted) == times


def test_memory_is_given_back_once_after_most_of_many_connections_have_ended():
    assert given_back([MANY, 10 * MANY, 10] + [10] * NOTES) == 1
    assert given_back([MANY, 10 * MANY, 10] + [10] * 10 * NOTES) == 1
    assert given_back(([10 * MANY, 10] + [10] * NOTES) * 3) == 3


def given_back(noted):
    times = []
    trim = MemoryRelease(lambda: times.append(1))
    for connections in noted:
        trim.note(connections)
    return len(times)
