"""The rules of a server's administration: its acts, their state, and the check of both.

All acts of a server are events of one stream. An administrator, or the operator on the command line, acts for a reason.
Names are not in the stream, since they can be erased.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, Final

from domain.core.clock import Time
from domain.core.fault import Fault
from domain.core.values import Copied, mutable, value

OPERATOR: Final = "operator"
"""The actor of acts on the command line; all other actors are ids of players."""


@value
class AdministrationStarted:
    """The server has a stream of acts."""


@value
class RoleGranted:
    """A player is an administrator."""

    player: str
    """The id of the player."""
    by: str
    """The id of the administrator who acted, or `operator`."""
    reason: str
    """The reason, in a sentence."""


@value
class RoleRevoked:
    """A player is no longer an administrator."""

    player: str
    """The id of the player."""
    by: str
    """The id of the administrator who acted, or `operator`."""
    reason: str
    """The reason, in a sentence."""


@value
class PlayerRenamed:
    """A player has another name or handle."""

    player: str
    """The id of the player."""
    by: str
    """The id of the administrator who acted, or `operator`."""
    reason: str
    """The reason, in a sentence."""


@value
class PlayerSuspended:
    """A player can only read until a time."""

    player: str
    """The id of the player."""
    until: Time
    """The end of the suspension."""
    by: str
    """The id of the administrator who acted, or `operator`."""
    reason: str
    """The reason, in a sentence; the player sees it."""


@value
class SuspensionLifted:
    """A suspension ended early."""

    player: str
    """The id of the player."""
    by: str
    """The id of the administrator who acted, or `operator`."""
    reason: str
    """The reason, in a sentence."""


@value
class MatchClosed:
    """A match was ended or voided."""

    match: str
    """The id of the match."""
    by: str
    """The id of the administrator who acted, or `operator`."""
    reason: str
    """The reason, in a sentence."""


@value
class PersonErased:
    """A player was erased on request of the person."""

    player: str
    """The id of the player."""
    by: str
    """The id of the administrator who acted, or `operator`."""
    reason: str
    """The reason, in a sentence."""


@value
class ReportResolved:
    """A player's report was answered."""

    report: str
    """The id of the report."""
    by: str
    """The id of the administrator who acted, or `operator`."""
    reason: str
    """The outcome, in a sentence."""


EVENTS: Final = (
    AdministrationStarted,
    RoleGranted,
    RoleRevoked,
    PlayerRenamed,
    PlayerSuspended,
    SuspensionLifted,
    MatchClosed,
    PersonErased,
    ReportResolved,
)


@value
class Suspension:
    """A suspension: its end and the reason."""

    until: Time
    reason: str


@mutable
class Administration(Copied):
    """The state of the administration: the administrators, and the suspensions by player, past ones included."""

    administrators: frozenset[str] = frozenset()
    suspensions: Mapping[str, Suspension] = field(default_factory=dict)


def evolve(a: Administration, event: Any) -> Administration:
    """Return the administration after an event."""
    a = a.copy()
    match event:
        case RoleGranted():
            a.administrators |= {event.player}
        case RoleRevoked():
            a.administrators -= {event.player}
        case PlayerSuspended():
            a.suspensions = {**a.suspensions, event.player: Suspension(event.until, event.reason)}
        case SuspensionLifted():
            a.suspensions = _suspensions_except(a.suspensions, event.player)
        case PersonErased():
            a.administrators -= {event.player}
            a.suspensions = _suspensions_except(a.suspensions, event.player)
    return a


def _suspensions_except(suspensions: Mapping[str, Suspension], player: str) -> Mapping[str, Suspension]:
    return {one: suspension for one, suspension in suspensions.items() if one != player}


def can_act(a: Administration, actor: str) -> bool:
    """Return whether an actor is the operator or an administrator."""
    return actor == OPERATOR or actor in a.administrators


def find_administration_fault(stream: str, events: Iterable[Any]) -> Fault | None:
    """Return the first act that its actor had no right to; None if there is none."""
    a = Administration()
    for place, event in enumerate(events):
        if (place == 0) is not isinstance(event, AdministrationStarted):
            return Fault(place, "An administration begins once, with its first event.")
        if place and not _is_allowed(a, event):
            return Fault(place, f"{event.by} is not an administrator.")
        a = evolve(a, event)
    return None


def _is_allowed(a: Administration, event: Any) -> bool:
    """Return whether the actor may do this: only the operator grants and revokes the role."""
    if isinstance(event, RoleGranted | RoleRevoked):
        return bool(event.by == OPERATOR)
    return can_act(a, event.by)
