"""Reads administrators and suspensions, and finds players for administrators."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import func, or_, select

from events.store.administration_records import FoundPlayer
from events.store.protocol import Store
from events.store.schema.administration_schema import administrators, suspensions
from events.store.schema.player_schema import players

MOST_FOUND: Final = 50
"""Maximum number of players in a search."""

_FOUND: Final = (
    select(
        players.c.player_id,
        players.c.name,
        players.c.handle,
        players.c.created_ms,
        administrators.c.player_id.is_not(None).label("administrator"),
        suspensions.c.until_ms,
        suspensions.c.reason,
    )
    .outerjoin(administrators, administrators.c.player_id == players.c.player_id)
    .outerjoin(suspensions, suspensions.c.player_id == players.c.player_id)
    .where(players.c.erased_ms.is_(None), players.c.handle.is_not(None))
)


def is_administrator(store: Store, player_id: str) -> bool:
    """Return whether a player is an administrator."""
    return bool(store.read(select(administrators.c.player_id).where(administrators.c.player_id == player_id)))


def suspension_reason(store: Store, player_id: str) -> str:
    """Return the reason of a player's suspension; nothing without one."""
    found = store.read(select(suspensions.c.reason).where(suspensions.c.player_id == player_id))
    return str(found[0].reason) if found else ""


def find_players(store: Store, text: str) -> Sequence[FoundPlayer]:
    """Return the players with this id, handle or name, ignoring case, and those whose handle begins with it."""
    wanted = text.lower()
    named = or_(
        players.c.player_id == text,
        players.c.handle.startswith(wanted, autoescape=True),
        func.lower(players.c.name) == wanted,
    )
    query = _FOUND.where(named).order_by(players.c.handle).limit(MOST_FOUND)
    return [FoundPlayer(*row) for row in store.read(query)]


def read_player(store: Store, player_id: str) -> FoundPlayer | None:
    """Return a player who has not been erased."""
    found = store.read(_FOUND.where(players.c.player_id == player_id))
    return FoundPlayer(*found[0]) if found else None


def read_administrators(store: Store) -> Sequence[FoundPlayer]:
    """Return the administrators, by their handles."""
    query = _FOUND.where(administrators.c.player_id.is_not(None)).order_by(players.c.handle)
    return [FoundPlayer(*row) for row in store.read(query)]
