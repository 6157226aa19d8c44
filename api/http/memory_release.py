"""Gives memory back to the system after many connections have ended."""

import ctypes
import gc
from collections.abc import Callable
from typing import Final

MANY: Final = 64
"""Fewer connections leave nothing worth giving back."""

NOTES: Final = 5
"""The number of further counts before memory is given back: the connections have freed theirs by then."""


class MemoryRelease:
    """Watches how many connections there are, and gives memory back once most of many have ended."""

    def __init__(self, give_back: Callable[[], None] | None = None) -> None:
        self._give_back = give_back or _give_back
        self._most = MANY
        self._left = 0

    def note(self, connections: int) -> None:
        """Count the connections, about once a second."""
        if self._left:
            self._left -= 1
            if not self._left:
                self._most = max(MANY, connections)
                self._give_back()
            return
        self._most = max(self._most, connections)
        if self._most > MANY and connections < self._most // 2:
            self._left = NOTES


def _give_back() -> None:
    gc.collect()  # connections refer to themselves by their tasks
    # Only glibc has this function; other libraries release memory automatically.
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
