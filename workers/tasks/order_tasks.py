"""This task looks at standing orders: it names a match in which the moment for a look has come.

What the orders make of a decision follows from what the seat's own table shows. A task that comes twice, or to two
workers at once, finds that the decision has been taken, or that the orders were looked at for it.
"""

import logging
import traceback
from typing import Any

from msgspec import json

from domain import match as life
from domain.core.clock import Time
from domain.orders import carry, check
from events.notify.notices import ORDER_FAILED, Notice
from events.service import commands
from events.service import order_timing as orders
from events.service import orders as service
from events.service.context import Context
from events.service.order_timing import Look
from events.service.views import Seen
from events.store.pending_records import StandingOrders
from workers.tasks import bot_turn_tasks

log = logging.getLogger(__name__)


def look(context: Context, match_id: str) -> int:
    """Carry out the first orders whose time has come and that make a move; says how many moves were made, 0 or 1.

    With the move the task ends: bots answer it, and other orders are looked at, when a scheduler finds what the
    commit has left to do. It is the same after a move by hand, so that what follows does not show which of the two it
    was.
    """
    if commands.settle_due(context, match_id):
        bot_turn_tasks.play_bot_turns(context, match_id)
    if any(_looked_at(context, match_id, each) for each in service.due_orders(context, match_id)):
        return 1
    service.schedule_look(context, match_id)
    return 0


def _looked_at(context: Context, match_id: str, due: Look) -> bool:
    """Make the move that the orders make of what is asked; if they make none, note that, and say so if they should."""
    found: list[tuple[Seen, carry.OrderedMove | None]] = []

    def choose(seen: Seen) -> Any:
        found.append((seen, apply_orders(seen, due.orders)))
        return found[-1][1].move if found[-1][1] else None

    if service.make_order_move(context, match_id, due, choose):
        return True
    if found:
        seen, made = found[-1]
        now = context.now()
        orders.note_look(context.store, due, now, None if made is None else _unfit(seen, due, now))
    return False


def _unfit(seen: Seen, due: Look, now: Time) -> Notice:
    """Give the notice for the owner of orders that no longer fit."""
    player, seat, game = due.orders.player_id, due.orders.seat, seen.match.game.name
    return Notice(player, seen.match_no, seen.match_id, game, ORDER_FAILED, seat, seen.version, now)


def apply_orders(seen: Seen, row: StandingOrders) -> carry.OrderedMove | None:
    """Say what the orders make of the seat's decision.

    If anything is wrong with them, they fail, and hold nothing up.
    """
    m, seat = seen.match, row.seat
    if not life.legal(m, seat):
        return None
    try:
        return carry.carry_out_orders(m.game, m.table, seat, check.read_orders(m.game, json.decode(row.document)))
    except Exception as error:  # what it says may name cards
        frame = traceback.extract_tb(error.__traceback__)[-1]
        log.error(  # noqa: TRY400 -- not the trace
            "orders failed with %s at %s:%d: match=%s seat=%d",
            type(error).__name__,
            frame.filename,
            frame.lineno,
            seen.match_id,
            seat,
        )
        return carry.OrderedMove(None, None)
