"""Declares the common values of tables, for the types of their views; each game declares its own values."""

from typing import TypedDict

from domain.core.cards import CardName, Seat


class TableShown(TypedDict):
    """These keys mean the same in the table of every game (contract 4.2)."""

    phase: str
    """The current phase, in one word."""
    game_no: int
    """The number of the game in the match, from 1; 0 before the first."""
    hand_no: int
    """The number of the hand in the match, from 1; 0 before the first."""
    hand_counts: list[int]
    """The number of cards that each seat holds."""
    scores: list[int]
    """The score of each seat in this game."""


class CardTableShown(TableShown):
    """The keys of a table of a game with playing cards."""

    deal_no: int
    """The number of the deal, including repeated deals."""
    dealer: Seat | None
    """The seat that deals."""
    turn: Seat | None
    """The seat whose turn it is."""
    hand: list[CardName]
    """The reader's cards."""


class PlayedCardShown(TypedDict):
    """A card of a trick."""

    seat: Seat
    """The seat that played the card."""
    card: CardName
    """The card."""


class TrickShown(TypedDict):
    """A completed trick."""

    leader: Seat
    """The seat that led."""
    winner: Seat
    """The seat that took the trick."""
    cards: list[PlayedCardShown]
    """The cards, in the order in which they were played."""


class TrickTableShown(CardTableShown):
    """The keys of a table of a game with tricks."""

    hands: list[list[CardName] | None]
    """The hand of each seat; null if the reader may not see it."""
    points: list[int]
    """The points that each seat has taken in this hand."""
    trick: list[PlayedCardShown]
    """The cards of the current trick, in the order in which they were played."""
    trick_no: int | None
    """The number of the current trick, from 1; null between tricks."""
    last_trick: TrickShown | None
    """The trick that was completed last."""
    tricks: list[TrickShown]
    """The completed tricks of the hand."""
    leader: Seat | None
    """The seat that led the trick, or that leads next."""
