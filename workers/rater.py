"""The rater follows the log, and rates the matches that are finished.

One beside each dispatcher; any number may run. While no match was ever rated, it looks now and then whether one is.
"""

import logging
from threading import Event
from typing import Final

from events.follow.follower import PAGE, Follower
from events.ratings.rated_handler import RatedHandler
from events.ratings.rating_fold import RatingFold
from events.store.protocol import Store
from workers.polling import poll_until

PAUSE: Final = 0.5
"""The pause between two looks, in seconds."""
IDLE_PAUSE: Final = 2.0
"""The pause between two looks while no match is rated, in seconds."""

log = logging.getLogger(__name__)


class Rater:
    """The rater rates what was finished, until it is stopped."""

    def __init__(self, store: Store) -> None:
        self._follower = Follower(store, RatedHandler(store))
        self._fold = RatingFold(store)
        self._stopping = Event()

    def stop(self) -> None:
        """Let `run` return soon."""
        self._stopping.set()

    def run(self) -> None:
        """Look and wait, again and again, also after failures."""
        poll_until(self._stopping, self.look, log, "cannot rate matches")

    def look(self) -> float:
        """Do what is to be done now; says how many seconds to wait for more."""
        followed = self._follower.step()
        rated = self._fold.step()
        if followed is None and not rated:
            return IDLE_PAUSE
        return 0.0 if followed == PAGE or rated else PAUSE
