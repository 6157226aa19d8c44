"""Shares out the connections of one server process: limits those of one network, and the pace of uploads."""

import logging
import sys
from collections.abc import Iterator
from time import monotonic
from typing import Final, Protocol

from api.http.client_networks import network_of
from api.http.fair_shares import FairShares, NoRoom
from api.http.problems import Problem
from api.http.waiting_limits import RETRY_SECONDS

log = logging.getLogger(__name__)

KEPT_FILES: Final = 256
"""The file descriptors reserved for the database, the log and bodies of requests; at most half of the limit."""

WARN_SECONDS: Final = 60.0
"""Minimum seconds between two log lines about refused connections."""


class OpenConnection(Protocol):
    """An open connection."""

    @property
    def is_idle(self) -> bool:
        """Whether the connection is idle."""

    def evict(self) -> None:
        """Close it immediately."""


class ConnectionLimits:
    """Counts connections.

    `each` is the limit of a network, None for no limit; `files` is the limit of the process. If all are taken, a
    newcomer gets one of the network that has the most.
    """

    def __init__(self, each: int | None, files: int) -> None:
        self._each = sys.maxsize if each is None else each
        self._shares: FairShares[OpenConnection] = FairShares(files - min(KEPT_FILES, files // 2), _least_missed)
        self._warned = -WARN_SECONDS

    def take(self, address: str | None, connection: OpenConnection) -> str:
        """Count a connection from an address, and name its network for `leave`.

        Raises 429 if the network has its share, and 503 if there is room for none.
        """
        network = network_of(address)
        held = self._shares.held(network)
        if held >= self._each:
            raise self._refused(network, held)
        try:
            self._shares.take(network, connection)
        except NoRoom:
            raise self._refused(network, held) from None
        return network

    def leave(self, network: str, connection: OpenConnection) -> None:
        """Count a connection of a network no longer."""
        self._shares.give_back(network, connection)

    def _refused(self, network: str, held: int) -> Problem:
        """Return the problem for a network that gets no connection, and log it."""
        if (now := monotonic()) - self._warned >= WARN_SECONDS:
            self._warned = now
            log.warning("Connections are refused: network %s already has %d", network, held)
        if held:
            return Problem("too_many_requests", _OWN.format(held), headers=_RETRY)
        return Problem("unavailable", headers=_RETRY)


def _least_missed(connections: Iterator[OpenConnection]) -> OpenConnection | None:
    """Return the newest idle connection, or the newest of all."""
    newest = next(connections, None)
    if newest is None or newest.is_idle:
        return newest
    return next((each for each in connections if each.is_idle), newest)


_OWN: Final = "Your address has {} open connections. Close one, or reuse one."
_RETRY: Final = {"Retry-After": str(RETRY_SECONDS)}


AT_ONCE_SECONDS: Final = 0.1
"""The seconds whose upload an idle caller may send immediately."""

MOST_CALLERS: Final = 1_024
"""With more callers than this in memory, those that have rested are forgotten."""


class UploadPace:
    """Spreads each caller's uploads over time, at a number of bytes per second."""

    def __init__(self, bytes_a_second: int) -> None:
        self._rate = bytes_a_second
        # The time until which a caller's upload keeps it busy.
        self._busy: dict[str, float] = {}

    def note(self, who: str, size: int, now: float) -> float:
        """Count data received from a caller. Return the seconds to wait before more of it is read."""
        if len(self._busy) >= MOST_CALLERS:
            self._busy = {each: until for each, until in self._busy.items() if until > now - AT_ONCE_SECONDS}
        until = max(self._busy.get(who, 0.0), now - AT_ONCE_SECONDS) + size / self._rate
        self._busy[who] = until
        return max(0.0, until - now)
