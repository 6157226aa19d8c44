"""Limits how many connections one server process holds: in all, and from one network."""

import logging
from time import monotonic
from typing import Final

from api.http.networks import network_of
from api.http.places import RETRY_SECONDS
from api.http.problems import Problem

log = logging.getLogger(__name__)

KEPT_FILES: Final = 256
"""The file descriptors reserved for the database, the log and bodies of requests; at most half of the limit."""

SHARE: Final = 4
"""One network may have at most this part of all connections, whatever the setting says."""

WARN_SECONDS: Final = 60.0
"""The log says at most this often that connections are refused."""


class Connections:
    """Counts connections; `each` is how many one network may have, None for no limit; `files` those of the process."""

    def __init__(self, each: int | None, files: int) -> None:
        self._most = files - min(KEPT_FILES, files // 2)
        self._each = self._most if each is None else min(each, self._most // SHARE)
        self._held: dict[str, int] = {}
        self._all = 0
        self._warned = -WARN_SECONDS

    def take(self, address: str | None) -> str:
        """Count a connection from an address, and name its network for `leave`.

        Raises 429 if the network has as many as one may, and 503 if there is room for none.
        """
        network = network_of(address)
        held = self._held.get(network, 0)
        if held >= self._each:
            self._warn(network, held)
            raise Problem("too_many_requests", _OWN.format(held), headers=_RETRY)
        if self._all >= self._most:
            self._warn("all", self._all)
            raise Problem("unavailable", headers=_RETRY)
        self._all += 1
        self._held[network] = held + 1
        return network

    def leave(self, network: str) -> None:
        """Count a connection of a network no longer."""
        self._all -= 1
        self._held[network] -= 1
        if not self._held[network]:
            del self._held[network]

    def _warn(self, whose: str, held: int) -> None:
        if (now := monotonic()) - self._warned >= WARN_SECONDS:
            self._warned = now
            log.warning("Connections are refused: %s has %d", whose, held)


_OWN: Final = "Your address has {} open connections here; close one, or ask on one that is open."
_RETRY: Final = {"Retry-After": str(RETRY_SECONDS)}
