"""This projection is the pending work for a match, a row for each kind, written with the commit that makes it due.

The rows are the only queue that counts. A broker may bring the word sooner; a row goes away when a commit says that
there is nothing left to do, and until then it is taken up again and again (decision 2).
"""

from typing import Final

from domain.core.clock import Time
from domain.match import Match, bots_to_act, ready, settled_at, waits
from events.service.order_looks import first_look
from events.store.records import DueRow
from events.store.tables.orders import ORDER

BOT: Final = "bot"
CLOCK: Final = "clock"
START: Final = "start"
EXPIRE: Final = "expire"
GROUP: Final = "group"

LEASE_MS: Final = 5_000
"""The lease of a worker that plays the next bot's turn by itself, in milliseconds."""

PACE_MS: Final = 250
"""The step of the clock at which bots answer where standing orders are allowed, in milliseconds.

What a hand's move costs the server after its commit is over by then, which an order's does not cost: neither is
answered sooner than the other.
"""

LOBBY_MS: Final = 30 * 24 * 3600 * 1000
"""The time until a lobby expires, in milliseconds (contract 3)."""


def rows(
    before: Match | None, after: Match, created: int, now: Time, lease_ms: int, secret: bytes
) -> list[DueRow] | None:
    """Give all pending work after a commit; None where it is what it was and no bot is to move.

    A writer that plays the bot's turn itself takes it with a lease; 0 leaves it to the next worker. `secret` is the
    match's: from it follows when standing orders are looked at.
    """
    work = _work(after, created, now, lease_ms, secret)
    if before is not None and not bots_to_act(after) and work == _work(before, created, now, lease_ms, secret):
        return None
    return work


def _work(m: Match, created: int, now: Time, lease_ms: int, secret: bytes) -> list[DueRow]:
    work = []
    if bots_to_act(m):
        work.append(DueRow(BOT, now, now + lease_ms if lease_ms else _answered(m, now)))
    if (until := settled_at(m)) is not None:
        work.append(DueRow(CLOCK, until))
    if m.stage_until is not None and not m.over:
        work.append(DueRow(START, m.stage_until))
    if (look := first_look(m, secret)) is not None:
        work.append(DueRow(ORDER, look))
    if ready(m) or waits(m):
        work.append(DueRow(GROUP, now))
    if m.status == "lobby":
        work.append(DueRow(EXPIRE, created + LOBBY_MS))
    return work


def _answered(m: Match, now: Time) -> Time:
    """Say when bots may answer a commit that no bot made: at once, or at the next step of the clock."""
    return Time((now + 3 * PACE_MS // 2) // PACE_MS * PACE_MS) if m.common.standing_orders else Time(0)
