"""Decides the events that the tables of a duplicate group share.

`decide` takes a command: all tables are ready, all have finished, or they never begin. Each happens once. The package
knows no match: its caller has checked the tables.
"""

from domain.deal_group.group_decide import create_group, decide
from domain.deal_group.group_events import (
    EVENTS,
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
from domain.deal_group.group_state import CANCELLED, COMMITTED, EXPIRED, OPEN, OVER, STARTED, TableGroup, evolve

__all__ = [
    "CANCELLED",
    "COMMITTED",
    "EVENTS",
    "EXPIRED",
    "OPEN",
    "OVER",
    "STARTED",
    "CancelGroup",
    "CommitGroup",
    "EndGroup",
    "ExpireGroup",
    "GroupCancelled",
    "GroupCommitted",
    "GroupCreated",
    "GroupExpired",
    "GroupOver",
    "GroupStarted",
    "StartGroup",
    "TableGroup",
    "create_group",
    "decide",
    "evolve",
]
