"""Measures the time that a bot thinks about a move, in the thread that plays it."""

from time import monotonic, thread_time
from typing import Final

from domain.core.monte_carlo import SearchBudget

MOST_COMPUTING: Final = 1.5
"""A search that has computed for this multiple of its time is cut short: the machine is slow."""
MOST_WAITING: Final = 3.0
"""A search that takes this multiple of its time is cut short: the machine is busy, and the player waits."""


def timed_budget(milliseconds: int) -> SearchBudget:
    """Return a budget whose time begins now.

    The number of playouts follows only from the milliseconds, so that a task that is delivered twice makes the same
    move. Only on a machine that is too slow is the search cut short.
    """
    computed, begun = thread_time(), monotonic()
    seconds = milliseconds / 1000

    def is_over() -> bool:
        return thread_time() - computed > MOST_COMPUTING * seconds or monotonic() - begun > MOST_WAITING * seconds

    return SearchBudget(milliseconds, is_over=is_over)
