"""Sets, cancels and carries out standing orders."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.game import Refused
from domain.core.visibility import reader_of
from domain.match import Intent
from events.errors import NotFound
from events.ids import new_id
from events.log.cache import Loaded
from events.notify import ledger
from events.notify.notices import Notice
from events.service import order_timing as looks
from events.service.access import Caller, open_match, seat_of, seats_of
from events.service.commands import CommandRequest, execute_command
from events.service.context import Context
from events.service.order_timing import Look
from events.service.views import Seen, seen_by
from events.store.pending_records import StandingOrders
from events.store.protocol import Store
from events.store.tables import order_rows
from events.store.tables.order_rows import Admits


class _NoMove(Exception):
    """The standing orders make no move."""


def orders_of_seat(
    context: Context, match_id: str, caller: Caller, seat: Seat | None
) -> tuple[Seen, StandingOrders | None]:
    """Return a player's orders for a seat, by default their first, with the match as seen from there.

    Raise `NotFound`, and `Refused` for another player's seat.
    """
    loaded = open_match(context, match_id, caller)
    at = seat_of(loaded.state, caller, seat)
    seen = seen_by(context, loaded, reader_of(at), seats_of(loaded.state, caller), creator=False)
    held = order_rows.read_orders(context.store, loaded.head.match_no)
    return seen, next((s for s in held if (s.seat, s.player_id) == (at, caller.player)), None)


def seats_with_orders(context: Context, seen: Seen, caller: Caller) -> tuple[Seat, ...]:
    """Return the seats of a player with valid orders."""
    if not seen.seats or not seen.match.common.standing_orders:
        return ()
    held = order_rows.read_orders(context.store, seen.match_no)
    return tuple(row.seat for row in held if row.seat in seen.seats and row.player_id == caller.player)


def _allow_orders(_: StandingOrders | None) -> bool:
    """Allow any current orders."""
    return True


def give_orders(
    context: Context,
    match_id: str,
    caller: Caller,
    seat: Seat | None,
    document: str,
    admits: Admits = _allow_orders,
) -> StandingOrders:
    """Store orders, replacing earlier ones; the document has been checked.

    Raise `NotFound`, `OrdersChanged`, and `Refused`, even if the match allows none.
    """
    loaded = open_match(context, match_id, caller)
    m, secret = loaded.state, loaded.dealer.seal_secret
    if m.over:
        raise Refused("match_over")
    at, player, now = seat_of(m, caller, seat), caller.player, context.now()
    assert player is not None
    if not m.common.standing_orders:
        raise Refused("orders_not_allowed")
    if m.keys[at] is not None:
        raise Refused("orders_not_signed")
    look = looks.time_look(m, at, secret, now)[1] if at in looks.deciding_seats(m) else None
    given = StandingOrders(loaded.head.match_no, at, new_id(), player, document, now)
    if not order_rows.write_orders(context.store, given, look, admits):
        raise Refused("match_over")
    if look is not None:
        context.woken()
    return given


def cancel_orders(
    context: Context, match_id: str, caller: Caller, seat: Seat | None, admits: Admits = _allow_orders
) -> None:
    """Cancel a player's orders for a seat, if there are any.

    Raises `NotFound`, `Refused`, `OrdersChanged`.
    """
    loaded = open_match(context, match_id, caller)
    at = seat_of(loaded.state, caller, seat)
    order_rows.delete_orders(context.store, loaded.head.match_no, at, caller.player or "", admits)


def due_orders(context: Context, match_id: str) -> list[Look]:
    """Return the orders due for a check by now; those whose time was missed wait again."""
    loaded = context.load(match_id)
    if loaded is None or not looks.deciding_seats(loaded.state):
        return []
    held = order_rows.read_orders(context.store, loaded.head.match_no)
    now, due = context.now(), []
    for at, look in looks.open_looks(loaded.state, loaded.dealer.seal_secret, held):
        if at <= now and looks.is_look_on_time(context.store, at, now):
            due.append(look)
        elif at <= now:
            order_rows.put_off(context.store, look.orders, now)
    return due


def make_order_move(context: Context, match_id: str, look: Look, choose: Callable[[Seen], Any]) -> bool:
    """Make the move that `choose` returns for the checked decision; return False if there is none.

    It is written like a move by hand: the next worker handles its consequences. `choose` is called again if another
    player has moved in the meantime, but not once the decision was made or the orders are gone.
    """
    seat, caller = look.orders.seat, Caller(look.orders.player_id)

    def intent(loaded: Loaded) -> Intent:
        seat_of(loaded.state, caller, seat)
        held = order_rows.read_orders(context.store, loaded.head.match_no)
        there = (due for _, due in looks.open_looks(loaded.state, loaded.dealer.seal_secret, held))
        if not any(due.ordered == look.ordered for due in there):
            raise _NoMove
        move = choose(seen_by(context, loaded, reader_of(seat), (seat,), creator=False))
        if move is None:
            raise _NoMove
        return Intent("order", seat, move)

    try:
        execute_command(context.by_hand(), match_id, CommandRequest(caller, intent, ordered=look.ordered))
    except (_NoMove, Refused, NotFound):
        return False
    return True


def schedule_look(context: Context, match_id: str) -> None:
    """Suspend the work for orders until there is something to check."""
    loaded = context.load(match_id)
    if loaded is not None:
        m, secret, now = loaded.state, loaded.dealer.seal_secret, context.now()
        order_rows.look_again(
            context.store,
            loaded.head.match_no,
            loaded.head.version,
            lambda held: looks.next_look(m, secret, held, now),
        )


def note_look(store: Store, look: Look, now: Time, unfit: Notice | None = None) -> None:
    """Record that orders were checked without a move, and notify their owner once if they no longer fit."""
    failed = None if unfit is None else unfit.version

    def work(connection: Connection) -> None:
        noted = order_rows.note_look(connection, look.orders.orders_id, look.since, now, failed)
        if noted and unfit is not None:
            ledger.write_failed_order(connection, unfit)

    store.write(work)
