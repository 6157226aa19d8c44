"""This module finds what falls due in a match: its lobby, the wait for nonces, decisions, its group's decision."""

from typing import NamedTuple

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.match import Intent, Match
from domain.match.events import CloseNonces, Expire, TimeOut
from events.log.cache import Loaded
from events.service import absence
from events.service import group_tables as groups
from events.service.context import Context
from events.service.projections import due as outbox
from events.service.write import NOTHING, Attached


class Falls(NamedTuple):
    """This is the intent that falls due by time, and what is written with it."""

    intent: Intent
    attached: Attached = NOTHING


def fallen_due(context: Context, loaded: Loaded) -> Falls | None:
    """Give what falls due first in a match; None if nothing does by now."""
    m, now = loaded.match, context.now()
    if m.created.deal_group is not None:
        if (command := groups.following(context, loaded, m.created.deal_group.id)) is not None:
            return Falls(Intent("group", 0, command))
    elif m.status == "lobby" and loaded.head.created_ms + outbox.LOBBY_MS <= now:
        return Falls(Intent("time", 0, Expire()))
    if m.stage_until is not None and m.stage_until <= now and not m.over:
        return _stage_over(context, m, m.stage_until, now)
    late = life.overdue(m, now)
    return _late(context, m, late[0], now) if late else None


def _stage_over(context: Context, m: Match, until: Time, now: Time) -> Falls | None:
    """Await nonces for longer, or no more; None if it is too early to tell which."""
    if more := absence.of_nonces(context.store, m, now):
        return Falls(Intent("time", 0, more))
    return None if absence.may_be_out(context.store, until, now) else Falls(Intent("time", 0, CloseNonces()))


def _late(context: Context, m: Match, seat: Seat, now: Time) -> Falls | None:
    """Move the deadline of a seat whose time is over, or let it run out; None if it is too early to tell which."""
    credit, taken = absence.at_its_deadline(context.store, m, seat, now)
    if credit is not None:
        return Falls(Intent("time", seat, credit), Attached(vacation=taken))
    falls = life.settled(m, m.asked[seat] or now)
    return None if absence.may_be_out(context.store, falls, now) else Falls(Intent("time", seat, TimeOut()))
