"""Decides what is told to arenas alone: that somebody rests or is back, and that their time is over (tournament 10)."""

from collections.abc import Iterator
from typing import Any, Final

from domain.core.game import Refused
from domain.tournament.arena_course import resting
from domain.tournament.entry_events import PlayerDropped, PlayerRested, PlayerReturned
from domain.tournament.table_events import PairingEnded
from domain.tournament.tournament_commands import ComeBack, EndPairing, Rest
from domain.tournament.tournament_events import TournamentCancelled
from domain.tournament.tournament_formats import format_of
from domain.tournament.tournament_state import ANNOUNCED, PLAYING, Tournament

NOT_BEGUN: Final = "Entries were not closed before its time was over."
"""The reason for which an arena is cancelled whose time is over before it has begun."""


def rest(t: Tournament, command: Rest, entrant: int | None) -> tuple[Any, ...]:
    """Pair an entrant no more, until told otherwise."""
    one = _in_play(t, entrant)
    if one in resting(t):
        raise Refused("already_done", "You rest already.")
    return (PlayerRested(one),)


def come_back(t: Tournament, command: ComeBack, entrant: int | None) -> tuple[Any, ...]:
    """Pair an entrant again who has rested."""
    one = _in_play(t, entrant)
    if one not in resting(t):
        raise Refused("already_done", "You are paired as all are.")
    return (PlayerReturned(one),)


def _in_play(t: Tournament, entrant: int | None) -> int:
    """Give an entrant of an arena that is on. Raises `Refused`."""
    if entrant is None:
        raise Refused("no_such_object", "You are not in this tournament.")
    if not format_of(t).is_continuous or t.status != PLAYING or t.pairing_over:
        raise Refused("wrong_phase", "One rests in an arena, while it is paired.")
    return entrant


def end_pairing(t: Tournament, command: EndPairing) -> tuple[Any, ...]:
    """End the pairing of an arena, once; one that has not begun is cancelled."""
    if not format_of(t).is_continuous:
        raise Refused("wrong_phase", "Only an arena ends by its time.")
    if t.pairing_over:
        return ()
    return (TournamentCancelled(None, NOT_BEGUN) if t.status == ANNOUNCED else PairingEnded(),)


def missing(t: Tournament, absent: tuple[int, ...]) -> Iterator[Any]:
    """Give what becomes of those who have not come: the second time they are out; in an arena they rest at first."""
    for one in absent:
        if one in t.left:
            continue
        if one in t.missed:
            yield PlayerDropped(one, t.round)
        elif format_of(t).is_continuous and one not in resting(t):
            yield PlayerRested(one)
