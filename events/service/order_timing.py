"""Determines when standing orders are checked.

Every decision of a player has a time at which the server checks for orders, even if there are none. It follows from the
match's secrets, some time after the decision has opened, so it depends on no card and on nothing that a player knows. A
move made then is indistinguishable from one by hand.
"""

import hmac
from collections.abc import Sequence
from typing import Final

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.values import value
from domain.match import Match
from events.store.pending_records import StandingOrders
from events.store.protocol import Store
from events.store.records import Ordered
from events.store.tables import outage_rows

SOONEST_MS: Final = 20_000
LATEST_MS: Final = 20 * 60_000
LATE_MS: Final = 60_000
"""The time for which a due check can still take place, in milliseconds."""
SHARE: Final = 4
"""Orders are checked in the first of this many parts of a decision's time, so that time is left to decide by hand."""


@value
class Look:
    """A check of orders for a decision; `since` is when it opened with orders in place."""

    orders: StandingOrders
    since: Time

    @property
    def ordered(self) -> Ordered:
        """Return the data about the orders that an append needs."""
        return Ordered(self.orders.orders_id, self.since)


# --- Times of checks ---------------------------------------------------------------------------------------


def draw_look_delay(secret: bytes, seat: Seat, since: Time, budget: int, late: int = 0) -> int:
    """Draw the milliseconds until a check: mostly few, at most a part of the available time.

    `late` is when the server found that it had missed the first drawn moment; a new one is drawn then.
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
    """Return the seats with a decision for which the player may have standing orders."""
    if not m.common.standing_orders or life.is_paused(m):
        return ()
    people = life.humans(m)
    return tuple(s for s in life.to_act(m) if s in people and m.clocks.asked[s] is not None)


def time_look(m: Match, seat: Seat, secret: bytes, given: int = 0, late: int = 0) -> tuple[Time, Time]:
    """Return the time since which a seat has both its open decision and orders, and the time of their check.

    The check is some time later, or some time after the first check was missed (`late`).
    """
    opened, until = m.clocks.opened[seat], m.clocks.asked[seat]
    assert opened is not None
    assert until is not None
    since = Time(max(opened, given))
    late = late if late > since else 0
    start = max(since, late)
    return since, Time(start + draw_look_delay(secret, seat, since, max(0, until - start), late))


def first_look(m: Match, secret: bytes) -> Time | None:
    """Return when a seat's orders are first checked, if it has any; None without a decision."""
    return min((time_look(m, seat, secret)[1] for seat in deciding_seats(m)), default=None)


def open_looks(m: Match, secret: bytes, rows: Sequence[StandingOrders]) -> list[tuple[Time, Look]]:
    """Return the orders not yet checked for the open decision, with the time of the check."""
    found = []
    for seat in deciding_seats(m):
        for s in rows:
            if s.seat == seat and s.player_id == m.players[seat]:
                since, at = time_look(m, seat, secret, s.given_ms, s.late_ms)
                if since != s.looked_ms:
                    found.append((at, Look(s, since)))
    return sorted(found, key=lambda each: each[0])


def next_look(m: Match, secret: bytes, rows: Sequence[StandingOrders], now: Time) -> Time:
    """Return the next check, after all due ones: at a deadline if nothing else is left."""
    seats = deciding_seats(m)
    later = [time_look(m, seat, secret)[1] for seat in seats] + [m.clocks.asked[seat] or now for seat in seats]
    held = [at for at, _ in open_looks(m, secret, rows)]
    return min([*held, *(at for at in later if at > now)], default=Time(now + LATEST_MS))


# --- After a check -----------------------------------------------------------------------------------------


def is_look_on_time(store: Store, at: Time, now: Time) -> bool:
    """Return whether a check due `at` this time is not late, and the server was running since then.

    After an outage, all orders would otherwise move immediately on its return, which no person would do.
    """
    return now - at <= LATE_MS and not outage_rows.outages_since(store, at, now)
