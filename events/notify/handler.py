"""Turns commits into notifications; a follower reads the log for it.

It reads matches as spectators see them, so notifications contain no secrets; tournament events are public.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Final

from sqlalchemy import Connection, select

from domain import match as life
from domain.core.clock import Time
from domain.core.values import mutable
from domain.core.visibility import SPECTATORS
from domain.games.catalogue import game_of
from domain.match import Match
from events import times
from events.log import commits as written
from events.log import deadlines
from events.notify import ledger
from events.notify.ledger import Alarm
from events.notify.notices import NEAR_SECONDS, Change, Notice, Waited, change, near_at, notices
from events.notify.tournament_notices import TournamentNotices
from events.store.follow_records import Followed
from events.store.protocol import Store
from events.store.records import MATCH, CommitRow
from events.store.schema.log_schema import stream
from events.store.schema.match_schema import seats
from events.store.tables import stream_rows

MOST: Final = 1_000
"""Maximum number of matches kept in memory."""

log = logging.getLogger(__name__)


@mutable
class _Page:
    """The notifications and alarms of a page of the log."""

    notices: list[Notice] = field(default_factory=list)
    waits: dict[tuple[int, int], tuple[int, Waited] | None] = field(default_factory=dict)
    """The player whom a match waits for and the version since which it does, by match number and seat; None if there is
    none.
    """


class NoticeHandler:
    """Records notifications for players; mail waits `collect_ms` milliseconds for more of them."""

    name: Final = ledger.FOLLOWER

    def __init__(self, store: Store, *, collect_ms: int = 300_000, now: Callable[[], Time] = times.now) -> None:
        self._store = store
        self._collect_ms = collect_ms
        self._now = now
        self._kept: OrderedDict[int, tuple[int, Match, dict[int, int]]] = OrderedDict()
        self._tournaments = TournamentNotices(store)

    def wants_commits(self) -> bool:
        """Return whether any player wants notices."""
        return ledger.has_any_channel(self._store)

    def read(self, page: Sequence[Followed]) -> Callable[[Connection], None]:
        """Read the consequences of a page; the returned function writes them."""
        done = _Page(self._tournaments.read(page))
        of_matches = [followed for followed in page if followed.kind == MATCH]
        found = self._concerned({followed.match_no for followed in of_matches})
        for followed in of_matches:
            if followed.match_no in found:
                self._read(followed, found[followed.match_no], done)
        return lambda connection: self._write(connection, done)

    def _concerned(self, match_nos: set[int]) -> dict[int, str]:
        """Return the matches, with their ids, that have a player who wants notices."""
        here = (
            select(seats.c.match_no)
            .where(seats.c.match_no.in_(match_nos), seats.c.player_id.in_(ledger.players_with_channel()))
            .distinct()
        )
        query = select(stream.c.match_no, stream.c.match_id).where(
            stream.c.match_no.in_(here), stream.c.imported.is_(None)
        )
        return {row.match_no: row.match_id for row in self._store.read(query)}

    def _read(self, followed: Followed, match_id: str, done: _Page) -> None:
        try:
            self._handle_commit(followed.match_no, match_id, followed.row, done)
        except Exception:  # An unreadable match must not hold up the notifications of all others.
            log.exception("cannot send the notifications of match=%s commit=%d", match_id, followed.row.first)

    def _handle_commit(self, match_no: int, match_id: str, row: CommitRow, done: _Page) -> None:
        before, since = self._before(match_no, match_id, row)
        after, changed = self._advance(match_id, before, row)
        version = row.first + row.n - 1
        said = notices(changed, after, match_no, match_id, version, row.at_ms)
        done.notices += [self._with_enforced_deadline(notice, after) for notice in said]
        for seat in changed.closed:
            since.pop(seat, None)
            done.waits[match_no, seat] = None
        for seat in changed.opened:
            since[seat] = version
        for seat, w in {**changed.opened, **changed.moved}.items():
            done.waits[match_no, seat] = (since[seat], w)
        self._keep(match_no, version, after, since)

    def _with_enforced_deadline(self, notice: Notice, m: Match) -> Notice:
        """Return the notice with its deadline moved by the outages and vacations known now."""
        if notice.deadline_ms is None or notice.seat is None:
            return notice
        return replace(notice, deadline_ms=deadlines.deadline_of_seat(self._store, m, notice.seat, self._now()))

    def _before(self, match_no: int, match_id: str, row: CommitRow) -> tuple[Match | None, dict[int, int]]:
        """Return the match before a commit, and the version since which each decision is open."""
        kept = self._kept.get(match_no)
        if kept is not None and kept[0] == row.first - 1:
            return kept[1], dict(kept[2])
        match: Match | None = None
        since: dict[int, int] = {}
        for earlier in stream_rows.rows(self._store, match_no):
            if earlier.first >= row.first:
                break
            match, changed = self._advance(match_id, match, earlier)
            for seat in changed.closed:
                since.pop(seat, None)
            since |= dict.fromkeys(changed.opened, earlier.first + earlier.n - 1)
        return match, since

    def _advance(self, match_id: str, before: Match | None, row: CommitRow) -> tuple[Match, Change]:
        if before is None:
            game, n = written.game_and_seats(row)
            events = list(written.read_match_events([row], game, n, SPECTATORS))
            after = life.fold_from_start(game_of(game), match_id, events)
        else:
            events = list(written.read_match_events([row], before.game.name, len(before.seats), SPECTATORS))
            after = life.fold(before, events)
        return after, change(before, after, next(iter(events), None))

    def _keep(self, match_no: int, version: int, match: Match, since: dict[int, int]) -> None:
        if match.over:
            self._kept.pop(match_no, None)
            return
        self._kept[match_no] = (version, match, since)
        self._kept.move_to_end(match_no)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def _write(self, connection: Connection, done: _Page) -> None:
        asked = {key: wait for key, wait in done.waits.items() if wait is not None}
        players = {n.player_id for n in done.notices} | {w.player_id for _, w in asked.values()}
        of = ledger.channels(connection, players)
        ledger.write(connection, done.notices, self._now(), self._collect_ms, of)
        near = ledger.near_seconds(connection, players)
        wanted = [
            Alarm(match_no, seat, w.player_id, version, due, w.deadline)
            for (match_no, seat), (version, w) in asked.items()
            if of.get(w.player_id)
            and w.deadline is not None
            and (due := near_at(w.opened, w.deadline, near.get(w.player_id, NEAR_SECONDS))) is not None
        ]
        ledger.set_alarms(connection, done.waits, wanted)
