"""Tests duplicate groups: each event applies to all tables once, or to none."""

from functools import reduce
from typing import Any

import pytest

from domain.core.game import Refused
from domain.deal_group import (
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
    TableGroup,
    create_group,
    decide,
    evolve,
)

NONCES = (("a", ""), ("b", ""))
CREATED = GroupCreated("ann", ("one", "two"))
OPEN = (CREATED,)
HASHES = (("c", ""), ("d", ""))
COMMITTED = (*OPEN, GroupCommitted(HASHES))
STARTED = (*OPEN, GroupStarted(NONCES))
OVER = (*STARTED, GroupOver())
CANCELLED = (*OPEN, GroupCancelled())
EXPIRED = (*OPEN, GroupExpired())


def after(*events: Any) -> TableGroup:
    return reduce(evolve, events, TableGroup())


def test_a_group_is_created_with_its_tables():
    assert create_group("ann", ("one", "two")) == OPEN
    group = after(*OPEN)
    assert (group.creator, group.tables, group.status, group.nonces) == ("ann", ("one", "two"), "open", ())


@pytest.mark.parametrize(
    ("given", "command", "then"),
    [
        (OPEN, CommitGroup(HASHES), GroupCommitted(HASHES)),
        (OPEN, StartGroup(NONCES), GroupStarted(NONCES)),
        (COMMITTED, StartGroup(NONCES), GroupStarted(NONCES)),
        (COMMITTED, CancelGroup(), GroupCancelled()),
        (COMMITTED, ExpireGroup(), GroupExpired()),
        (STARTED, EndGroup(), GroupOver()),
        (OPEN, CancelGroup(), GroupCancelled()),
        (OPEN, ExpireGroup(), GroupExpired()),
    ],
)
def test_a_command_takes_effect_once(given: tuple[Any, ...], command: Any, then: Any):
    assert decide(after(*given), command) == (then,)
    assert decide(after(*given, then), command) == ()


@pytest.mark.parametrize(
    ("given", "command"),
    [
        *[(given, StartGroup(NONCES)) for given in (STARTED, OVER, CANCELLED, EXPIRED)],
        *[(given, CommitGroup(HASHES)) for given in (COMMITTED, STARTED, OVER, CANCELLED, EXPIRED)],
        *[(given, EndGroup()) for given in (OPEN, COMMITTED, OVER, CANCELLED, EXPIRED)],
        *[(given, ExpireGroup()) for given in (STARTED, OVER, CANCELLED, EXPIRED)],
    ],
)
def test_late_commands_do_not_change_a_group(given: tuple[Any, ...], command: Any):
    assert decide(after(*given), command) == ()


@pytest.mark.parametrize(
    ("given", "why"), [(STARTED, "already_started"), (OVER, "match_over"), (EXPIRED, "match_over")]
)
def test_started_group_cannot_be_cancelled(given: tuple[Any, ...], why: str):
    with pytest.raises(Refused, match=why):
        decide(after(*given), CancelGroup())


@pytest.mark.parametrize(
    ("given", "status"),
    [(COMMITTED, "committed"), (STARTED, "started"), (OVER, "over"), (CANCELLED, "cancelled"), (EXPIRED, "expired")],
)
def test_group_state_follows_from_its_events(given: tuple[Any, ...], status: str):
    assert after(*given).status == status
    assert after(*given).nonces == (NONCES if GroupStarted in map(type, given) else ())


def test_group_events_follow_the_rules_and_cover_all_types():
    assert {type(event) for given in (COMMITTED, OVER, CANCELLED, EXPIRED) for event in given} == set(EVENTS)
