"""The task that carries out the due standing orders of one match.

The move of an order follows from the seat's own view. A task that runs twice, or on two workers at the same time, finds
that the decision has been taken, or that the orders were looked at for it.
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
from events.service import orders as service
from events.service.context import Context
from events.service.order_timing import Look
from events.service.views import Seen
from events.store.pending_records import StandingOrders
from workers.tasks import bot_turn_tasks

log = logging.getLogger(__name__)


def look(context: Context, match_id: str) -> int:
    """Carry out the first due orders that make a move; return the number of moves made, 0 or 1.

    The task ends after a move. Bots answer it, and other orders follow, once a scheduler finds the work that the commit
    left. The same happens after a move by hand, so that nothing shows which of the two it was.
    """
    if commands.settle_due(context, match_id):
        bot_turn_tasks.play_bot_turns(context, match_id)
    if any(_looked_at(context, match_id, each) for each in service.due_orders(context, match_id)):
        return 1
    service.schedule_look(context, match_id)
    return 0


def _looked_at(context: Context, match_id: str, due: Look) -> bool:
    """Make the orders' move for the decision; if they make none, note that, and notify their owner if necessary."""
    found: list[tuple[Seen, carry.OrderedMove | None]] = []

    def choose(seen: Seen) -> Any:
        found.append((seen, apply_orders(seen, due.orders)))
        return found[-1][1].move if found[-1][1] else None

    if service.make_order_move(context, match_id, due, choose):
        return True
    if found:
        seen, made = found[-1]
        now = context.now()
        service.note_look(context.store, due, now, None if made is None else _unfit(seen, due, now))
    return False


def _unfit(seen: Seen, due: Look, now: Time) -> Notice:
    """Return the notification for the owner of orders that no longer fit."""
    player, seat, game = due.orders.player_id, due.orders.seat, seen.match.game.name
    return Notice(player, seen.match_no, seen.match_id, game, ORDER_FAILED, seat, seen.version, now)


def apply_orders(seen: Seen, row: StandingOrders) -> carry.OrderedMove | None:
    """Return the orders' answer to the seat's decision.

    Faulty orders fail, and block nothing.
    """
    m, seat = seen.match, row.seat
    if not life.legal(m, seat):
        return None
    try:
        return carry.carry_out_orders(m.game, m.table, seat, check.read_orders(m.game, json.decode(row.document)))
    except Exception as error:  # its message may name cards
        frame = traceback.extract_tb(error.__traceback__)[-1]
        log.error(  # noqa: TRY400 -- not the trace
            "standing orders failed with %s at %s:%d: match=%s seat=%d",
            type(error).__name__,
            frame.filename,
            frame.lineno,
            seen.match_id,
            seat,
        )
        return carry.OrderedMove(None, None)
