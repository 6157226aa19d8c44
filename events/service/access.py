"""Opens matches for callers, and decides what a caller may do with a match."""

from hmac import compare_digest
from typing import Any

from domain import match as life
from domain.core.cards import Seat
from domain.core.game import AnyGame, Refused
from domain.core.values import value
from domain.games.catalogue import GAMES
from domain.match import Match
from events.errors import Conflict, Forbidden, GameNotInstalled, NotFound
from events.ids import hash_secret, is_id
from events.log.cache import Loaded, LoadedStream
from events.service import tokens
from events.service.context import Context
from events.service.match_kind import MATCH_KIND
from events.store.player_records import Player
from events.store.protocol import Store
from events.store.tables import invite_rows, stream_rows, tournament_rows


@value
class Caller:
    """A player and their token (None: anonymous), and an invite code."""

    player: str | None = None
    token: str = ""
    invite: str | None = None


@value
class OpenedMatch:
    """A match that the caller may read, at a version.

    A request is checked with it before anything is done.
    """

    match_no: int
    version: int
    game: AnyGame
    seats: range
    loaded: Loaded
    """The server's own knowledge, only for the service."""

    @property
    def takes_orders(self) -> bool:
        """Return whether standing orders may make moves in this match."""
        return self.loaded.state.common.standing_orders


# --- Opening ----------------------------------------------------------------------------------------------


def open_match(context: Context, match_id: str, caller: Caller) -> Loaded:
    """Return a match that the caller may read. Raise `NotFound`."""
    loaded = context.loaded(match_id)
    check_readable(context.store, loaded, caller)
    return loaded


def open_checked(context: Context, match_id: str, caller: Caller, *, to_play: bool = True) -> OpenedMatch:
    """Open the match, if the caller may read it. Raises `NotFound`; `GameNotInstalled` unless only reading is meant."""
    loaded = open_match(context, match_id, caller)
    if to_play:
        check_installed(loaded.state.game)
    return _opened_match(loaded)


def open_with_token(
    context: Context, token: str, match_id: str, invite: str | None
) -> tuple[Player, OpenedMatch | None] | None:
    """Find a player by token and open the requested match, in one query.

    None if the token is not valid; no match if the player may not read it.
    """
    kept = context.cache.get(match_id)
    asked = match_id if is_id(match_id) else ""
    found = stream_rows.load_for_token(context.store, hash_secret(token), asked, kept.head.version if kept else 0)
    if found is None:
        return None
    player, there = tokens.check_in_force(context, found[0]), found[1]
    if player is None:
        return None
    loaded = context.current(MATCH_KIND, kept, there)
    if loaded is None or not may_read(context.store, loaded, Caller(player.player_id, token, invite)):
        return player, None
    return player, _opened_match(loaded)


def _opened_match(loaded: Loaded) -> OpenedMatch:
    head, m = loaded.head, loaded.state
    return OpenedMatch(head.match_no, head.version, m.game, m.seats, loaded)


def match_number(context: Context, match_id: str) -> int | None:
    """Return the number of a match without identifying the caller."""
    head = stream_rows.head(context.store, match_id) if is_id(match_id) else None
    return head.match_no if head else None


# --- Permissions -------------------------------------------------------------------------------------------


def seats_of(m: Match, caller: Caller) -> tuple[Seat, ...]:
    """Return the caller's seats."""
    return tuple(s for s in m.seats if caller.player is not None and m.players[s] == caller.player)


def playing_seats(m: Match, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats from which the caller sees the match; after resigning, a player has the spectator's view.

    Once it is over, players see it from their seats again.
    """
    return seats if m.over else tuple(s for s in seats if s not in m.resigned)


def is_creator(m: Match, caller: Caller) -> bool:
    """Return whether the caller created the match."""
    return caller.player is not None and caller.player == m.created.creator


def may_read(store: Store, loaded: Loaded, caller: Caller) -> bool:
    """Return whether the caller may read a match: by its visibility, a seat, or an invite to its lobby.

    A match of a private tournament is readable by all who may see the tournament, so that its standings can be
    verified.
    """
    m = loaded.state
    if loaded.head.imported is not None:
        return True  # It may be unlisted, but is never private.
    if life.is_for_its_players(m):
        return bool(seats_of(m, caller))
    if m.created.visibility != "private" or seats_of(m, caller) or is_creator(m, caller):
        return True
    of = m.created.tournament
    if of and caller.player is not None and tournament_rows.has_to_do_with(store, of.id, caller.player):
        return True
    unstarted = m.status in ("lobby", "cancelled", "expired")
    if unstarted and any(plan.player == caller.player for plan in m.created.seats if plan.player):
        return True
    if caller.invite is None or m.status != "lobby":
        return False
    codes = invite_rows.read_invites(store, loaded.head.match_no).values()
    return any([compare_digest(hash_secret(caller.invite), code) for code in codes])  # noqa: C419 -- all are compared


def check_readable(store: Store, loaded: Loaded, caller: Caller) -> None:
    """Raise `NotFound` unless the caller may read a match."""
    if not may_read(store, loaded, caller):
        raise NotFound


def check_installed(game: AnyGame) -> None:
    """Raise `GameNotInstalled` unless the rules of a match's game are known here."""
    if game.name not in GAMES:
        raise GameNotInstalled


def seat_of(m: Match, caller: Caller, seat: Seat | None) -> Seat:
    """Return the seat, by default the caller's first. Raise `Refused` for another player's."""
    mine = seats_of(m, caller)
    if not mine or (seat is not None and seat not in mine):
        raise Refused("not_seated")
    return mine[0] if seat is None else seat


def acting_seat(m: Match, caller: Caller, seat: Seat | None) -> Seat:
    """Return the seat; by default the caller's first seat to act, otherwise their first seat.

    Raise `Refused` for another player's.
    """
    mine = seats_of(m, caller)
    if not mine or (seat is not None and seat not in mine):
        raise Refused("not_seated")
    if seat is not None:
        return seat
    waiting = [s for s in mine if s in life.to_act(m)]
    return (waiting or mine)[0]


def check_creator(loaded: Loaded, caller: Caller) -> None:
    """Raise `Forbidden` unless the caller has created the match, and `Refused` once it is over."""
    if loaded.state.over:
        raise Refused("match_over")
    if caller.player != loaded.state.created.creator:
        raise Forbidden


def check_version(loaded: LoadedStream[Any], if_match: int | None) -> None:
    """Raise `Conflict` unless a stream is at the version that the caller named, if any."""
    if if_match is not None and if_match != loaded.head.version:
        raise Conflict(loaded.head.version)
