"""Limits the running time of code from other packages, for example while a package is imported or a game is tried."""

import faulthandler
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Final

AGAIN: Final = 1
"""An interrupted task that continues is interrupted again after this many seconds."""


class TimeOver(BaseException):
    """The time is over; the message names the task. Not an `Exception`, because the task's code might catch it."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"{what} took longer than {seconds:g} s")


@contextmanager
def time_limit(what: str, seconds: float) -> Iterator[None]:
    """Raise `TimeOver` in the enclosed code as soon as it has taken this many seconds.

    A loop in C, or one that catches everything, cannot be interrupted. After twice the time, the process is ended, and
    the standard error names the place. Signals reach only the main thread; in other threads nothing is limited.
    """
    if current_thread() is not main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise TimeOver(what, seconds)

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    if sys.__stderr__ is not None:
        faulthandler.dump_traceback_later(2 * seconds, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before or signal.SIG_DFL)
        faulthandler.cancel_dump_traceback_later()
