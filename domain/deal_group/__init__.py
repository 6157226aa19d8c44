"""A group of tables that get the same deals: what has become of all its tables together.

It is told (`decide`) that all its tables are ready, that all are over, or that they never begin; each of that happens
once. It knows no match: who tells it has looked at the tables.
"""

from domain.deal_group.decide import create, decide
from domain.deal_group.events import (
    EVENTS,
    CancelGroup,
    EndGroup,
    ExpireGroup,
    GroupCancelled,
    GroupCreated,
    GroupExpired,
    GroupOver,
    GroupStarted,
    StartGroup,
)
from domain.deal_group.state import CANCELLED, EXPIRED, OPEN, OVER, STARTED, TableGroup, evolve

__all__ = [
    "CANCELLED",
    "EVENTS",
    "EXPIRED",
    "OPEN",
    "OVER",
    "STARTED",
    "CancelGroup",
    "EndGroup",
    "ExpireGroup",
    "GroupCancelled",
    "GroupCreated",
    "GroupExpired",
    "GroupOver",
    "GroupStarted",
    "StartGroup",
    "TableGroup",
    "create",
    "decide",
    "evolve",
]
