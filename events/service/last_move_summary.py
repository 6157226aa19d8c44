"""Describes in one line what happened since a player's last move, for an inbox with many matches."""

import logging
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import groupby
from threading import Lock
from typing import Any, Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.game_guard import GameFailed
from domain.core.visibility import reader_of
from domain.games.catalogue import game_of
from domain.match.seating import MatchStarted
from events.log import commits
from events.log.codec import has_fading
from events.store.pending_records import InboxRow
from events.store.protocol import Store
from events.store.records import CommitRow, LastRows
from events.store.tables import stream_rows

COMMITS: Final = 4
"""Maximum commits read: three other moves, and the consequences of the player's own."""

LENGTH: Final = 200
LEFT_OUT: Final = "…"
"""Marks an omitted beginning of a line."""
UNTOLD: Final = "The game has failed to say what happened."
KEPT: Final = 20_000

log = logging.getLogger(__name__)


class LastMoveSummaries:
    """Returns the line for each open turn, and caches earlier lines."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[int, Seat, int], str] = OrderedDict()
        self._lock = Lock()

    def texts(self, turns: Sequence[InboxRow]) -> list[str]:
        """Return the line for each of these turns, as far as its seat may know."""
        keys = [(t.match_no, t.seat, t.version) for t in turns]
        with self._lock:
            known = {key: self._kept[key] for key in keys if key in self._kept}
        new = [turn for turn, key in zip(turns, keys, strict=True) if key not in known]
        if new:
            rows = stream_rows.last_rows(self._store, {t.match_no: t.version for t in new}, COMMITS)
            known |= {(t.match_no, t.seat, t.version): _line(t, rows[t.match_no]) for t in new}
            self._keep(known)
        return [known[key] for key in keys]

    def _keep(self, known: dict[tuple[int, Seat, int], str]) -> None:
        with self._lock:
            self._kept.update(known)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _line(turn: InboxRow, last: LastRows) -> str:
    """Return the line for a turn; if its game fails, a line that says so."""
    try:
        return summarize_commits(turn, last)
    except GameFailed as failed:
        # Without the cause, which may quote cards.
        log.error("cannot describe the last move: match=%s: %s", turn.match_id, failed)  # noqa: TRY400
        return UNTOLD


def summarize_commits(turn: InboxRow, last: LastRows) -> str:
    """Return the events in these commits since the last move of the turn's seat, in words."""
    lines: list[str] = []
    whole = not last.rows
    for row in reversed(last.rows):
        own = commits.played_by(row, turn.game) == turn.seat
        shown = list(_shown(turn, last.seats, row))[own:]
        lines[:0] = [_text(turn, event) for event in shown if type(event) not in life.OUTSIDE_PLAY]
        if whole := own or any(type(event) is MatchStarted for event in shown):
            break
    lines = [_times(list(same)) for _, same in groupby(lines, _action_part)]
    while len(lines) > 1 and sum(map(len, lines)) + len(lines) > LENGTH:
        lines.pop(0)
        whole = False
    return " ".join(lines if whole else [LEFT_OUT, *lines])


def _action_part(text: str) -> str:
    """Return the part of a line about a player's action; the part after a semicolon is its consequence."""
    return text.partition(";")[0].removesuffix(".")


def _times(same: list[str]) -> str:
    """Combine repeated events: "Seat 1 draws a card, 3 times; 20 left in the stock."."""
    done = _action_part(same[-1])
    return same[0] if len(same) == 1 else f"{done}, {len(same)} times{same[-1][len(done) :]}"


def _shown(turn: InboxRow, seats: int, row: CommitRow) -> Iterator[Any]:
    """Read a commit as the seat was shown it, without anything that may have faded since."""
    keeps = (lambda event: False) if has_fading(turn.game) else None
    return commits.read_match_events([row], turn.game, seats, reader_of(turn.seat), keeps)


def _text(turn: InboxRow, event: Any) -> str:
    return life.describe_event(game_of(turn.game), event)
