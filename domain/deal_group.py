"""The rules of a duplicate group: the commands and events that its tables share, its state, and the check of both.

`decide` takes a command: all tables are ready, all have finished, or they never begin. Each happens once. The module
knows no match: its caller has checked the tables.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from domain.core.fairness import nonce_hash
from domain.core.game import Refused
from domain.core.values import Copied, mutable, value

Nonces = tuple[tuple[str, ...], ...]
"""The nonces of all tables, table by table and seat by seat; empty for a seat that gave none."""


@value
class CommitGroup:
    """Close the hashes of nonces at all tables, and open the nonces."""

    hashes: Nonces


@value
class StartGroup:
    """Begin all tables, which are ready, with these nonces."""

    nonces: Nonces


@value
class EndGroup:
    """End the group: all tables are over, and wait for each other."""


@value
class CancelGroup:
    """Cancel the group for its creator."""


@value
class ExpireGroup:
    """End a group whose lobbies have expired."""


@value
class GroupCreated:
    """Tables were created that get the same deals; `tables` are the ids of their matches, in order."""

    creator: str
    tables: tuple[str, ...]


@value
class GroupCommitted:
    """Hashes of nonces are closed; these are those of all tables, empty for a seat that gave none."""

    hashes: Nonces


@value
class GroupStarted:
    """All tables begin. Their hands follow from the nonces of all of them."""

    nonces: Nonces


@value
class GroupOver:
    """All tables are over: each may open its deals."""


@value
class GroupCancelled:
    """No table ever begins, because their creator cancelled the group."""


@value
class GroupExpired:
    """No table ever begins, because not all seats were taken in time."""


EVENTS: Final = (GroupCreated, GroupCommitted, GroupStarted, GroupOver, GroupCancelled, GroupExpired)

OPEN: Final = "open"
COMMITTED: Final = "committed"
STARTED: Final = "started"
OVER: Final = "over"
CANCELLED: Final = "cancelled"
EXPIRED: Final = "expired"


@mutable
class TableGroup(Copied):
    """The state of a group: `tables` are the ids of its matches in order.

    `hashes` has the hashes of their nonces once all tables have closed them, `nonces` the nonces once the tables begin.
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


_FOLLOWS: Final[Mapping[type, Callable[[Any], Any]]] = {
    CommitGroup: lambda command: GroupCommitted(command.hashes),
    StartGroup: lambda command: GroupStarted(command.nonces),
    EndGroup: lambda command: GroupOver(),
    CancelGroup: lambda command: GroupCancelled(),
    ExpireGroup: lambda command: GroupExpired(),
}
"""The event that each command causes."""

_AFTER: Final = {
    GroupCommitted: (OPEN,),
    GroupStarted: (OPEN, COMMITTED),
    GroupOver: (STARTED,),
    GroupCancelled: (OPEN, COMMITTED),
    GroupExpired: (OPEN, COMMITTED),
}
"""The statuses of a group in which each event may happen."""

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
    event = _FOLLOWS[type(command)](command)
    return (event,) if group.status in _AFTER[type(event)] else ()


def find_group_fault(events: Iterable[Any]) -> tuple[int, str] | None:
    """Return the number of the first event that cannot follow, from 1, and why; None if all can."""
    group = TableGroup()
    for seq, event in enumerate(events, 1):
        if why := _event_fault(group, event, seq):
            return seq, why
        group = evolve(group, event)
    return None


def _event_fault(group: TableGroup, event: Any, seq: int) -> str | None:
    if (seq == 1) is not isinstance(event, GroupCreated):
        return "A group begins once, with its first event."
    if isinstance(event, GroupCreated):
        alike = len(event.tables) < 2 or len(set(event.tables)) < len(event.tables)
        return "A group has at least two tables, each with its own match." if alike else None
    if group.status not in _AFTER[type(event)]:
        return f"This event is not possible while the group is {group.status}."
    if isinstance(event, GroupCommitted):
        return None if len(event.hashes) == len(group.tables) else "The hashes are not those of all tables."
    if isinstance(event, GroupStarted):
        return _nonce_fault(group, event.nonces)
    return None


def _nonce_fault(group: TableGroup, nonces: Nonces) -> str | None:
    """Return the fault in the nonces of all tables, given the hashes closed before."""
    if len(nonces) != len(group.tables):
        return "The nonces are not those of all tables."
    if not group.hashes:
        return None
    pairs = [pair for row, due in zip(nonces, group.hashes, strict=True) for pair in zip(row, due, strict=False)]
    promised = all(nonce == "" or nonce_hash(nonce) == due for nonce, due in pairs)
    return None if promised and list(map(len, nonces)) == list(map(len, group.hashes)) else "A nonce was not promised."
