"""Stores the standing orders of seats."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, select, update

from events.errors import OrdersChanged
from events.store.pending_records import StandingOrders
from events.store.protocol import Store
from events.store.schema.log_schema import stream
from events.store.schema.match_schema import matches, orders
from events.store.tables import pending_rows

ORDER: Final = "order"
"""The kind of pending work that checks orders."""

ORDERS: Final = tuple(orders.c[name] for name in StandingOrders.__dataclass_fields__)


def read_orders(store: Store, match_no: int) -> list[StandingOrders]:
    """Return the current orders in a match, by seat."""
    query = select(*ORDERS).where(orders.c.match_no == match_no).order_by(orders.c.seat)
    return [StandingOrders(*row) for row in store.read(query)]


Admits = Callable[[StandingOrders | None], bool]
"""Returns whether the current orders, or none, are those that a request means to replace or cancel."""


def write_orders(store: Store, new: StandingOrders, look_ms: int | None, admits: Admits) -> bool:
    """Replace a seat's orders, to be checked by `look_ms` if a decision is open. Raise `OrdersChanged`.

    Return False, and write nothing, if the match is over.
    """
    here = (orders.c.match_no == new.match_no) & (orders.c.seat == new.seat)
    over = select(matches.c.match_no).where(matches.c.match_no == new.match_no, matches.c.ended_ms.is_not(None))

    def work(connection: Connection) -> bool:
        store.lock(connection, new.match_no)
        if connection.execute(over).first():
            return False
        _check(connection, new.match_no, new.seat, new.player_id, admits)
        connection.execute(delete(orders).where(here))
        connection.execute(insert(orders).values(asdict(new)))
        if look_ms is not None:
            pending_rows.hasten(connection, new.match_no, ORDER, look_ms)
        return True

    return store.write(work)


def delete_orders(store: Store, match_no: int, seat: int, player_id: str, admits: Admits) -> None:
    """Delete a player's orders for a seat, if there are any. A move that they made stays. Raise `OrdersChanged`."""

    def work(connection: Connection) -> None:
        store.lock(connection, match_no)
        _check(connection, match_no, seat, player_id, admits)
        connection.execute(delete(orders).where(_is_of_player(match_no, seat, player_id)))

    store.write(work)


def _check(connection: Connection, match_no: int, seat: int, player_id: str, admits: Admits) -> None:
    found = connection.execute(select(*ORDERS).where(_is_of_player(match_no, seat, player_id))).first()
    if not admits(None if found is None else StandingOrders(*found)):
        raise OrdersChanged


def _is_of_player(match_no: int, seat: int, player_id: str) -> ColumnElement[bool]:
    return and_(orders.c.match_no == match_no, orders.c.seat == seat, orders.c.player_id == player_id)


def put_off(store: Store, missed: StandingOrders, now_ms: int) -> None:
    """Record that orders were not checked in time, and set a new time."""
    here = (orders.c.orders_id == missed.orders_id) & (orders.c.late_ms == missed.late_ms)
    store.change(update(orders).where(here).values(late_ms=now_ms))


def note_look(connection: Connection, orders_id: str, since_ms: int, now_ms: int, failed_version: int | None) -> bool:
    """Record that orders made no move, and the version of a failure; return False if that is known."""
    here = (orders.c.orders_id == orders_id) & (orders.c.looked_ms != since_ms)
    failed = {} if failed_version is None else {"failed_version": failed_version, "failed_ms": now_ms}
    return connection.execute(update(orders).where(here).values(looked_ms=since_ms, **failed)).rowcount > 0


def look_again(store: Store, match_no: int, version: int, when: Callable[[list[StandingOrders]], int]) -> None:
    """Postpone the work to the time that `when` computes from the current orders, unless the match has moved on."""
    unmoved = select(stream.c.match_no).where(stream.c.match_no == match_no, stream.c.version == version)
    held = select(*ORDERS).where(orders.c.match_no == match_no)

    def work(connection: Connection) -> None:
        store.lock(connection, match_no)
        if connection.execute(unmoved).first():
            until = when([StandingOrders(*row) for row in connection.execute(held)])
            pending_rows.postpone(connection, match_no, ORDER, until)

    store.write(work)


def delete_all_orders(connection: Connection, player_id: str) -> None:
    """Delete the orders of a player."""
    connection.execute(delete(orders).where(orders.c.player_id == player_id))
