"""Declares what a table of Two-Handed Hearts shows."""

from typing import TypedDict

from domain.core.cards import CardName, Seat
from domain.core.shown import TrickTableShown


class RevokeShown(TypedDict):
    """This is a revoke that was found."""

    seat: Seat
    """The seat that revoked."""
    trick_no: int
    """The trick in which it did."""
    card: CardName
    """The card that it played."""
    held: list[CardName]
    """The cards of the suit led that it held."""


class TwoHandedHeartsShown(TrickTableShown):
    """This is the table of a game of Two-Handed Hearts."""

    stock_count: int
    """The number of cards in the stock."""
    drawn: CardName | None
    """The card that the reader has drawn, and is to keep or lay away."""
    waste: list[CardName]
    """The cards that the reader has laid away."""
    waste_count: int
    """The number of cards that both seats have laid away."""
    false_claims: list[int]
    """The number of false claims of each seat in this hand."""
    claims_passed: list[Seat]
    """The seats that claim no more revokes in this hand."""
    revokes: list[RevokeShown]
    """The revokes that were found in this hand."""
