"""Gives memory back to the system after many connections have ended."""

import ctypes
from typing import Final

MANY: Final = 64
"""So many connections leave nothing worth giving back."""


class Trim:
    """Watches how many connections there are, and gives memory back once most of many have ended."""

    def __init__(self) -> None:
        self._most = MANY
        # Only glibc has it; other libraries give memory back by themselves.
        self._trim = getattr(ctypes.CDLL(None), "malloc_trim", None)

    def note(self, connections: int) -> bool:
        """Note how many connections there are, every now and then. Return whether memory was given back."""
        self._most = max(self._most, connections)
        due = connections < self._most // 2 and self._most > MANY
        if due:
            self._most = MANY
            if self._trim:
                self._trim(0)
        return due
