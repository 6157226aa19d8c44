"""Limits work that takes long: each caller holds one slot at most."""

from threading import Lock


class ConcurrencyLimit:
    """There is a fixed number of slots."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: set[str] = set()
        self._lock = Lock()

    def take(self, who: str) -> bool:
        """Return whether the caller gets a slot: not if all are taken, or the caller has one."""
        with self._lock:
            free = len(self._held) < self._most and who not in self._held
            if free:
                self._held.add(who)
            return free

    def leave(self, who: str) -> None:
        """Free the caller's slot."""
        with self._lock:
            self._held.discard(who)
