"""Shares out the connections of one server process, and limits those of one network."""

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
"""The log says at most this often that connections are refused."""


class OpenConnection(Protocol):
    """An open connection."""

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""

    def evict(self) -> None:
        """Close it immediately."""


class ConnectionLimits:
    """Counts connections; `each` is how many one network may have, None for no limit; `files` those of the process.

    When all are taken, a newcomer gets one of the network that has the most.
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
            log.warning("Connections are refused: %s has %d", network, held)
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
