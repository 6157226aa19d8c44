"""Limits the requests of a caller: per token, else per address, before any other work (contract 2).

An unrecognised token counts against its address. Once an address has sent too many of them, its next token is refused
before it is looked up. An operation without authentication counts by address, whatever token it gets. The cost of a
request, and what it creates, are declared with its operation.
"""

import logging
import math
import time
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple, Protocol

from flask import Flask, Response, current_app, g, request

from api.http.app_state import app_state
from api.http.client_networks import network_of
from api.http.long_polling import has_waited
from api.http.openapi_operations import Made, Operation, operation_of
from api.http.problems import Problem
from events.settings import Settings

log = logging.getLogger(__name__)

HOUR: Final = 3_600


class RequestsLeft(NamedTuple):
    """The requests left, and the seconds until all and until the next one are available."""

    requests: int
    all_in: int
    next_in: int


class Rates(Protocol):
    """Counts requests."""

    def take(self, who: str, cost: int = 1) -> bool:
        """Count a request by its cost; False if it is one too many."""

    def left(self, who: str) -> RequestsLeft:
        """Describe the remaining limit."""

    def forget(self, who: str) -> None:
        """Delete the count of an unknown caller."""


class Buckets:
    """Counts requests in one process: each caller has a bucket, which fills by `rate` a second up to `burst`.

    The memory storage of `limits` starts a thread for most requests to clear up after itself, which took more of a
    request's time than anything except the database.
    """

    MOST: Final = 100_000

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._lock = Lock()
        # A bucket maps to its content and the time of that content.
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
        import limits  # noqa: PLC0415 -- most servers count in memory, and every start would wait for it

        self._unavailable = limits.errors.StorageError
        self._item = limits.RateLimitItemPerSecond(burst, max(1, math.ceil(burst / rate)))
        counts = limits.storage.storage_from_string(storage, wrap_exceptions=True)
        self._limiter = limits.strategies.SlidingWindowCounterRateLimiter(counts)

    def take(self, who: str, cost: int = 1) -> bool:
        try:
            return self._limiter.hit(self._item, who, cost=min(cost, self._item.amount))
        except self._unavailable:
            log.warning("Redis cannot be reached, so requests are not limited")
            return True

    def left(self, who: str) -> RequestsLeft:
        try:
            reset, remaining = self._limiter.get_window_stats(self._item, who)
        except self._unavailable:
            return RequestsLeft(self._item.amount, 1, 1)
        seconds = max(1, math.ceil(reset - time.time()))
        return RequestsLeft(max(0, remaining), seconds, seconds)

    def forget(self, who: str) -> None:
        """Do nothing: counts expire on their own, as soon as they are full again."""


class CountedLimit(NamedTuple):
    """A limit for which a request counts: its policy, with quota and window in seconds, and who is counted."""

    policy: str
    quota: int
    window: int
    rates: Rates
    who: str


def limit_rates(app: Flask, settings: Settings) -> None:
    """Count the requests to the API of an app, and report in each answer how many are left."""
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
    made = {what: (most, counted(most / HOUR, most)) for what, most in _an_hour(settings).items() if most}
    # It counts unrecognised tokens by address, for this process.
    unknown = Buckets(rate, burst)
    window = max(1, math.ceil(burst / rate))

    @app.before_request
    def count() -> None:
        if not request.path.startswith("/v1/"):
            return
        operation = operation_of(app, request.endpoint)
        token, network = _token(operation), network_of(request.remote_addr)
        usual = CountedLimit("default", burst, window, rates, token or network)
        if has_waited():
            g.limits = [usual]
            return
        suspect = token is not None and unknown.left(network).requests == 0
        g.limits = [CountedLimit("invalid-tokens", burst, window, unknown, network) if suspect else usual]
        if suspect or not usual.rates.take(usual.who, _cost(operation)):
            raise Problem("too_many_requests", headers={"Retry-After": str(_left(g.limits[0]).next_in)})
        if operation and operation.makes in made:
            most, counts = made[operation.makes]
            _make(CountedLimit(operation.makes, most, HOUR, counts, f"{operation.makes} {network}"))

    @app.after_request
    def tell(response: Response) -> Response:
        if "limits" in g:
            response.headers["RateLimit-Policy"] = ", ".join(
                f'"{of.policy}";q={of.quota};w={of.window}' for of in g.limits
            )
            response.headers["RateLimit"] = ", ".join(_in_header(of) for of in g.limits)
            counted = g.limits[0].who
            if response.status_code in _UNRECOGNISED and counted.startswith("token") and g.get("player") is None:
                unknown.take(network_of(request.remote_addr))
                rates.forget(counted)
        return response


def _left(limit: CountedLimit) -> RequestsLeft:
    return limit.rates.left(limit.who)


def _in_header(limit: CountedLimit) -> str:
    left = _left(limit)
    return f'"{limit.policy}";r={left.requests};t={left.all_in}'


def charge_for_events(events: int, per_request: int) -> None:
    """Count the events of a match that the current request reads, `per_request` of them as one request.

    An idle caller can read a match of any length: it counts as at most half a burst. Raises 429 with the waiting time.
    """
    cost = min(events // per_request, app_state().settings.dealt_rate_burst // 2)
    if cost > 0 and "limits" in g and not has_waited() and not g.limits[0].rates.take(g.limits[0].who, cost):
        raise Problem("too_many_requests", _LONG, headers={"Retry-After": str(_left(g.limits[0]).all_in)})


_LONG: Final = "A request about a long match counts as several. Wait for `Retry-After` seconds."


def _make(limit: CountedLimit) -> None:
    """Count what the request creates, for its network. Raises 429 with the time until it may make another."""
    g.limits.append(limit)
    if not limit.rates.take(limit.who):
        detail = f"Too many {limit.policy} were made from your address within an hour. Wait for `Retry-After` seconds."
        raise Problem("too_many_requests", detail, headers={"Retry-After": str(_left(limit).next_in)})


def _an_hour(settings: Settings) -> dict[Made, int]:
    """Return how many of these an address can create per hour; 0 for no limit."""
    return {
        "players": settings.dealt_players_an_hour,
        "matches": settings.dealt_matches_an_hour,
        "groups": settings.dealt_groups_an_hour,
        "mails": settings.dealt_mails_an_hour,
        "trades": settings.dealt_trades_an_hour,
        "reports": settings.dealt_reports_an_hour,
        "exports": settings.dealt_exports_an_hour,
    }


def _cost(operation: Operation | None) -> int:
    """Return how many requests this one counts as; a body of unknown length counts as the greatest."""
    each = operation.cost_per_kib if operation else 0
    if not each:
        return 1
    length = request.content_length
    body = operation.body if operation else None
    greatest: int = (body and body.most_bytes) or current_app.config["MAX_CONTENT_LENGTH"]
    return 1 + each * (min(greatest if length is None else length, greatest) // 1024)


_UNRECOGNISED: Final = frozenset(range(200, 500)) - {429}
"""With these codes, a request may be answered without a recognised token; 429 has been counted."""


def _token(operation: Operation | None) -> str | None:
    """Identify the caller by the token of the request, if the operation needs one."""
    header = request.headers.get("Authorization")
    if header is None or operation is None or operation.access == "public":
        return None
    return f"token {sha256(header.encode()).hexdigest()}"
