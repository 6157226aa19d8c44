"""This module says what a caller may do with a match."""

from dataclasses import dataclass
from hmac import compare_digest

from domain import match as life
from domain.core.cards import Seat
from domain.core.game import AnyGame, Refused
from domain.games.catalogue import GAMES
from domain.match import Match
from events.errors import Conflict, Forbidden, GameNotInstalled
from events.ids import hashed
from events.log.cache import Loaded
from events.store import tables
from events.store.protocol import Store


@dataclass(slots=True, frozen=True)
class Caller:
    """A caller is a player and their token (None: a stranger), and the invite they brought."""

    player: str | None = None
    token: str = ""
    invite: str | None = None


def seats_of(m: Match, caller: Caller) -> tuple[Seat, ...]:
    """Give the seats in which the caller sits."""
    return tuple(s for s in m.seats if caller.player is not None and m.players[s] == caller.player)


def created_by(m: Match, caller: Caller) -> bool:
    """Say whether the caller has created the match."""
    return caller.player is not None and caller.player == m.created.creator


def may_read(store: Store, loaded: Loaded, caller: Caller) -> bool:
    """Say whether the caller may read a match: by its visibility, their seat, or an invite to its lobby."""
    m = loaded.match
    if loaded.head.imported is not None:
        return True  # it may be unlisted, but is never private
    if life.for_its_players(m):
        return bool(seats_of(m, caller))
    if m.created.visibility != "private" or seats_of(m, caller) or created_by(m, caller):
        return True
    unstarted = m.status in ("lobby", "cancelled", "expired")
    if unstarted and any(plan.player == caller.player for plan in m.created.seats if plan.player):
        return True
    if caller.invite is None or m.status != "lobby":
        return False
    codes = tables.invites.of_match(store, loaded.head.match_no).values()
    return any([compare_digest(hashed(caller.invite), code) for code in codes])  # noqa: C419 -- all are compared


def check_installed(game: AnyGame) -> None:
    """Raise `GameNotInstalled` unless the rules of a match's game are known here."""
    if game.name not in GAMES:
        raise GameNotInstalled


def own(m: Match, caller: Caller, seat: Seat | None) -> Seat:
    """Give the seat, by default the caller's first. Raises `Refused` for another's."""
    mine = seats_of(m, caller)
    if not mine or (seat is not None and seat not in mine):
        raise Refused("not_seated")
    return mine[0] if seat is None else seat


def acting(m: Match, caller: Caller, seat: Seat | None) -> Seat:
    """Give the seat, by default the caller's first that is to act, else their first.

    Raises `Refused` for another's.
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
    if loaded.match.over:
        raise Refused("match_over")
    if caller.player != loaded.match.created.creator:
        raise Forbidden


def check_version(loaded: Loaded, if_match: int | None) -> None:
    """Raise `Conflict` unless the match is at the version that the caller named, if any."""
    if if_match is not None and if_match != loaded.head.version:
        raise Conflict(loaded.head.version)
