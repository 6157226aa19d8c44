"""This handler finds the finished matches that are rated; a follower hands it the log.

It reads matches as spectators see them: their ratings follow from nothing else.
"""

import logging
from collections.abc import Sequence
from typing import Final

import msgspec

from domain import match as life
from domain.core.clock import Time
from domain.core.visibility import SPECTATORS
from domain.games.catalogue import GAMES
from domain.ratings import Finished, finished
from events.log import commits as written
from events.store.protocol import Store
from events.store.records import MATCH, Followed
from events.store.tables import rating_rows, stream_rows

ENDED: Final = '"type":"MatchEnded"'
ANNULLED: Final = '"type":"MatchAnnulled"'
STARTED: Final = '"type":"MatchStarted"'

log = logging.getLogger(__name__)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Finished).decode


class RatedHandler:
    """Notes the matches that are rated, in the order in which the log has their ends."""

    name: Final = rating_rows.FOLLOWER

    def __init__(self, store: Store) -> None:
        self._store = store
        self._any = False

    def wanted(self) -> bool:
        """Say whether a match was ever created that is to be rated."""
        self._any = self._any or rating_rows.any_rated(self._store, GAMES)
        return self._any

    def read(self, page: Sequence[Followed]) -> rating_rows.Write:
        """Read which matches of a page are over and rated; the function that is given notes them.

        Those that were annulled since are forgotten, and all others rated anew.
        """
        over = [followed for followed in page if followed.kind == MATCH and ENDED in followed.row.events]
        found = rating_rows.of_those(self._store, [followed.match_no for followed in over])
        results = [
            (followed.match_no, result)
            for followed in over
            if followed.match_no in found
            and (result := self._result(followed.match_no, found[followed.match_no])) is not None
        ]
        annulled = [
            followed.match_no for followed in page if followed.kind == MATCH and ANNULLED in followed.row.events
        ]
        return rating_rows.adding([(match_no, one.at, encode(one).decode()) for match_no, one in results], annulled)

    def _result(self, match_no: int, match_id: str) -> Finished | None:
        try:
            return self._of_log(match_no, match_id)
        except Exception:  # one match that cannot be read must not keep all others from being rated
            log.exception("cannot rate match=%s", match_id)
            return None

    def _of_log(self, match_no: int, match_id: str) -> Finished | None:
        rows = stream_rows.rows(self._store, match_no)
        game, seats = written.opening(rows[0])
        if game not in GAMES:
            return None
        match = life.folded(GAMES[game], match_id, written.events(rows, game, seats, SPECTATORS))
        started = next((row.at_ms for row in rows if STARTED in row.events), rows[0].at_ms)
        ended = next((row.at_ms for row in rows if ENDED in row.events), rows[-1].at_ms)
        return finished(match, Time(started), Time(ended))
