"""This module has the records of what waits: for a seat, for standing orders, for a worker."""

from dataclasses import dataclass
from typing import NamedTuple

from domain.match import REQUESTS


class InboxRow(NamedTuple):
    """This is a seat of the player that a match waits for, or that is asked for something."""

    match_no: int
    match_id: str
    game: str
    seat: int
    version: int
    since_ms: int
    deadline_ms: int | None
    decision: str = ""
    order_failed: bool = False
    """Whether orders that were left for the decision did not fit."""

    @property
    def asked(self) -> bool:
        """Say whether the match goes on without an answer: a draw was offered, or a move is to be taken back."""
        return self.decision in REQUESTS


@dataclass(slots=True, frozen=True)
class StandingOrders:
    """These are the orders of a seat as they are stored, with their last outcome.

    `orders_id` changes with each document. `looked_ms`: since when the decision was open, or the orders were in force
    for it, for which they were looked at last. `late_ms`: when it was found that the time to look at them had passed
    unused, because no server was there; from then on they wait once more.
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
    """This is a seat in a lobby that is kept for the player."""

    match_no: int
    match_id: str
    game: str
    seat: int
    since_ms: int


class Owed(NamedTuple):
    """This is pending work that can be claimed.

    ``owner`` is the player who created its match; ``bots_alone`` says that it is a bot's turn where only bots play.
    """

    match_no: int
    kind: str
    claimable_ms: int
    owner: str
    bots_alone: bool
    match_id: str


class Due(NamedTuple):
    """This is pending work that was claimed."""

    match_no: int
    match_id: str
    kind: str
    due_ms: int
    lease_ms: int


Turn = tuple[int, int, int, bool]
"""Match number, seat, version, whether an order has failed: enough to see whether an inbox differs."""
