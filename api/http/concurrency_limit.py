"""Limits work that takes long: each caller holds one slot at most, and free slots go to callers in order of arrival."""

from threading import Condition
from typing import Final

PART_WAITING: Final = 4
"""Callers who wait for a slot hold at most one thread in this many."""


class ConcurrencyLimit:
    """A fixed number of slots, and of callers that can wait for one; each waiting caller holds a thread."""

    def __init__(self, most: int, threads: int) -> None:
        self._most, self._most_waiting = most, threads // PART_WAITING
        self._held: set[str] = set()
        self._waiting: list[str] = []
        self._changed = Condition()

    def take(self, who: str, seconds: float = 0.0) -> bool:
        """Return whether the caller gets a slot within these seconds: not while the caller has or awaits another one.

        Without a wait, callers with one request after the other would leave no slot to a caller with a single one.
        """
        with self._changed:
            if who in self._held or who in self._waiting:
                return False
            seconds = seconds if len(self._waiting) < self._most_waiting else 0.0
            self._waiting.append(who)
            free = self._changed.wait_for(lambda: self._is_free_for(who), seconds)
            self._waiting.remove(who)
            if free:
                self._held.add(who)
            self._changed.notify_all()
            return free

    def leave(self, who: str) -> None:
        """Free the caller's slot."""
        with self._changed:
            self._held.discard(who)
            self._changed.notify_all()

    def _is_free_for(self, who: str) -> bool:
        """Return whether a slot is free, and not for a caller who came before this one."""
        return self._waiting.index(who) < self._most - len(self._held)
