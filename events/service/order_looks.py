"""Standing orders beside the log: when they are looked at, and where they lie.

For every decision of a person there is a moment at which it is looked whether he has left orders for it, whether he has
or not. It follows from the match's secrets, a while after the decision has opened, and so from no card and from nothing
that anybody knows: a move made then is no different from one by hand.
"""

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select, update

from domain import match as life
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.match import Match
from events.ids import new_id
from events.notify import ledger
from events.notify.notices import Notice
from events.store.protocol import Store
from events.store.queries import Queries
from events.store.records import OUTAGE_MS, Ordered
from events.store.schema import due, matches, orders, stream

ORDER: Final = "order"
"""The kind of pending work."""

SOONEST_MS: Final = 20_000
LATEST_MS: Final = 20 * 60_000
SHARE: Final = 4
"""A look is taken within this part of a decision's time: there is time left to decide by hand."""


@dataclass(slots=True, frozen=True)
class Standing:
    """The orders of a seat as they lie in the store, with what became of them last.

    `orders_id` changes with each document. `looked_ms`: since when the decision was open, or the orders were in force
    for it, for which they were looked at last. `late_ms`: when it was found that the time to look at them had passed
    unused, because no server was there; from then on they wait once more.
    """

    match_no: int
    seat: Seat
    orders_id: str
    player_id: str
    document: str
    given_ms: int
    looked_ms: int = 0
    late_ms: int = 0
    carried_version: int | None = None
    carried_ms: int | None = None
    failed_version: int | None = None
    failed_ms: int | None = None


@dataclass(slots=True, frozen=True)
class Look:
    """Orders that are to be looked at for a decision, `since` when it is open and they are in force."""

    standing: Standing
    since: Time

    @property
    def ordered(self) -> Ordered:
        """What an append needs to know."""
        return Ordered(self.standing.orders_id, self.since)


# --- When they are looked at ----------------------------------------------------------------------------


def delay(secret: bytes, seat: Seat, since: Time, budget: int, late: int = 0) -> int:
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


def deciding(m: Match) -> tuple[Seat, ...]:
    """Give the seats with a decision for which its player could have left orders."""
    if not m.common.standing_orders or life.paused(m):
        return ()
    people = life.humans(m)
    return tuple(s for s in life.to_act(m) if s in people and m.asked[s] is not None)


def look_at(m: Match, seat: Seat, secret: bytes, given: int = 0, late: int = 0) -> tuple[Time, Time]:
    """Say since when a seat's open decision, and orders given then, are both there; and when they are looked at.

    That is a while after both are there, or after it was found that they were looked at too `late`.
    """
    opened, until = m.opened[seat], m.asked[seat]
    assert opened is not None
    assert until is not None
    since = Time(max(opened, given))
    late = late if late > since else 0
    start = max(since, late)
    return since, Time(start + delay(secret, seat, since, max(0, until - start), late))


def first_look(m: Match, secret: bytes) -> Time | None:
    """Say when the orders of a seat, if it has any, are looked at first; None where there is nothing to decide."""
    return min((look_at(m, seat, secret)[1] for seat in deciding(m)), default=None)


def looks(m: Match, secret: bytes, standing: Sequence[Standing]) -> list[tuple[Time, Look]]:
    """Give the orders that have not been looked at for the decision that is open, with the time at which they are."""
    found = []
    for seat in deciding(m):
        for s in standing:
            if s.seat == seat and s.player_id == m.players[seat]:
                since, at = look_at(m, seat, secret, s.given_ms, s.late_ms)
                if since != s.looked_ms:
                    found.append((at, Look(s, since)))
    return sorted(found, key=lambda each: each[0])


def next_look(m: Match, secret: bytes, standing: Sequence[Standing], now: Time) -> Time:
    """Say when to look next, once all has been looked at whose time has come: when nothing is left, at a deadline."""
    seats = deciding(m)
    later = [look_at(m, seat, secret)[1] for seat in seats] + [m.asked[seat] or now for seat in seats]
    held = [at for at, _ in looks(m, secret, standing)]
    return min([*held, *(at for at in later if at > now)], default=Time(now + LATEST_MS))


# --- Where they lie -------------------------------------------------------------------------------------

_STANDING: Final = tuple(orders.c[name] for name in Standing.__dataclass_fields__)


def _queries(store: Store) -> Queries:
    assert isinstance(store, Queries)
    return store


def standing(store: Store, match_no: int) -> list[Standing]:
    """Give the orders in force in a match, by seat."""
    query = select(*_STANDING).where(orders.c.match_no == match_no).order_by(orders.c.seat)
    return [Standing(*row) for row in _queries(store).read(query)]


def give(
    store: Store, match_no: int, seat: Seat, player_id: str, document: str, now: Time, look: Time | None
) -> Standing | None:
    """Put orders in the place of a seat's earlier ones, to be looked at then if a decision is open. None: it is over."""
    q = _queries(store)
    row = Standing(match_no, seat, new_id(), player_id, document, now)
    here = (orders.c.match_no == match_no) & (orders.c.seat == seat)
    over = select(matches.c.match_no).where(matches.c.match_no == match_no, matches.c.ended_ms.is_not(None))

    def work(connection: Any) -> Standing | None:
        q.lock(connection, match_no)
        if connection.execute(over).first():
            return None
        connection.execute(delete(orders).where(here))
        connection.execute(
            insert(orders).values({name: getattr(row, name) for name in Standing.__dataclass_fields__})
        )
        if look is not None:
            _hasten(connection, match_no, look)
        return row

    return q.write(work)


def _hasten(connection: Any, match_no: int, look: Time) -> None:
    """See that the match is looked at by then."""
    here = (due.c.match_no == match_no) & (due.c.kind == ORDER) & (due.c.claimable_ms > look)
    connection.execute(update(due).where(here).values(claimable_ms=look, lease_ms=look, attempts=0))


def cancel(store: Store, match_no: int, seat: Seat, player_id: str) -> bool:
    """Take a player's orders for a seat away; says whether there were any. A move that they have made stays made."""
    here = (orders.c.match_no == match_no) & (orders.c.seat == seat) & (orders.c.player_id == player_id)
    return _queries(store).change(delete(orders).where(here)) > 0


def on_time(store: Store, at: Time, now: Time) -> bool:
    """Say whether a look that was due `at` a time is taken then, near enough, with the server at work all the while.

    After a time without one all orders would act at once, and in the moment of its return, as no hand does.
    """
    return now - at <= OUTAGE_MS and not store.outages(at, now)


def put_off(store: Store, look: Look, now: Time) -> None:
    """Note that orders have not been looked at in time, so that they are a while from now."""
    known = look.standing.late_ms
    here = (orders.c.orders_id == look.standing.orders_id) & (orders.c.late_ms == known)
    _queries(store).change(update(orders).where(here).values(late_ms=now))


def looked(store: Store, look: Look, now: Time, unfit: Notice | None = None) -> None:
    """Note that orders were looked at and made no move; and tell their owner if they no longer fit. Once."""
    here = (orders.c.orders_id == look.standing.orders_id) & (orders.c.looked_ms != look.since)
    failed = {} if unfit is None else {"failed_version": unfit.version, "failed_ms": now}
    noting = update(orders).where(here).values(looked_ms=look.since, **failed)

    def work(connection: Connection) -> None:
        if connection.execute(noting).rowcount and unfit is not None:
            ledger.order_failed(connection, unfit)

    _queries(store).write(work)


def look_again(store: Store, match_no: int, version: int, when: Callable[[list[Standing]], Time]) -> None:
    """Let the work rest until the next look; nothing if the match has gone on.

    Only the lease is set: when the work was due first follows from the log, and stays.
    """
    q = _queries(store)
    unmoved = select(stream.c.match_no).where(stream.c.match_no == match_no, stream.c.version == version)
    held = select(*_STANDING).where(orders.c.match_no == match_no)
    here = (due.c.match_no == match_no) & (due.c.kind == ORDER) & due.c.claimable_ms.is_not(None)

    def work(connection: Any) -> None:
        q.lock(connection, match_no)
        if not connection.execute(unmoved).first():
            return
        at = when([Standing(*row) for row in connection.execute(held)])
        connection.execute(update(due).where(here).values(claimable_ms=at, lease_ms=at, attempts=0))

    q.write(work)
