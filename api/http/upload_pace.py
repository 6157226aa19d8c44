"""Limits how fast a caller's bodies are read, so that reading leaves time for others."""

from typing import Final

AT_ONCE_SECONDS: Final = 0.1
"""A rested caller may send immediately what it may send in this time."""

MOST_CALLERS: Final = 1_024
"""With more callers than this in memory, those that have rested are forgotten."""


class UploadPace:
    """Spreads what each caller sends over time, at so many bytes a second."""

    def __init__(self, bytes_a_second: int) -> None:
        self._rate = bytes_a_second
        # Until when what a caller has sent keeps it busy.
        self._busy: dict[str, float] = {}

    def note(self, who: str, size: int, now: float) -> float:
        """Count data received from a caller. Return the seconds to wait before more of it is read."""
        if len(self._busy) >= MOST_CALLERS:
            self._busy = {each: until for each, until in self._busy.items() if until > now - AT_ONCE_SECONDS}
        until = max(self._busy.get(who, 0.0), now - AT_ONCE_SECONDS) + size / self._rate
        self._busy[who] = until
        return max(0.0, until - now)
