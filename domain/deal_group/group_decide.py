"""Gives the events that follow from a command to a group of tables."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.core.game import Refused
from domain.deal_group.group_events import (
    CancelGroup,
    CommitGroup,
    EndGroup,
    ExpireGroup,
    GroupCancelled,
    GroupCommitted,
    GroupCreated,
    GroupExpired,
    GroupOver,
    GroupStarted,
    StartGroup,
)
from domain.deal_group.group_state import COMMITTED, EXPIRED, OPEN, OVER, STARTED, TableGroup

_FOLLOWS: Final[Mapping[type, tuple[tuple[str, ...], Callable[[Any], Any]]]] = {
    CommitGroup: ((OPEN,), lambda command: GroupCommitted(command.hashes)),
    StartGroup: ((OPEN, COMMITTED), lambda command: GroupStarted(command.nonces)),
    EndGroup: ((STARTED,), lambda command: GroupOver()),
    CancelGroup: ((OPEN, COMMITTED), lambda command: GroupCancelled()),
    ExpireGroup: ((OPEN, COMMITTED), lambda command: GroupExpired()),
}
"""Each command is carried out in these statuses, and leads to this event."""

_TOO_LATE: Final = {STARTED: "already_started", OVER: "match_over", EXPIRED: "match_over"}
"""The reason why a group of this status can no longer be cancelled."""


def create_group(creator: str, tables: tuple[str, ...]) -> tuple[Any, ...]:
    """Begin a group of these matches."""
    return (GroupCreated(creator, tables),)


def decide(group: TableGroup, command: Any) -> tuple[Any, ...]:
    """Return the events that a command leads to; none if the group has moved on.

    Raise `Refused` for a cancellation that comes too late.
    """
    if isinstance(command, CancelGroup) and group.status in _TOO_LATE:
        raise Refused(_TOO_LATE[group.status])
    statuses, event = _FOLLOWS[type(command)]
    return (event(command),) if group.status in statuses else ()
