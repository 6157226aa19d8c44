"""Makes notices of tournaments, from their events and the state after each of them.

Only players who may see a tournament are notified, and they may read all its events.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from domain.tournament.entrants import EntriesClosed, PlayerBarred, PlayerDisqualified, PlayerDropped, PlayerMovedUp
from domain.tournament.formats.arena import TablesPaired
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.formats.many_tables import StackMoved
from domain.tournament.organiser import PlayersInvited, TournamentCancelled
from domain.tournament.round_steps import TournamentEnded
from domain.tournament.round_tables import ByeGiven, RoundPaired
from domain.tournament.rounds import BOT
from domain.tournament.tournament_events import EVENTS, evolve
from domain.tournament.tournament_state import Tournament
from events.ids import match_of
from events.log.codec import shapes_of
from events.log.commits import read_events
from events.notify import ledger
from events.notify.notices import (
    TOURNAMENT_DROPPED,
    TOURNAMENT_ENTRIES_CLOSED,
    TOURNAMENT_INVITED,
    TOURNAMENT_MOVED_UP,
    TOURNAMENT_OVER,
    TOURNAMENT_ROUND_PAIRED,
    Notice,
)
from events.store.follow_records import Followed
from events.store.protocol import Store
from events.store.records import CommitRow
from events.store.schema.log_schema import stream
from events.store.schema.tournament_schema import tournament_players
from events.store.tables import stream_rows
from events.store.tables.tournament_rows import KIND

MOST: Final = 100
"""Maximum number of cached tournaments."""

log = logging.getLogger(__name__)


# --- Notices of events -------------------------------------------------------------------------------------


class Told(NamedTuple):
    """A notice for a player: the round, and the table and seat in it, if it is about one."""

    player: str
    kind: str
    round: int | None = None
    table: int | None = None
    seat: int | None = None


def tournament_recipients(t: Tournament, event: Any) -> Iterator[Told]:
    """Return the notices of an event, from the state of the tournament after it.

    Players are not notified of their own actions.
    """
    return _TOLD[type(event)](t, event) if type(event) in _TOLD else iter(())


def _invited(t: Tournament, event: PlayersInvited) -> Iterator[Told]:
    return (Told(player, TOURNAMENT_INVITED) for player in event.players if player != event.by)


def _moved_up(t: Tournament, event: PlayerMovedUp) -> Iterator[Told]:
    yield Told(event.player, TOURNAMENT_MOVED_UP)


def _notify_entries_closed(t: Tournament, event: EntriesClosed) -> Iterator[Told]:
    """Return notices for organisers, and for waiting players without a place; entrants are notified of their tables."""
    return (Told(player, TOURNAMENT_ENTRIES_CLOSED) for player in _except_actor((*_runners(t), *t.waiting), event.by))


def _paired(t: Tournament, event: RoundPaired | TablesPaired) -> Iterator[Told]:
    """Return notices of tables; in an arena, their numbers continue.

    A table that continues from hand to hand is announced once, then only to players who move to it.
    """
    if format_of(t).has_stacks and event.round > 1:
        return
    for table, seats in enumerate(event.tables, len(t.tables) - len(event.tables)):
        for seat, one in enumerate(seats):
            if one is not BOT and one not in t.left:
                yield Told(t.players[one], TOURNAMENT_ROUND_PAIRED, event.round, table, seat)


def _moved(t: Tournament, event: StackMoved) -> Iterator[Told]:
    seat = t.tables[event.table].index(event.entrant)
    yield Told(t.players[event.entrant], TOURNAMENT_ROUND_PAIRED, event.round, event.table, seat)


def _bye(t: Tournament, event: ByeGiven) -> Iterator[Told]:
    yield Told(t.players[event.entrant], TOURNAMENT_ROUND_PAIRED, event.round)


def _dropped(t: Tournament, event: PlayerDropped | PlayerDisqualified) -> Iterator[Told]:
    yield Told(t.players[event.entrant], TOURNAMENT_DROPPED)


def _barred(t: Tournament, event: PlayerBarred) -> Iterator[Told]:
    yield Told(event.player, TOURNAMENT_DROPPED)


def _ended(t: Tournament, event: TournamentEnded) -> Iterator[Told]:
    return (Told(player, TOURNAMENT_OVER) for player in _except_actor((*_runners(t), *_entrants(t)), None))


def _cancelled(t: Tournament, event: TournamentCancelled) -> Iterator[Told]:
    waiting = () if t.order else tuple(t.waiting)
    concerned = (*_runners(t), *_entrants(t), *waiting)
    return (Told(player, TOURNAMENT_OVER) for player in _except_actor(concerned, event.by))


def _runners(t: Tournament) -> tuple[str, ...]:
    return (t.organiser, *t.helpers)


def _entrants(t: Tournament) -> tuple[str, ...]:
    return tuple(player for one, player in enumerate(t.players) if one not in t.left)


def _except_actor(players: Sequence[str], by: str | None) -> list[str]:
    """Return players once each, without the one who acted."""
    return [player for player in dict.fromkeys(players) if player != by]


_TOLD: Final[Mapping[type, Callable[[Tournament, Any], Iterator[Told]]]] = {
    PlayersInvited: _invited,
    PlayerMovedUp: _moved_up,
    EntriesClosed: _notify_entries_closed,
    RoundPaired: _paired,
    TablesPaired: _paired,
    StackMoved: _moved,
    ByeGiven: _bye,
    PlayerDropped: _dropped,
    PlayerDisqualified: _dropped,
    PlayerBarred: _barred,
    TournamentEnded: _ended,
    TournamentCancelled: _cancelled,
}


# --- Reading the log --------------------------------------------------------------------------------------


class TournamentNotices:
    """Reads commits of tournaments, and keeps the current tournaments."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[int, tuple[int, Tournament]] = OrderedDict()

    def read(self, page: Sequence[Followed]) -> list[Notice]:
        """Yield the notices from a page, in order; commits of other kinds are skipped."""
        page = [followed for followed in page if followed.kind == KIND]
        found = self._concerned({followed.match_no for followed in page}) if page else {}
        notices: list[Notice] = []
        for followed in page:
            if followed.match_no in found:
                notices += self._of_commit(followed.match_no, found[followed.match_no], followed.row)
        return notices

    def _concerned(self, numbers: set[int]) -> dict[int, str]:
        """Return the tournaments, with their ids, that involve a player who wants notices."""
        p = tournament_players.c
        query = (
            select(stream.c.match_no, stream.c.match_id)
            .join(tournament_players, p.tournament_id == stream.c.match_id)
            .where(
                stream.c.match_no.in_(numbers),
                stream.c.imported.is_(None),
                p.player_id.in_(ledger.players_with_channel()),
            )
            .distinct()
        )
        return {row.match_no: row.match_id for row in self._store.read(query)}

    def _of_commit(self, number: int, tournament_id: str, row: CommitRow) -> list[Notice]:
        notices: list[Notice] = []
        try:
            t = self._before(number, row.first)
            for seq, event in enumerate(_events([row]), row.first):
                t = evolve(t, event)
                notices += (
                    _notice(number, tournament_id, t, one, (seq, row.at_ms)) for one in tournament_recipients(t, event)
                )
        except Exception:  # An unreadable tournament must not hold up the notifications of all others.
            log.exception("cannot send the notifications of tournament=%s commit=%d", tournament_id, row.first)
            return []
        self._keep(number, row.first + row.n - 1, t)
        return notices

    def _before(self, number: int, first: int) -> Tournament:
        """Return a tournament before one of its events."""
        version, t = self._kept.get(number, (0, Tournament()))
        if version != first - 1:
            t = Tournament()
            for event in _events([row for row in stream_rows.rows(self._store, number) if row.first < first]):
                t = evolve(t, event)
        return t

    def _keep(self, number: int, version: int, t: Tournament) -> None:
        self._kept[number] = (version, t)
        self._kept.move_to_end(number)
        if t.ended or len(self._kept) > MOST:
            self._kept.popitem(last=t.ended)


def _events(rows: Sequence[CommitRow]) -> Iterator[Any]:
    return read_events(rows, shapes_of(EVENTS), 0)


def _notice(number: int, tournament_id: str, t: Tournament, one: Told, since: tuple[int, int]) -> Notice:
    at_table = one.round is not None and one.table is not None
    match_id = match_of(tournament_id, one.round or 0, one.table or 0, 0) if at_table else ""
    version, at = since
    return Notice(
        one.player,
        number,
        match_id,
        t.terms.game,
        one.kind,
        one.seat,
        version,
        at,
        tournament_id=tournament_id,
        round=one.round,
    )
