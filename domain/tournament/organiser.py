"""Organiser and helpers: they invite players, pause the tournament, resume it, and cancel it."""

from typing import Any, Final

from domain.core.game import Refused
from domain.core.values import value
from domain.tournament.format import Draws, TournamentFormat, TournamentPart
from domain.tournament.tournament_state import CANCELLED, PLAYING, Reason, Tournament


@value
class TournamentPaused:
    """No round is closed or paired until the tournament is resumed."""

    by: str
    """The id of the organiser or co-organiser who paused it."""
    reason: Reason


@value
class TournamentResumed:
    """The tournament continues."""

    by: str
    """The id of the organiser or co-organiser who resumed it."""


@value
class TournamentCancelled:
    """The tournament is ended without an outcome."""

    by: str | None
    """The id of the organiser or co-organiser who cancelled it; null if it was cancelled automatically."""
    reason: Reason


@value
class PlayersInvited:
    """Players were invited."""

    players: tuple[str, ...]
    """The ids of the players."""
    by: str
    """The id of the organiser or co-organiser who invited them."""


@value
class InvitePlayers:
    """Invite players, who may then see and enter the tournament."""

    by: str
    players: tuple[str, ...]


@value
class Pause:
    """Close and pair no rounds until the tournament is resumed."""

    by: str
    reason: str


@value
class Resume:
    """Resume the tournament."""

    by: str


@value
class CancelTournament:
    """End the tournament without an outcome."""

    by: str
    reason: str


MOST_INVITED: Final = 2048
"""Maximum number of invited players of a tournament."""


def check_runs(t: Tournament, player: str) -> None:
    """Raise `Refused` if the player is neither organiser nor helper."""
    if player not in (t.organiser, *t.helpers):
        raise Refused("forbidden", "Only the organiser and co-organisers can do this.")


def invite_players(t: Tournament, command: InvitePlayers, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Invite the players who are not invited yet."""
    check_runs(t, command.by)
    new = tuple(player for player in dict.fromkeys(command.players) if player not in t.invited)
    if len(t.invited) + len(new) > MOST_INVITED:
        raise Refused("forbidden", f"You can invite at most {MOST_INVITED:,} players to a tournament.")
    return (PlayersInvited(new, command.by),) if new else ()


def pause_tournament(t: Tournament, command: Pause, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Pause the tournament: no rounds are closed or paired."""
    check_runs(t, command.by)
    if t.paused or t.status != PLAYING:
        raise Refused("wrong_phase", "Only a running tournament can be paused.")
    return (TournamentPaused(command.by, command.reason),)


def resume_tournament(t: Tournament, command: Resume, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Resume the tournament."""
    check_runs(t, command.by)
    if not t.paused:
        raise Refused("wrong_phase", "The tournament is not paused.")
    return (TournamentResumed(command.by),)


def cancel_tournament(t: Tournament, command: CancelTournament, by: TournamentFormat, chance: Draws) -> tuple[Any, ...]:
    """Cancel the tournament: it ends without an outcome."""
    check_runs(t, command.by)
    return (TournamentCancelled(command.by, command.reason),)


def evolve_organiser(t: Tournament, event: Any) -> None:
    """Assign invitations, pauses and the cancellation to the tournament."""
    match event:
        case PlayersInvited():
            t.invited = (*t.invited, *event.players)
        case TournamentPaused():
            t.paused = True
        case TournamentResumed():
            t.paused = False
        case TournamentCancelled():
            t.status = CANCELLED


ORGANISER: Final = TournamentPart(
    events=(PlayersInvited, TournamentPaused, TournamentResumed, TournamentCancelled),
    evolve=evolve_organiser,
    decisions={
        InvitePlayers: invite_players,
        Pause: pause_tournament,
        Resume: resume_tournament,
        CancelTournament: cancel_tournament,
    },
    causes={
        PlayersInvited: lambda t, e: InvitePlayers(e.by, e.players),
        TournamentPaused: lambda t, e: Pause(e.by, e.reason),
        TournamentResumed: lambda t, e: Resume(e.by),
    },
)
