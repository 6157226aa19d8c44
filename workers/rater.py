"""Follows the log, and rates finished matches.

One runs with each dispatcher; any number may run. While there are no rated matches, it only checks for one from time to
time.
"""

from typing import Final

from events.follow.follower import PAGE, Follower
from events.ratings.rated_handler import RatedHandler
from events.ratings.rating_fold import RatingFold
from events.store.protocol import Store

PAUSE: Final = 0.5
"""The pause between two looks, in seconds."""
IDLE_PAUSE: Final = 2.0
"""The pause between two looks while no match is rated, in seconds."""


class Rater:
    """Rates finished matches."""

    def __init__(self, store: Store) -> None:
        self._follower = Follower(store, RatedHandler(store))
        self._fold = RatingFold(store)

    def look(self) -> float:
        """Do all due work; return the seconds until more can be due."""
        followed = self._follower.step()
        rated = self._fold.step()
        if followed is None and not rated:
            return IDLE_PAUSE
        return 0.0 if followed == PAGE or rated else PAUSE
