"""This module stores the standing orders of seats."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from events.store.pending_records import StandingOrders
from events.store.protocol import Store
from events.store.schema import matches, orders, stream
from events.store.tables import pending_rows

ORDER: Final = "order"
"""The kind of pending work that looks at orders."""

ORDERS: Final = tuple(orders.c[name] for name in StandingOrders.__dataclass_fields__)


def of_match(store: Store, match_no: int) -> list[StandingOrders]:
    """Give the orders in force in a match, by seat."""
    query = select(*ORDERS).where(orders.c.match_no == match_no).order_by(orders.c.seat)
    return [StandingOrders(*row) for row in store.read(query)]


def give(store: Store, new: StandingOrders, look_ms: int | None) -> bool:
    """Put orders in the place of a seat's earlier ones, to be looked at by then if a decision is open.

    False, and nothing written, if the match is over.
    """
    here = (orders.c.match_no == new.match_no) & (orders.c.seat == new.seat)
    over = select(matches.c.match_no).where(matches.c.match_no == new.match_no, matches.c.ended_ms.is_not(None))

    def work(connection: Connection) -> bool:
        store.lock(connection, new.match_no)
        if connection.execute(over).first():
            return False
        connection.execute(delete(orders).where(here))
        connection.execute(insert(orders).values(asdict(new)))
        if look_ms is not None:
            pending_rows.hasten(connection, new.match_no, ORDER, look_ms)
        return True

    return store.write(work)


def cancel(store: Store, match_no: int, seat: int, player_id: str) -> bool:
    """Take a player's orders for a seat away; says whether there were any. A move that they have made stays made."""
    here = (orders.c.match_no == match_no) & (orders.c.seat == seat) & (orders.c.player_id == player_id)
    return store.change(delete(orders).where(here)) > 0


def put_off(store: Store, missed: StandingOrders, now_ms: int) -> None:
    """Note that orders have not been looked at in time, so that they are a while from now."""
    here = (orders.c.orders_id == missed.orders_id) & (orders.c.late_ms == missed.late_ms)
    store.change(update(orders).where(here).values(late_ms=now_ms))


def looked(connection: Connection, orders_id: str, since_ms: int, now_ms: int, failed_version: int | None) -> bool:
    """Note that orders were looked at and made no move, and at which version they failed; False if that is known."""
    here = (orders.c.orders_id == orders_id) & (orders.c.looked_ms != since_ms)
    failed = {} if failed_version is None else {"failed_version": failed_version, "failed_ms": now_ms}
    return connection.execute(update(orders).where(here).values(looked_ms=since_ms, **failed)).rowcount > 0


def look_again(store: Store, match_no: int, version: int, when: Callable[[list[StandingOrders]], int]) -> None:
    """Let the work rest until the time that `when` makes of the orders in force; not if the match has gone on."""
    unmoved = select(stream.c.match_no).where(stream.c.match_no == match_no, stream.c.version == version)
    held = select(*ORDERS).where(orders.c.match_no == match_no)

    def work(connection: Connection) -> None:
        store.lock(connection, match_no)
        if connection.execute(unmoved).first():
            until = when([StandingOrders(*row) for row in connection.execute(held)])
            pending_rows.rest(connection, match_no, ORDER, until)

    store.write(work)


def erase(connection: Connection, player_id: str) -> None:
    """Delete the orders of a player."""
    connection.execute(delete(orders).where(orders.c.player_id == player_id))
