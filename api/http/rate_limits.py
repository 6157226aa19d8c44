"""Limits how often a caller may ask: per token, else per address, before any other work (contract 2).

A token that has not been recognised counts for no caller: what is asked with it counts against its address,
and an address that has brought too many such is refused before its next one is looked up. A call that asks for no token
is counted by address, whatever token it brings. What a call costs, and what it makes, stands with its operation.
"""

import logging
import math
import time
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple, Protocol

from flask import Flask, Response, current_app, g, request
from limits import RateLimitItemPerSecond
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import SlidingWindowCounterRateLimiter

from api.http.app_state import app_state
from api.http.client_networks import network_of
from api.http.long_polling import has_waited
from api.http.openapi_operations import Made, Operation, operation_of
from api.http.problems import Problem
from events.settings import Settings

log = logging.getLogger(__name__)

POLICY: Final = "default"


class RequestsLeft(NamedTuple):
    """Says how many requests are left, in how many seconds all will be, and in how many the next one."""

    requests: int
    all_in: int
    next_in: int


class Rates(Protocol):
    """These functions count requests."""

    def take(self, who: str, cost: int = 1) -> bool:
        """Count a request by its cost; False if it is one too many."""

    def left(self, who: str) -> RequestsLeft:
        """Tell what is left."""

    def forget(self, who: str) -> None:
        """Drop the count of a caller who is not known."""


class Buckets:
    """Counts requests in one process: each caller has a bucket, which fills by `rate` a second up to `burst`.

    The memory storage of `limits` starts a thread for most requests to clear up after itself, which took more of
    a request than anything else but the database.
    """

    MOST: Final = 100_000

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._lock = Lock()
        # A bucket maps to its content, and the time of that.
        self._kept: dict[str, tuple[float, float]] = {}

    def take(self, who: str, cost: int = 1) -> bool:
        with self._lock:
            holds, now = self._holds(who), monotonic()
            if len(self._kept) >= self.MOST:
                self._forget_full()
            enough = holds >= min(cost, self._burst)
            self._kept[who] = (max(0.0, holds - cost) if enough else holds, now)
            return enough

    def left(self, who: str) -> RequestsLeft:
        with self._lock:
            holds = self._holds(who)
        all_in = math.ceil((self._burst - holds) / self._rate)
        return RequestsLeft(int(holds), max(1, all_in), max(1, math.ceil((1 - holds) / self._rate)))

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

    If the counts cannot be kept, no request is refused.
    """

    def __init__(self, rate: float, burst: int, storage: str) -> None:
        self._item = RateLimitItemPerSecond(burst, max(1, math.ceil(burst / rate)))
        self._limiter = SlidingWindowCounterRateLimiter(storage_from_string(storage, wrap_exceptions=True))

    def take(self, who: str, cost: int = 1) -> bool:
        try:
            return self._limiter.hit(self._item, who, cost=min(cost, self._item.amount))
        except StorageError:
            log.warning("Requests cannot be counted")
            return True

    def left(self, who: str) -> RequestsLeft:
        try:
            reset, remaining = self._limiter.get_window_stats(self._item, who)
        except StorageError:
            return RequestsLeft(self._item.amount, 1, 1)
        seconds = max(1, math.ceil(reset - time.time()))
        return RequestsLeft(max(0, remaining), seconds, seconds)

    def forget(self, who: str) -> None:
        """Do nothing: counts expire on their own, as soon as they are full again."""


def limit_rates(app: Flask, settings: Settings) -> None:
    """Count the requests to the API of an app, and tell each how many are left."""
    rate, burst, storage = (
        settings.dealt_rate_per_second,
        settings.dealt_rate_burst,
        settings.dealt_rate_storage,
    )
    if rate == 0:
        return

    def counted(rate: float, burst: int) -> Rates:
        return Buckets(rate, burst) if storage == "memory://" else Shared(rate, burst, storage)

    rates = counted(rate, burst)
    made = {what: counted(most / 3600, most) for what, most in _an_hour(settings).items() if most}
    # It counts unrecognised tokens by address, for this process.
    unknown = Buckets(rate, burst)
    policy = f'"{POLICY}";q={burst};w={max(1, math.ceil(burst / rate))}'

    @app.before_request
    def count() -> None:
        if not request.path.startswith("/v1/"):
            return
        operation = operation_of(app, request.endpoint)
        token, network = _token(operation), network_of(request.remote_addr)
        if has_waited():
            g.rates, g.counted = rates, token or network
            return
        suspect = token is not None and unknown.left(network).requests == 0
        g.rates, g.counted = (unknown, network) if suspect else (rates, token or network)
        if suspect or not g.rates.take(g.counted, _cost(operation)):
            raise Problem("too_many_requests", headers={"Retry-After": str(g.rates.left(g.counted).next_in)})
        if operation and operation.makes in made:
            _make(made[operation.makes], operation.makes)

    @app.after_request
    def tell(response: Response) -> Response:
        if "counted" in g:
            left = g.rates.left(g.counted)
            response.headers["RateLimit-Policy"] = policy
            response.headers["RateLimit"] = f'"{POLICY}";r={left.requests};t={left.all_in}'
            if response.status_code in _UNRECOGNISED and g.counted.startswith("token") and g.get("player") is None:
                unknown.take(network_of(request.remote_addr))
                rates.forget(g.counted)
        return response


def charge_for_events(events: int, per_request: int) -> None:
    """Count the events of a match that are read for the present request, `per_request` of them as one request.

    A match of any length can be read by who has rested: it counts as half of what a caller may ask at once, at most.
    Raises 429 with the time until as many may be read.
    """
    cost = min(events // per_request, app_state().settings.dealt_rate_burst // 2)
    if cost > 0 and "counted" in g and not has_waited() and not g.rates.take(g.counted, cost):
        raise Problem("too_many_requests", _LONG, headers={"Retry-After": str(g.rates.left(g.counted).all_in)})


_LONG: Final = "A long match counts as many requests. Wait for `Retry-After` seconds."


def _make(rates: Rates, what: Made) -> None:
    """Count what the address of the request makes. Raises 429 with the time until it may make another."""
    who = f"{what} {network_of(request.remote_addr)}"
    if not rates.take(who):
        detail = f"Too many {what} were made from your address within an hour. Wait for `Retry-After` seconds."
        raise Problem("too_many_requests", detail, headers={"Retry-After": str(rates.left(who).next_in)})


def _an_hour(settings: Settings) -> dict[Made, int]:
    """Give how many of what an address may make in an hour; 0 is no limit."""
    return {
        "players": settings.dealt_players_an_hour,
        "matches": settings.dealt_matches_an_hour,
        "groups": settings.dealt_groups_an_hour,
        "mails": settings.dealt_mails_an_hour,
        "trades": settings.dealt_trades_an_hour,
    }


def _cost(operation: Operation | None) -> int:
    """Give as how many requests this one counts; a body of unknown length counts as the greatest."""
    each = operation.cost_per_kib if operation else 0
    if not each:
        return 1
    length = request.content_length
    body = operation.body if operation else None
    greatest: int = (body and body.most_bytes) or current_app.config["MAX_CONTENT_LENGTH"]
    return 1 + each * (min(greatest if length is None else length, greatest) // 1024)


_UNRECOGNISED: Final = frozenset(range(200, 500)) - {429}
"""With these a request may be answered though nobody has been recognised by its token; 429 has been counted."""


def _token(operation: Operation | None) -> str | None:
    """Name the caller by the token of the request, where the call asks for one."""
    header = request.headers.get("Authorization")
    if header is None or operation is None or operation.access == "public":
        return None
    return f"token {sha256(header.encode()).hexdigest()}"
