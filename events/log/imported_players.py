"""Renames the players of imported matches. They are not players of this server, even if ids are equal.

The log of an imported match has the original ids, because it was hashed with them. In all states folded from it,
players have ids that no player of this server can have.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import msgspec

from domain.match import Match
from events.log.codec import UNREADABLE
from events.store.records import Head, Imported, Projected
from events.visible_text import unseen_in_name

MOST_NAME: Final = 40

_imported = msgspec.json.Decoder(Imported).decode


def foreign_id(match_id: str, player: str) -> str:
    """Name a player of an imported match; a player who already has a name keeps it."""
    here = f"foreign:{match_id}:"
    return player if player.startswith(here) else here + player


def home_id(match_id: str, player: str) -> str:
    """Return the id of a player on the original server, and so in its log."""
    return player.removeprefix(f"foreign:{match_id}:")


def import_of(head: Head) -> Imported | None:
    """Return how an imported match is shown here; None for a match that was played here.

    If the data cannot be read, the match is unlisted and no one vouches for it; an audit reports it.
    """
    try:
        return stored_import(head)
    except UNREADABLE:
        return Imported("unlisted")


def stored_import(head: Head) -> Imported | None:
    """Return the stored data of an import, in its stored form. Raise one of `UNREADABLE`."""
    return None if head.imported is None else _imported(head.imported)


def hide_players(head: Head, m: Match) -> Match:
    """Return a state without its players if the match was imported."""
    if head.imported is None:
        return m
    m.players = tuple(None if player is None else foreign_id(head.match_id, player) for player in m.players)
    m.created = replace(m.created, creator=None)
    return m


def hide_projections(head: Head, made: Projected) -> Projected:
    """Return the projections of a match: an imported one has no results and waits for no player."""
    how = import_of(head)
    if how is None or made.match is None:
        return made
    match = replace(made.match, visibility=how.visibility, deal_group=None)
    return Projected(match=match, seats=made.seats, turns=[], results=[], due=[], reliability=[])


def foreign_names(match_id: str, players: Mapping[str, str | None]) -> dict[str, str]:
    """Return the names of foreign players to store, by their ids here, if they are readable and visible."""
    return {foreign_id(match_id, player): name.strip() for player, name in players.items() if name and _readable(name)}


def _readable(name: str) -> bool:
    return 1 <= len(name.strip()) <= MOST_NAME and unseen_in_name(name.strip()) is None
