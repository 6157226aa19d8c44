"""Declares what a table of Gin Rummy shows."""

from typing import TypedDict

from domain.core.cards import CardName, Seat
from domain.core.shown import CardTableShown
from domain.games.gin_rummy.events import Kind


class LaidDownShown(TypedDict):
    """This is a hand that lies face up."""

    seat: Seat
    """The seat whose hand it is."""
    melds: list[list[CardName]]
    """The melds."""
    deadwood: list[CardName]
    """The cards in no meld."""
    value: int
    """What these count."""


class KnockShown(LaidDownShown):
    """This is what a knocker has laid down."""

    discard: CardName | None
    """The card that was discarded with the knock; null for big gin."""
    gin: bool
    """Whether the hand is gin."""


class LaidOffShown(TypedDict):
    """This is a card that was laid off."""

    card: CardName
    """The card."""
    meld: int
    """The number of the knocker's meld that it was added to, from 0."""


class AnswerShown(LaidDownShown):
    """This is what the defender has shown, and laid off."""

    layoffs: list[LaidOffShown]
    """The cards laid off on the knocker's melds."""


class HandResultShown(TypedDict):
    """This is what a hand has brought."""

    kind: Kind
    """How the hand ended."""
    knocker: Seat
    """The seat that knocked."""
    points: list[int]
    """The points of each seat."""


class HandOfTwoShown(TypedDict):
    """This is a hand of two, as everybody knows it."""

    non_dealer: Seat
    """The seat that does not deal."""
    dealer: Seat
    """The seat that deals."""
    phase: str
    """What is going on at this table, in a word."""
    turn: Seat | None
    """The seat whose turn it is."""
    stock_count: int
    """The number of cards in the stock."""
    discard_top: CardName | None
    """The card on top of the discard pile."""
    discards: list[CardName]
    """The cards of the discard pile, the last on top."""
    taken: CardName | None
    """The card that this turn began with, if it came from the discard pile."""
    pile_takes: int
    """The number of turns in a row that began with a card of the discard pile."""
    knock: KnockShown | None
    """What the knocker has laid down."""
    answer: AnswerShown | None
    """What the other seat has shown."""
    result: HandResultShown | None
    """What the hand has brought."""


class ArrangedShown(TypedDict):
    """This is how the reader's own cards are best arranged."""

    melds: list[list[CardName]]
    """The melds."""
    deadwood: list[CardName]
    """The cards in no meld."""
    deadwood_value: int | None
    """What these count; null for a spectator."""


class GinRummyShown(CardTableShown, ArrangedShown):
    """This is the table of a game of Gin Rummy."""

    form: str
    """The form of the game that the number of seats gives."""
    hands: list[list[CardName]]
    """What the reader may see of the hand of each seat."""
    boxes: list[int]
    """The hands that each seat has won in this game."""
    target_score: int
    """The score that ends the game."""
    knock_limit: int
    """The most that the deadwood of a knocker may count."""
    sits_out: list[Seat]
    """The seats that do not play this hand."""
    opponent: Seat | None
    """The seat that the reader plays against."""
    stock_count: int | None
    """The number of cards in the stock, at the reader's table."""
    discard_top: CardName | None
    """The card on top of the discard pile, at the reader's table."""
    tables: list[HandOfTwoShown]
    """The hands of two that are played."""
