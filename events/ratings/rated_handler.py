"""This handler finds the finished matches that are rated; a follower hands it the log.

It reads matches as spectators see them, so ratings use only public data.
"""

import logging
from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

import msgspec

from domain import match as life
from domain.core.clock import Time
from domain.core.visibility import SPECTATORS
from domain.games.catalogue import GAMES
from domain.ratings.finished import READING, FinishedMatch, read_finished_match
from domain.ratings.match_course import course_of, deadlines_kept, deciders
from events.log import commits as written
from events.store.follow_records import Followed
from events.store.player_records import DecisionRow
from events.store.protocol import Store
from events.store.records import MATCH, CommitRow
from events.store.tables import rating_rows, stream_rows

ANNULLED: Final = '"type":"MatchAnnulled"'

log = logging.getLogger(__name__)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(FinishedMatch).decode


class Over(NamedTuple):
    """The data of a finished match: its rated part, if any, and how its deadlines were kept."""

    match_no: int
    result: FinishedMatch | None = None
    decisions: Sequence[DecisionRow] = ()


class RatedHandler:
    """Records rated matches in the order of their ends in the log, and how deadlines were kept."""

    name: Final = rating_rows.FOLLOWER

    def __init__(self, store: Store) -> None:
        self._store = store
        self._any = False

    def wants_commits(self) -> bool:
        """Return whether any rated match or match with a deadline was ever created."""
        self._any = self._any or rating_rows.any_rated(self._store, GAMES) or rating_rows.any_timed(self._store)
        return self._any

    def read(self, page: Sequence[Followed]) -> rating_rows.Write:
        """Find the finished rated matches of a page; return a function that records them.

        Matches voided since are removed, and all others rated again.
        """
        over = [
            followed.match_no
            for followed in page
            if followed.kind == MATCH and written.MATCH_ENDS in followed.row.events
        ]
        played = rating_rows.played_here(self._store, over)
        read = [self._read(match_no, played[match_no]) for match_no in over if match_no in played]
        found = [
            rating_rows.NewRow(one.match_no, one.result.at, encode(one.result).decode(), READING)
            for one in read
            if one.result is not None
        ]
        annulled = [
            followed.match_no for followed in page if followed.kind == MATCH and ANNULLED in followed.row.events
        ]
        return rating_rows.writer_of_finished(found, annulled, [row for one in read for row in one.decisions])

    def _read(self, match_no: int, match_id: str) -> Over:
        try:
            return self._of_log(match_no, match_id)
        except Exception:  # An unreadable match must not block the rating of all others.
            log.exception("cannot rate match=%s", match_id)
            return Over(match_no)

    def _of_log(self, match_no: int, match_id: str) -> Over:
        return read_ended_match(match_no, match_id, stream_rows.rows(self._store, match_no))


def read_ended_match(match_no: int, match_id: str, rows: Sequence[CommitRow]) -> Over:
    """Read the commits of a finished match."""
    game, seats = written.game_and_seats(rows[0])
    if game not in GAMES:
        return Over(match_no)
    opening = life.fold_from_start(GAMES[game], match_id, written.read_match_events(rows[:1], game, seats, SPECTATORS))
    if not opening.clock.ticks:  # Without a clock, nothing is rated or falls due.
        return Over(match_no)
    commits = [(Time(row.at_ms), list(written.read_match_events([row], game, seats, SPECTATORS))) for row in rows]
    match, course = course_of(GAMES[game], match_id, commits)
    happened = list(chain.from_iterable(events for _, events in commits))
    kept = deadlines_kept(match, happened)
    decisions = [
        DecisionRow(match_no, player, course.ended, kept.in_time, kept.late) for player, kept in sorted(kept.items())
    ]
    decided = deciders(GAMES[game], zip(happened, written.causes(rows), strict=True))
    return Over(match_no, read_finished_match(match, course, decided), decisions)
