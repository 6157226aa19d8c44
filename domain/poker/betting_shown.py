"""Declares the values shown at a poker table."""

from collections.abc import Mapping
from typing import TypedDict

from domain.core.cards import CardName, Seat
from domain.core.shown import CardTableShown


class StakesShown(TypedDict):
    """These are the stakes of a hand."""

    small: int
    """The small blind."""
    big: int
    """The big blind."""
    ante: int
    """The ante; 0 if there is none."""


class PotShown(TypedDict):
    """This is a pot from earlier betting rounds."""

    amount: int
    """The chips in it."""
    eligible: list[Seat]
    """The seats that may win it."""


class PokerShown(CardTableShown):
    """This is the table of a game of poker."""

    button: Seat | None
    """The seat with the button."""
    small_blind: Seat | None
    """The seat that posts the small blind."""
    big_blind: Seat | None
    """The seat that posts the big blind."""
    stakes: StakesShown
    """The stakes of the hand."""
    hands: list[list[CardName] | None]
    """The hand of each seat; null if the reader may not see it."""
    shown: list[list[CardName]]
    """The face-up cards of each seat."""
    board: list[CardName]
    """The cards that all share."""
    stock_count: int
    """The number of cards in the deck."""
    stacks: list[int]
    """The chips of each seat."""
    committed: list[int]
    """The chips that each seat has put in in this betting round."""
    current: int
    """The bet to match in this betting round."""
    pot: int
    """All chips in the middle."""
    pots: list[PotShown]
    """The main pot and the side pots, without the bets of this round."""
    folded: list[Seat]
    """The seats that have folded."""
    all_in: list[Seat]
    """The seats that are all-in."""
    swapped: Mapping[str, int]
    """The number of cards that each seat has drawn, by the number of the seat."""
    buy_ins: list[int]
    """The number of times that each seat has bought chips."""
    level: int | None
    """The level of a tournament, from 1; null in a game for chips."""
    places: list[int | None]
    """The place of each seat that is out of a tournament."""
    out: list[Seat]
    """The seats that take no more part."""
    to_deal: int
    """The number of seats that the next hand is dealt to."""
