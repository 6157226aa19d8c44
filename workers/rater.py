"""The rater follows the log, and rates the matches that are finished.

One beside each dispatcher; any number may run. While no match was ever rated, it looks now and then whether one is.
"""

import logging
import random
from threading import Event
from typing import Final

from events.follow.follower import PAGE, Follower
from events.ratings.rated_handler import RatedHandler
from events.ratings.rating_fold import RatingFold
from events.store.protocol import Store

PAUSE: Final = 0.5
"""The pause between two looks, in seconds."""
IDLE_PAUSE: Final = 2.0
"""The pause between two looks while no match is rated, in seconds."""
LONGEST_BACKOFF: Final = 5.0

log = logging.getLogger(__name__)


class Rater:
    """The rater rates what was finished, until it is stopped."""

    def __init__(self, store: Store) -> None:
        self._follower = Follower(store, RatedHandler(store))
        self._fold = RatingFold(store)
        self._stopping = Event()
        self._failures = 0

    def stop(self) -> None:
        """Let `run` return soon."""
        self._stopping.set()

    def run(self) -> None:
        """Look and wait, again and again, also after failures."""
        while not self._stopping.is_set():
            try:
                wait = self.look()
            except Exception as error:  # the database is away: it comes back
                if not self._failures:
                    log.warning("cannot rate matches (%s), trying again until it works", type(error).__name__)
                self._failures += 1
                wait = min(LONGEST_BACKOFF, 0.1 * 2 ** min(self._failures, 10)) * random.uniform(0.5, 1.0)
            else:
                self._failures = 0
            if wait:
                self._stopping.wait(wait)

    def look(self) -> float:
        """Do what is to be done now; says how many seconds to wait for more."""
        followed = self._follower.step()
        rated = self._fold.step()
        if followed is None and not rated:
            return IDLE_PAUSE
        return 0.0 if followed == PAGE or rated else PAUSE
