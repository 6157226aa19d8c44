"""Stores tournaments for lists and for the runner: projections of their streams."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Text, and_, bindparam, case, func, or_, select

from events.store.protocol import Store
from events.store.records import MATCH
from events.store.schema.log_schema import stream
from events.store.schema.match_schema import matches, seats
from events.store.schema.player_schema import players
from events.store.schema.tournament_schema import tournament_players, tournament_tables, tournaments
from events.store.tables import outage_rows, stream_rows
from events.store.tournament_records import TableRow, TournamentListing, TournamentRow

TABLES: Final = ("tournaments", "tournament_players", "tournament_tables")
KEY: Final = "tournament_id"
KIND: Final = "tournament"
"""The kind of their streams."""
FOLLOWER: Final = "tournament_ends"
"""The follower that carries out the consequences of a tournament's end."""

OVER: Final = ("finished", "abandoned", "stopped", "cancelled", "expired")
"""The statuses of a match that is over."""


# --- Lists --------------------------------------------------------------------------------------------------


def find_tournaments(
    store: Store, viewer: str | None, listing: TournamentListing, behind: tuple[int, str] | None, limit: int
) -> list[TournamentRow]:
    """Return public tournaments and those that involve the viewer, the latest first, after one of them."""
    t = tournaments.c
    own = t.tournament_id.in_(
        select(tournament_players.c.tournament_id).where(tournament_players.c.player_id == viewer)
    )
    query = select(*(t[name] for name in TournamentRow._fields))
    query = query.where(own if listing.mine else or_(t.visibility == "public", own))
    if listing.status is not None:
        query = query.where(t.status == listing.status)
    if listing.game is not None:
        query = query.where(t.game == listing.game)
    if behind is not None:
        at, tournament_id = behind
        query = query.where(or_(t.created_ms < at, and_(t.created_ms == at, t.tournament_id < tournament_id)))
    query = query.order_by(t.created_ms.desc(), t.tournament_id.desc()).limit(limit)
    return [TournamentRow._make(row) for row in store.read(query)]


def has_to_do_with(store: Store, tournament_id: str, player_id: str) -> bool:
    """Return whether a tournament involves a player, who can then see it even if it is private."""
    p = tournament_players.c
    here = (p.tournament_id == tournament_id) & (p.player_id == player_id)
    return bool(store.read(select(p.role).where(here).limit(1)))


def count_running(store: Store, organiser: str) -> int:
    """Count the tournaments of an organiser that have not ended."""
    here = (tournaments.c.organiser == organiser) & tournaments.c.status.in_(("announced", "playing"))
    found: Sequence[Any] = store.read(select(func.count()).select_from(tournaments).where(here))
    return int(found[0][0])


def taking_part(store: Store, player_id: str) -> list[str]:
    """Return the unfinished tournaments that a player has entered, or waits for."""
    t, p = tournaments.c, tournament_players.c
    here = (p.player_id == player_id) & p.role.in_(("entrant", "waiting")) & t.status.in_(("announced", "playing"))
    query = select(t.tournament_id).join(tournament_players, p.tournament_id == t.tournament_id).where(here)
    return [row.tournament_id for row in store.read(query.order_by(t.tournament_id))]


def open_rounds(store: Store, ids: Collection[str]) -> dict[str, int]:
    """Return the last paired round of the tournaments among these that are being played."""
    t = tournaments.c
    query = select(t.tournament_id, t.round).where(t.tournament_id.in_(ids), t.status == "playing")
    return {row.tournament_id: row.round for row in store.read(query)}


# --- Names --------------------------------------------------------------------------------------------------

_IDENTITY: Final = (
    select(
        players.c.player_id.concat("\n")
        .concat(func.coalesce(players.c.name, ""))
        .concat("\n")
        .concat(func.coalesce(players.c.handle, ""))
        .label("identity")
    )
    .join(tournament_players, tournament_players.c.player_id == players.c.player_id)
    .where(tournament_players.c.tournament_id == bindparam("tournament_id", type_=Text))
    .order_by(players.c.player_id)
    .subquery()
)
_IDENTITIES: Final = select(func.aggregate_strings(_IDENTITY.c.identity, "\n"))


def read_identity_text(store: Store, tournament_id: str) -> str:
    """Return the public data of all players in a tournament as one text, which changes whenever the data does.

    It is read as one row, because reading a thousand rows would take longer than the rest of the answer.
    """
    found: Sequence[Any] = store.read(_IDENTITIES, tournament_id=tournament_id)
    return found[0][0] or ""


# --- Due work ----------------------------------------------------------------------------------------------


def any_on(store: Store) -> bool:
    """Return whether there is an unfinished tournament."""
    here = tournaments.c.status.in_(("announced", "playing"))
    return bool(store.read(select(tournaments.c.tournament_id).where(here).limit(1)))


def any_announced(store: Store) -> bool:
    """Return whether any tournament was ever announced."""
    return bool(store.read(select(tournaments.c.tournament_id).limit(1)))


def find_due_to_close(store: Store, now_ms: int, limit: int, but: Collection[str] = ()) -> list[str]:
    """Return the tournaments whose entries must be closed by now, except these."""
    t = tournaments.c
    here = (t.status == "announced") & (t.closes_ms <= now_ms) & t.tournament_id.not_in(but)
    query = select(t.tournament_id).where(here).order_by(t.closes_ms).limit(limit)
    return [row.tournament_id for row in store.read(query)]


def find_lapsed(store: Store, before_ms: int, limit: int, but: Collection[str] = ()) -> list[str]:
    """Return the tournaments, except these, announced by then whose entries are open without a closing time."""
    t = tournaments.c
    here = (t.status == "announced") & t.closes_ms.is_(None) & t.ends_ms.is_(None) & (t.created_ms <= before_ms)
    query = select(t.tournament_id).where(here, t.tournament_id.not_in(but)).order_by(t.created_ms).limit(limit)
    return [row.tournament_id for row in store.read(query)]


def find_due_to_end(store: Store, now_ms: int, limit: int, but: Collection[str] = ()) -> list[str]:
    """Return the arenas, except these, whose time is over."""
    t = tournaments.c
    here = (t.ends_ms <= now_ms) & t.tournament_id.not_in(but)
    query = select(t.tournament_id).where(here).order_by(t.ends_ms).limit(limit)
    return [row.tournament_id for row in store.read(query)]


_STREAM: Final = and_(stream.c.match_id == tournament_tables.c.match_id, stream.c.kind == MATCH)


def next_match(store: Store, tournament_id: str, player_id: str) -> str | None:
    """Return the unfinished match of a tournament in which a player has a seat, taken or reserved; None without one."""
    mine = seats.c.live & (seats.c.player_id == player_id) & (tournament_tables.c.tournament_id == tournament_id)
    query = select(stream.c.match_id).join_from(tournament_tables, stream, _STREAM)
    query = query.join(seats, seats.c.match_no == stream.c.match_no).where(mine)
    found = store.read(query.order_by(tournament_tables.c.round, tournament_tables.c.place).limit(1))
    return found[0].match_id if found else None


def show_up_seconds(store: Store, tournament_id: str) -> int:
    """Return the seconds within which players must take their seats at a table of a tournament."""
    here = tournaments.c.tournament_id == tournament_id
    found: Sequence[Any] = store.read(select(tournaments.c.show_up_seconds).where(here))
    return int(found[0][0])


def is_made(store: Store, match_id: str) -> bool:
    """Return whether the match of a table exists: it is created shortly after its round is paired."""
    return stream_rows.head(store, match_id) is not None


_SITTING: Final = (
    select(
        stream.c.match_id.concat(" ")
        .concat(case((or_(seats.c.kind != "invite", matches.c.status != "lobby"), "1"), else_="0"))
        .label("sitting")
    )
    .join_from(tournament_tables, stream, _STREAM)
    .join(matches, matches.c.match_no == stream.c.match_no)
    .join(seats, seats.c.match_no == stream.c.match_no)
    .where(tournament_tables.c.tournament_id == bindparam("tournament_id", type_=Text))
    .order_by(stream.c.match_id, seats.c.seat)
    .subquery()
)
_SITTINGS: Final = select(func.aggregate_strings(_SITTING.c.sitting, "\n"))


def read_seat_text(store: Store, tournament_id: str) -> str:
    """Return a line for each seat of a tournament's open matches: the match, and 1 if the seat is taken, else 0.

    It is read as one row, like the identities.
    """
    found: Sequence[Any] = store.read(_SITTINGS, tournament_id=tournament_id)
    return found[0][0] or ""


def find_tables_to_create(store: Store, limit: int, but: Collection[str] = ()) -> list[TableRow]:
    """Return tables, except of these tournaments, whose match does not exist yet."""
    query = _tables(but).outerjoin_from(tournament_tables, stream, _STREAM).where(stream.c.match_no.is_(None))
    return _read(store, query, limit)


def find_finished_tables(store: Store, limit: int, but: Collection[str] = ()) -> list[TableRow]:
    """Return tables, except of these tournaments, whose match is over."""
    return _read(store, _with_matches(but).where(matches.c.status.in_(OVER)), limit)


def find_begun_pods(store: Store, limit: int, but: Collection[str] = ()) -> list[TableRow]:
    """Return pods, except of these tournaments, whose match has begun: it may be over, and wait for others."""
    pods = _with_matches(but).where(tournament_tables.c.round == 0, matches.c.status == "playing")
    return _read(store, pods, limit)


def find_no_show_tables(store: Store, now_ms: int, limit: int, but: Collection[str] = ()) -> list[TableRow]:
    """Return tables at which not all players took their seats in time."""
    return _out_of_time(store, "lobby", 1000 * tournaments.c.show_up_seconds, now_ms, limit, but)


def find_overdue_tables(store: Store, now_ms: int, limit: int, but: Collection[str] = ()) -> list[TableRow]:
    """Return tables whose match is still running after the deadline of the round."""
    return _out_of_time(store, "playing", 86_400_000 * tournaments.c.round_days, now_ms, limit, but)


def _out_of_time(
    store: Store, status: str, has_ms: ColumnElement[int], now_ms: int, limit: int, but: Collection[str]
) -> list[TableRow]:
    """Return tables whose match still has this status after that much time, without outages."""
    t, created = tournament_tables.c, matches.c.created_ms
    query = _with_matches(but).where(matches.c.status == status, created + has_ms <= now_ms)
    rows = store.read(query.add_columns(created, has_ms).order_by(t.tournament_id, t.round, t.place))
    if not rows:
        return []
    proven = outage_rows.proven_until(store, now_ms)
    settled_ms = now_ms if proven is None else proven
    out = outage_rows.outages_since(store, min(row[-2] for row in rows), now_ms)
    late = [row for row in rows if outage_rows.end_of_time(row[-2], row[-1], out) <= settled_ms]
    return [TableRow._make(row[:-2]) for row in late[:limit]]


def _tables(but: Collection[str]) -> Any:
    t = tournament_tables.c
    return select(*(t[name] for name in TableRow._fields)).where(t.tournament_id.not_in(but))


def _with_matches(but: Collection[str]) -> Any:
    found = _tables(but).join_from(tournament_tables, stream, _STREAM)
    found = found.join(matches, matches.c.match_no == stream.c.match_no)
    return found.join(tournaments, tournaments.c.tournament_id == tournament_tables.c.tournament_id)


def _read(store: Store, query: Any, limit: int) -> list[TableRow]:
    t = tournament_tables.c
    return [TableRow._make(row) for row in store.read(query.order_by(t.tournament_id, t.round, t.place).limit(limit))]
