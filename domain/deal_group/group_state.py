"""Defines the state of a group of tables."""

from dataclasses import dataclass
from typing import Any, Final

from domain.core.values import Copied
from domain.deal_group.group_events import (
    GroupCancelled,
    GroupCommitted,
    GroupCreated,
    GroupExpired,
    GroupOver,
    GroupStarted,
    Nonces,
)

OPEN: Final = "open"
COMMITTED: Final = "committed"
STARTED: Final = "started"
OVER: Final = "over"
CANCELLED: Final = "cancelled"
EXPIRED: Final = "expired"


@dataclass(slots=True)
class TableGroup(Copied):
    """The state of a group: `tables` are the ids of its matches in order.

    `hashes` are those of their nonces once all are closed, `nonces` theirs once they begin.
    """

    creator: str = ""
    tables: tuple[str, ...] = ()
    status: str = OPEN
    hashes: Nonces = ()
    nonces: Nonces = ()


def evolve(group: TableGroup, event: Any) -> TableGroup:
    """Return the group after an event."""
    group = group.copy()
    match event:
        case GroupCreated():
            group.creator, group.tables = event.creator, event.tables
        case GroupCommitted():
            group.status, group.hashes = COMMITTED, event.hashes
        case GroupStarted():
            group.status, group.nonces = STARTED, event.nonces
        case GroupOver():
            group.status = OVER
        case GroupCancelled():
            group.status = CANCELLED
        case GroupExpired():
            group.status = EXPIRED
    return group
