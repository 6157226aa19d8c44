"""Defines the records of pending work and decisions: of seats, standing orders and workers."""

from typing import NamedTuple

from domain.core.values import value
from domain.match.state import REQUESTS


class InboxRow(NamedTuple):
    """A seat of the player that a match waits for, or that must answer a request."""

    match_no: int
    match_id: str
    game: str
    seat: int
    version: int
    since_ms: int
    deadline_ms: int | None
    decision: str = ""
    order_failed: bool = False
    """Whether the standing orders did not fit the decision."""

    @property
    def asked(self) -> bool:
        """Return whether the match goes on without an answer: to a draw offer or a takeback request."""
        return self.decision in REQUESTS


@value
class StandingOrders:
    """The stored orders of a seat, with their last outcome.

    `orders_id` changes with each document. `looked_ms` is the start of the open decision, or of the orders if later, at
    the last look at them. `late_ms` is when the server found that it had missed the time to look at them; they then
    wait again.
    """

    match_no: int
    seat: int
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


class Invitation(NamedTuple):
    """A seat in a lobby that is kept for the player."""

    match_no: int
    match_id: str
    game: str
    seat: int
    since_ms: int


class Owed(NamedTuple):
    """Pending work that can be claimed.

    ``owner`` is the player who created its match; ``bots_alone`` marks a bot's turn in a bot-only match.
    """

    match_no: int
    kind: str
    claimable_ms: int
    owner: str
    bots_alone: bool
    match_id: str


class Due(NamedTuple):
    """Claimed pending work."""

    match_no: int
    match_id: str
    kind: str
    due_ms: int
    lease_ms: int


Turn = tuple[int, int, int, bool]
"""The match number, seat, version, and whether an order has failed. They show whether an inbox has changed."""
