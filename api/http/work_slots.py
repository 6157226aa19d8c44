"""Places for work that takes long, of which nobody holds more than one."""

from threading import Lock


class WorkSlots:
    """So many places at the same time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: set[str] = set()
        self._lock = Lock()

    def take(self, who: str) -> bool:
        """Give somebody a place; False if all are taken, or he has one."""
        with self._lock:
            free = len(self._held) < self._most and who not in self._held
            if free:
                self._held.add(who)
            return free

    def leave(self, who: str) -> None:
        """Take the place back."""
        with self._lock:
            self._held.discard(who)
