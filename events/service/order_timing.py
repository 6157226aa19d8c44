"""This module says when standing orders are looked at, and stores the outcome.

Every decision of a player has a moment at which the server looks for orders, also if there are none. It follows from
the match's secrets, a while after the decision has opened, and so from no card and from nothing that a player knows:
a move made then is no different from one by hand.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.match import Match
from events.notify import ledger
from events.notify.notices import Notice
from events.store.pending_records import StandingOrders
from events.store.protocol import Store
from events.store.records import Ordered
from events.store.tables import order_rows, outage_rows

SOONEST_MS: Final = 20_000
LATEST_MS: Final = 20 * 60_000
LATE_MS: Final = 60_000
"""The time after its moment within which a look is still taken, in milliseconds."""
SHARE: Final = 4
"""The divisor of a decision's time within which orders are looked at, so that time is left to decide by hand."""


@dataclass(slots=True, frozen=True)
class Look:
    """This is a look at orders for a decision; `since` is when it is open and they are in force."""

    orders: StandingOrders
    since: Time

    @property
    def ordered(self) -> Ordered:
        """Give what an append has to know of the orders."""
        return Ordered(self.orders.orders_id, self.since)


# --- When they are looked at ----------------------------------------------------------------------------


def draw_look_delay(secret: bytes, seat: Seat, since: Time, budget: int, late: int = 0) -> int:
    """Draw how many milliseconds pass before a look: mostly few, at most a part of the time that there is.

    `late` is when it was found that the moment drawn first had passed: a new one is drawn then.
    """
    latest = min(LATEST_MS, budget // SHARE)
    soonest = min(SOONEST_MS, latest // 8)
    if soonest <= 0:
        return 0
    key = hmac.digest(secret, b"orders", "sha256")
    message = f"{seat}|{since}|{late}" if late else f"{seat}|{since}"
    drawn = int.from_bytes(hmac.digest(key, message.encode("ascii"), "sha256")[:8]) / 2**64
    return int(soonest * float(latest / soonest) ** drawn)


def deciding_seats(m: Match) -> tuple[Seat, ...]:
    """Give the seats with a decision for which its player could have left orders."""
    if not m.common.standing_orders or life.is_paused(m):
        return ()
    people = life.humans(m)
    return tuple(s for s in life.to_act(m) if s in people and m.asked[s] is not None)


def time_look(m: Match, seat: Seat, secret: bytes, given: int = 0, late: int = 0) -> tuple[Time, Time]:
    """Say since when a seat's open decision, and orders given then, are both there; and when they are looked at.

    That is a while after both are there, or after it was found that the first moment had passed (`late`).
    """
    opened, until = m.opened[seat], m.asked[seat]
    assert opened is not None
    assert until is not None
    since = Time(max(opened, given))
    late = late if late > since else 0
    start = max(since, late)
    return since, Time(start + draw_look_delay(secret, seat, since, max(0, until - start), late))


def first_look(m: Match, secret: bytes) -> Time | None:
    """Say when the orders of a seat, if it has any, are looked at first; None where there is nothing to decide."""
    return min((time_look(m, seat, secret)[1] for seat in deciding_seats(m)), default=None)


def open_looks(m: Match, secret: bytes, rows: Sequence[StandingOrders]) -> list[tuple[Time, Look]]:
    """Give the orders that have not been looked at for the decision that is open, with the time at which they are."""
    found = []
    for seat in deciding_seats(m):
        for s in rows:
            if s.seat == seat and s.player_id == m.players[seat]:
                since, at = time_look(m, seat, secret, s.given_ms, s.late_ms)
                if since != s.looked_ms:
                    found.append((at, Look(s, since)))
    return sorted(found, key=lambda each: each[0])


def next_look(m: Match, secret: bytes, rows: Sequence[StandingOrders], now: Time) -> Time:
    """Say when to look next, once all has been looked at whose time has come: when nothing is left, at a deadline."""
    seats = deciding_seats(m)
    later = [time_look(m, seat, secret)[1] for seat in seats] + [m.asked[seat] or now for seat in seats]
    held = [at for at, _ in open_looks(m, secret, rows)]
    return min([*held, *(at for at in later if at > now)], default=Time(now + LATEST_MS))


# --- When they have been looked at ------------------------------------------------------------------------


def is_look_on_time(store: Store, at: Time, now: Time) -> bool:
    """Say whether a look that was due `at` a time is taken then, near enough, with the server at work all the while.

    After a time without one all orders would act at once, and in the moment of its return, as no hand does.
    """
    return now - at <= LATE_MS and not outage_rows.outages_since(store, at, now)


def note_look(store: Store, look: Look, now: Time, unfit: Notice | None = None) -> None:
    """Note that orders were looked at and made no move, and notify their owner once if they no longer fit."""
    failed = None if unfit is None else unfit.version

    def work(connection: Connection) -> None:
        noted = order_rows.note_look(connection, look.orders.orders_id, look.since, now, failed)
        if noted and unfit is not None:
            ledger.write_failed_order(connection, unfit)

    store.write(work)
