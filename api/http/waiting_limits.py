"""Limits how many requests may wait or stream: in all, for each player, and for each address without a token."""

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Final

from api.http.client_networks import network_of
from api.http.problems import Problem

RETRY_SECONDS: Final = 5
"""The seconds in `Retry-After` for a caller that was refused a place."""


class WaitingLimits:
    """There are `most` places in total, `each` for a player, and `strangers` for anonymous callers from one address."""

    def __init__(self, most: int, each: int, strangers: int) -> None:
        self._most, self._each, self._strangers = most, each, strangers
        self._taken: dict[str, int] = {}
        self._all = 0
        self._lock = Lock()

    @property
    def taken(self) -> int:
        """Return how many places are taken."""
        return self._all

    def take(self, player_id: str | None, address: str | None) -> Callable[[], None]:
        """Take a place for a player, or for an address without a token. Returns the function that frees it.

        Raises 503 if all are taken, and 429 if the caller has reached the limit.
        """
        who, most = (player_id, self._each) if player_id else (network_of(address), self._strangers)
        with self._lock:
            if self._taken.get(who, 0) >= most:
                raise Problem("too_many_requests", _OWN.format(most), headers=_RETRY)
            if self._all >= self._most:
                raise Problem("too_many_waiters", headers=_RETRY)
            self._all += 1
            self._taken[who] = self._taken.get(who, 0) + 1
        return partial(self._leave, who)

    def _leave(self, who: str) -> None:
        with self._lock:
            self._all -= 1
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]


_OWN: Final = "You have {} waiting or streaming requests. End one, or try again after `Retry-After` seconds."
_RETRY: Final = {"Retry-After": str(RETRY_SECONDS)}
