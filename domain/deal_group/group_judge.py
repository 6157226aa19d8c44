"""Checks the events of a duplicate group: each must be possible after the events before it."""

from collections.abc import Iterable
from typing import Any, Final

from domain.core.fairness import nonce_hash
from domain.deal_group.group_events import (
    GroupCancelled,
    GroupCommitted,
    GroupCreated,
    GroupExpired,
    GroupOver,
    GroupStarted,
    Nonces,
)
from domain.deal_group.group_state import COMMITTED, OPEN, STARTED, TableGroup, evolve

_AFTER: Final = {
    GroupCommitted: (OPEN,),
    GroupStarted: (OPEN, COMMITTED),
    GroupOver: (STARTED,),
    GroupCancelled: (OPEN, COMMITTED),
    GroupExpired: (OPEN, COMMITTED),
}
"""The statuses of a group in which each event may happen."""


def find_group_fault(events: Iterable[Any]) -> tuple[int, str] | None:
    """Return the number of the first event that cannot follow, from 1, and why; None if all can."""
    group = TableGroup()
    for seq, event in enumerate(events, 1):
        if why := _wrong(group, event, seq):
            return seq, why
        group = evolve(group, event)
    return None


def _wrong(group: TableGroup, event: Any, seq: int) -> str | None:
    if (seq == 1) is not isinstance(event, GroupCreated):
        return "A group begins once, with its first event."
    if isinstance(event, GroupCreated):
        alike = len(event.tables) < 2 or len(set(event.tables)) < len(event.tables)
        return "A group has two tables at least, each of another match." if alike else None
    if group.status not in _AFTER[type(event)]:
        return f"This cannot happen to a group that is {group.status}."
    if isinstance(event, GroupCommitted):
        return None if len(event.hashes) == len(group.tables) else "The hashes are not those of all tables."
    if isinstance(event, GroupStarted):
        return _not_promised(group, event.nonces)
    return None


def _not_promised(group: TableGroup, nonces: Nonces) -> str | None:
    """Return the fault in the nonces of all tables, given the hashes closed before."""
    if len(nonces) != len(group.tables):
        return "The nonces are not those of all tables."
    if not group.hashes:
        return None
    pairs = [pair for row, due in zip(nonces, group.hashes, strict=True) for pair in zip(row, due, strict=False)]
    promised = all(nonce == "" or nonce_hash(nonce) == due for nonce, due in pairs)
    return None if promised and list(map(len, nonces)) == list(map(len, group.hashes)) else "A nonce was not promised."
