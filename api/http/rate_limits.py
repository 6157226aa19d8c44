"""Limits how often a caller may ask: per token, else per address, before any other work (contract 2).

A token that has not been recognised is nobody's: what is asked with it is counted against the address it came from,
and an address that has brought too many such is refused before its next one is looked up.
"""

import logging
import math
import time
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple, Protocol

from flask import Flask, Response, g, request
from limits import RateLimitItemPerSecond
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import SlidingWindowCounterRateLimiter

from api.http.problems import Problem
from events.settings import Settings

log = logging.getLogger(__name__)

POLICY: Final = "default"


class Left(NamedTuple):
    """Says how many requests are left, in how many seconds all will be, and in how many the next one."""

    requests: int
    all_in: int
    next_in: int


class Rates(Protocol):
    """These functions count requests."""

    def take(self, who: str) -> bool:
        """Count one request; False if it is one too many."""

    def left(self, who: str) -> Left:
        """Tell what is left."""

    def forget(self, who: str) -> None:
        """Drop the count of a caller who is not known."""


class Buckets:
    """Counts requests in one process: each caller has a bucket, which fills by `rate` a second up to `burst`.

    The memory storage of `limits` starts a thread for most requests to clear up after itself, which took more of
    a request than anything else but the database.
    """

    MOST: Final = 100_000

    def __init__(self, rate: int, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._lock = Lock()
        # A bucket maps to its content, and the time of that.
        self._kept: dict[str, tuple[float, float]] = {}

    def take(self, who: str) -> bool:
        with self._lock:
            holds, now = self._holds(who), monotonic()
            if len(self._kept) >= self.MOST:
                self._forget_full()
            self._kept[who] = (holds - 1 if holds >= 1 else holds, now)
            return holds >= 1

    def left(self, who: str) -> Left:
        with self._lock:
            holds = self._holds(who)
        all_in = math.ceil((self._burst - holds) / self._rate)
        return Left(int(holds), max(1, all_in), max(1, math.ceil((1 - holds) / self._rate)))

    def forget(self, who: str) -> None:
        with self._lock:
            self._kept.pop(who, None)

    def _holds(self, who: str) -> float:
        held, since = self._kept.get(who, (self._burst, 0.0))
        return min(self._burst, held + (monotonic() - since) * self._rate)

    def _forget_full(self) -> None:
        self._kept = {who: kept for who, kept in self._kept.items() if self._holds(who) < self._burst}


class Shared:
    """Counts requests for all processes: at most a burst in the time in which it is earned back.

    Where they cannot be kept, nobody is refused.
    """

    def __init__(self, rate: int, burst: int, storage: str) -> None:
        self._item = RateLimitItemPerSecond(burst, max(1, math.ceil(burst / rate)))
        self._limiter = SlidingWindowCounterRateLimiter(storage_from_string(storage, wrap_exceptions=True))

    def take(self, who: str) -> bool:
        try:
            return self._limiter.hit(self._item, who)
        except StorageError:
            log.warning("Requests cannot be counted")
            return True

    def left(self, who: str) -> Left:
        try:
            reset, remaining = self._limiter.get_window_stats(self._item, who)
        except StorageError:
            return Left(self._item.amount, 1, 1)
        seconds = max(1, math.ceil(reset - time.time()))
        return Left(max(0, remaining), seconds, seconds)

    def forget(self, who: str) -> None:
        """Do nothing: counts end by themselves, as soon as they are full again."""


def install(app: Flask, settings: Settings) -> None:
    """Count the requests to the API of an app, and tell each how many are left."""
    rate, burst, storage = (
        settings.dealt_rate_per_second,
        settings.dealt_rate_burst,
        settings.dealt_rate_storage,
    )
    if rate == 0:
        return
    rates: Rates = Buckets(rate, burst) if storage == "memory://" else Shared(rate, burst, storage)
    # It counts unrecognised tokens by address, for this process.
    unknown = Buckets(rate, burst)
    policy = f'"{POLICY}";q={burst};w={max(1, math.ceil(burst / rate))}'

    @app.before_request
    def count() -> None:
        if not request.path.startswith("/v1/"):
            return
        token = _token()
        suspect = token is not None and unknown.left(_address()).requests == 0
        g.rates, g.counted = (unknown, _address()) if suspect else (rates, token or _address())
        if suspect or not g.rates.take(g.counted):
            raise Problem("too_many_requests", headers={"Retry-After": str(g.rates.left(g.counted).next_in)})

    @app.after_request
    def tell(response: Response) -> Response:
        if "counted" in g:
            left = g.rates.left(g.counted)
            response.headers["RateLimit-Policy"] = policy
            response.headers["RateLimit"] = f'"{POLICY}";r={left.requests};t={left.all_in}'
            if response.status_code in _UNRECOGNISED and g.counted == _token() and g.get("player") is None:
                unknown.take(_address())
                rates.forget(g.counted)
        return response


_UNRECOGNISED: Final = frozenset(range(400, 500)) - {429}
"""A request may be refused with these before its token has been looked up; 429 has been counted."""


def _token() -> str | None:
    """Name the caller by the token of the request, where the call asks for one."""
    header = request.headers.get("Authorization")
    if (
        header is None
        or request.endpoint == "players.create"
        or request.blueprint in (None, "games", "poker", "verify")
    ):
        return None
    return f"token {sha256(header.encode()).hexdigest()}"


def _address() -> str:
    return f"address {request.remote_addr}"
