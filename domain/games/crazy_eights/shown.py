"""Declares what a table of Crazy Eights shows."""

from typing import TypedDict

from domain.core.cards import CardName
from domain.core.shown import CardTableShown


class LedgerShown(TypedDict):
    """This says what the seats have paid each other."""

    net: list[int]
    """What each seat has collected in this game, less what it has paid."""


class CrazyEightsShown(CardTableShown):
    """This is the table of a game of Crazy Eights."""

    hands: list[list[CardName] | None]
    """The hand of each seat; null where the reader may not see it."""
    stock_count: int
    """The number of cards in the stock."""
    discard_top: CardName | None
    """The card on top of the pile."""
    pile: list[CardName]
    """The cards of the pile, the last on top."""
    suit: str | None
    """The suit to follow: `C`, `D`, `H` or `S`."""
    drawn: int
    """The number of cards drawn in this turn."""
    passes: int
    """The number of turns in a row that were passed."""
    turns: int
    """The number of turns completed in this hand."""
    ledger: LedgerShown
    """The payments so far."""
