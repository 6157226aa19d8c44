"""Tests which client gets a connection, and which loses one, when all are taken."""

import pytest

from api.http.connection_limits import KEPT_FILES, ConnectionLimits
from api.http.problems import Problem


class Line:
    """A connection that records whether it was closed."""

    def __init__(self, is_idle=True):
        self.is_idle = is_idle
        self.is_closed = False

    def evict(self):
        self.is_closed = True


def taken(connections, address, *lines):
    for line in lines:
        connections.take(address, line)
    return lines


def refused(connections, address):
    with pytest.raises(Problem) as problem:
        connections.take(address, Line())
    return problem.value.code


def test_newest_idle_connection_of_the_largest_holder_is_closed_for_a_newcomer():
    connections = ConnectionLimits(None, KEPT_FILES + KEPT_FILES)
    lines = taken(connections, "192.0.2.1", *(Line() for _ in range(254)), Line(is_idle=False), Line(is_idle=False))
    taken(connections, "192.0.2.2", Line())
    assert [line.is_closed for line in lines] == [*[False] * 253, True, False, False]


def test_newest_connection_of_the_largest_holder_is_closed_if_none_is_idle():
    connections = ConnectionLimits(None, KEPT_FILES + KEPT_FILES)
    lines = taken(connections, "192.0.2.1", *(Line(is_idle=False) for _ in range(256)))
    taken(connections, "192.0.2.2", Line())
    assert [line.is_closed for line in lines] == [*[False] * 255, True]


def test_addresses_of_one_network_of_ipv6_share_the_limit():
    connections = ConnectionLimits(2, 1000)
    taken(connections, "2001:db8::1", Line())
    taken(connections, "2001:db8::2", Line())
    assert refused(connections, "2001:db8::3") == "too_many_requests"
    taken(connections, "2001:db8:0:1::1", Line())


def test_slot_of_an_ended_connection_is_free_again():
    connections = ConnectionLimits(1, 1000)
    (line,) = taken(connections, "192.0.2.1", Line())
    assert refused(connections, "192.0.2.1") == "too_many_requests"
    connections.leave("address 192.0.2.1", line)
    taken(connections, "192.0.2.1", Line())


def test_newcomer_is_refused_if_every_network_has_only_one_connection():
    connections = ConnectionLimits(None, 4)
    taken(connections, "192.0.2.1", Line())
    taken(connections, "192.0.2.2", Line())
    assert refused(connections, "192.0.2.3") == "unavailable"
