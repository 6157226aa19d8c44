"""The rater follows the log, and rates the matches that are finished.

One beside each dispatcher; any number may run. While no match was ever rated, it looks now and then whether one is.
"""

import logging
from typing import Final

from events.follow.follower import PAGE, Follower
from events.ratings.rated_handler import RatedHandler
from events.ratings.rating_fold import RatingFold
from events.store.protocol import Store

PAUSE: Final = 0.5
"""The pause between two looks, in seconds."""
IDLE_PAUSE: Final = 2.0
"""The pause between two looks while no match is rated, in seconds."""

log = logging.getLogger(__name__)


class Rater:
    """The rater rates what was finished."""

    def __init__(self, store: Store) -> None:
        self._follower = Follower(store, RatedHandler(store))
        self._fold = RatingFold(store)

    def look(self) -> float:
        """Do what is to be done now; says how many seconds to wait for more."""
        followed = self._follower.step()
        rated = self._fold.step()
        if followed is None and not rated:
            return IDLE_PAUSE
        return 0.0 if followed == PAGE or rated else PAUSE
