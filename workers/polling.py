"""Polls, again and again: how the notifier and the rater look for work, beside each dispatcher."""

import logging
import random
from collections.abc import Callable
from threading import Event
from typing import Final

LONGEST_BACKOFF: Final = 5.0
"""The longest pause after a failure, in seconds."""


def poll_until(stopping: Event, look: Callable[[], float], log: logging.Logger, failing: str) -> None:
    """Look until `stopping` is set, also after failures: the database or the broker may be away, and comes back.

    `look` says how many seconds to wait for more. The first of several failures is logged as `failing` says it, with
    the type of what was raised.
    """
    failures = 0
    while not stopping.is_set():
        try:
            wait = look()
        except Exception as error:
            if not failures:
                log.warning("%s (%s), trying again until it works", failing, type(error).__name__)
            failures += 1
            wait = min(LONGEST_BACKOFF, 0.1 * 2 ** min(failures, 10)) * random.uniform(0.5, 1.0)
        else:
            failures = 0
        if wait:
            stopping.wait(wait)
