"""Decides what those who run a tournament may do: invite, pause it, let it go on, and cancel it."""

from typing import Any, Final

from domain.core.game import Refused
from domain.tournament.entry_events import PlayersInvited
from domain.tournament.format import Draws
from domain.tournament.tournament_commands import CancelTournament, InvitePlayers, Pause, Resume
from domain.tournament.tournament_events import TournamentCancelled, TournamentPaused, TournamentResumed
from domain.tournament.tournament_state import PLAYING, Tournament

MOST_INVITED: Final = 2048
"""The most players who are invited to a tournament."""


def check_runs(t: Tournament, player: str) -> None:
    """Raise `Refused` if the player does not run the tournament."""
    if player not in (t.organiser, *t.helpers):
        raise Refused("forbidden", "Only the organiser of the tournament and the helpers may do this.")


def invite(t: Tournament, command: InvitePlayers, chance: Draws) -> tuple[Any, ...]:
    """Invite those who are not invited yet."""
    check_runs(t, command.by)
    new = tuple(player for player in dict.fromkeys(command.players) if player not in t.invited)
    if len(t.invited) + len(new) > MOST_INVITED:
        raise Refused("forbidden", f"At most {MOST_INVITED:,} players are invited to a tournament.")
    return (PlayersInvited(new, command.by),) if new else ()


def pause(t: Tournament, command: Pause, chance: Draws) -> tuple[Any, ...]:
    """Close and pair no rounds for now."""
    check_runs(t, command.by)
    if t.paused or t.status != PLAYING:
        raise Refused("wrong_phase", "Only a tournament that is being played can be paused.")
    return (TournamentPaused(command.by, command.reason),)


def resume(t: Tournament, command: Resume, chance: Draws) -> tuple[Any, ...]:
    """Go on."""
    check_runs(t, command.by)
    if not t.paused:
        raise Refused("wrong_phase", "The tournament is not paused.")
    return (TournamentResumed(command.by),)


def cancel(t: Tournament, command: CancelTournament, chance: Draws) -> tuple[Any, ...]:
    """End it without an outcome."""
    check_runs(t, command.by)
    return (TournamentCancelled(command.by, command.reason),)
