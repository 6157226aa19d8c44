"""Provides the service on a store, with a clock controlled by the test."""

import pytest

from domain.core.clock import Clock, Time
from domain.match.creation import Series
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.service.projections import LEASE_MS
from tests.bound import Matches
from tests.match.table import options

ANN = Caller("ann", "token")


class Machine:
    """A clock controlled by the test."""

    def __init__(self) -> None:
        self.at = Time(1_750_000_000_000)

    def __call__(self) -> Time:
        return self.at

    def passes(self, ms: int) -> None:
        self.at = Time(self.at + ms)


@pytest.fixture
def now():
    return Machine()


@pytest.fixture
def matches(store, now):
    """Return the service as the API uses it."""
    return Matches(store, now=now)


@pytest.fixture
def at_work(store, now):
    """Return the service as a worker uses it."""
    return Matches(store, now=now, lease_ms=LEASE_MS)


@pytest.fixture
def begin(matches):
    """Create a match with these seats; return it as its creator sees it."""

    def begin(*kinds, clock=None, by=matches, game="hearts", **chosen):
        places = tuple(SeatRequest(kind, "easy" if kind == "bot" else None) for kind in kinds)
        short = {"target_score": 1} if game == "hearts" else {}
        given = options(game, **short) | chosen
        new = NewMatch(game, given, None, places, "public", clock or Clock(), Series())
        return by.create(ANN, new)

    return begin
