"""Defines the events of Gin Rummy, each with its line of text (gin_rummy 4–9).

Two hands may be on at once, at two tables of the partnership form. A fact that names no seat names its table.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from domain.core import text as words
from domain.core.cards import NAMES, Card, Cards, Seat
from domain.core.event_fields import (
    DealNo,
    DealtCounts,
    EndReason,
    Gained,
    GameNo,
    HandNo,
    Places,
    StockCount,
    Totals,
    Winners,
)
from domain.core.types import Doc
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.games.gin_rummy.melds import LaidCard, Melds
from domain.games.gin_rummy.options import Pair, Points

TableNo = Annotated[int, Doc("The number of the table, from 0; with two seats there is one.")]
Boxes = Annotated[Points, Doc("The number of hands that each seat has won in the game, seat by seat.")]
Kind = Literal["gin", "big_gin", "knock", "undercut"]


@value
class GameStarted:
    game_no: GameNo


@value
class FirstDealerChosen:
    """The first dealer is chosen: drawn, or the loser of the game before."""

    seat: Seat
    how: Literal["random", "loser"]
    """Whether the dealer was drawn at random or has lost the game before."""


@value
class HandStarted:
    """A hand begins; `pairs` are who plays whom at each table, the non-dealer first."""

    hand_no: HandNo
    deal_no: DealNo
    dealer: Seat
    """The seat that deals."""
    pairs: tuple[Pair, ...]
    """The pairs of opponents, table by table; the seat that does not deal comes first."""


@value
class HandDealt:
    table: TableNo
    counts: DealtCounts
    cards: PerSeat[Cards]
    """The hand of the reader."""
    stock: Hidden[Cards]
    """The stock, the top card first."""


@value
class UpcardTurned:
    table: TableNo
    card: Card
    """The card that is turned up."""


@value
class UpcardPassed:
    seat: Seat


@value
class StockDrawn:
    seat: Seat
    stock_count: StockCount
    card: Private[Card]
    """The card that is drawn."""


@value
class DiscardTaken:
    """The top of the pile is taken; `upcard` if that was the offer at the opening."""

    seat: Seat
    card: Card
    """The card that is taken from the pile."""
    upcard: bool
    """Whether that was the card turned up at the beginning, while it was on offer."""


@value
class CardDiscarded:
    seat: Seat
    card: Card
    """The card that is discarded."""


@value
class Knocked:
    """A hand is laid down; without a discard it is big gin."""

    seat: Seat
    discard: Card | None
    """The card that is discarded; null for big gin."""
    melds: Melds
    """The melds that are laid down."""
    deadwood: Cards
    """The cards that are in no meld."""
    value: int
    """What these cards count."""
    gin: bool
    """Whether all cards are in melds."""


@value
class LaidOff:
    """The defender answers a knock; `layoffs` count the knocker's melds from 0."""

    seat: Seat
    melds: Melds
    """The melds that are laid down."""
    layoffs: tuple[LaidCard, ...]
    """The cards that are laid off onto the knocker's melds, in order."""
    deadwood: Cards
    """The cards that are in no meld."""
    value: int
    """What these cards count."""


@value
class HandShown:
    """The hand that gin was made against is shown."""

    seat: Seat
    melds: Melds
    """The melds that are laid down."""
    deadwood: Cards
    """The cards that are in no meld."""
    value: int
    """What these cards count."""


@value
class HandScored:
    """A hand is scored: what knocker and defender had left, what they get, all totals and hands won so far."""

    table: TableNo
    kind: Kind
    """How the hand was won."""
    knocker: Seat
    """The seat that has knocked."""
    defender: Seat
    """The seat that it has knocked against."""
    values: tuple[int | None, ...]
    """The deadwood points, seat by seat; null for a seat of another table."""
    points: Gained[Points]
    totals: Totals[Points]
    boxes: Boxes


@value
class HandVoided:
    table: TableNo
    stock_count: StockCount


@value
class HandClosed:
    """The hand is over at every table."""

    hand_no: HandNo


@value
class PointsNetted:
    """The points of both tables are compared, side against side."""

    points: Gained[Points]
    totals: Totals[Points]
    boxes: Boxes


@value
class GameEnded:
    """The game is over; `margins` say by how much each seat is beaten, with bonuses; `ranking` counts from 1."""

    totals: Totals[Points]
    ranking: Places[tuple[int, ...]]
    winners: Winners
    boxes: Boxes
    margins: Points
    """By how many points each seat is beaten, bonuses included, seat by seat; 0 for the winners."""
    reason: EndReason


Event = (
    GameStarted
    | FirstDealerChosen
    | HandStarted
    | HandDealt
    | UpcardTurned
    | UpcardPassed
    | StockDrawn
    | DiscardTaken
    | CardDiscarded
    | Knocked
    | LaidOff
    | HandShown
    | HandScored
    | HandVoided
    | HandClosed
    | PointsNetted
    | GameEnded
)

TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} begins.",
    FirstDealerChosen: "Seat {seat} deals first, {how}.",
    HandStarted: "Hand {hand_no}: seat {dealer} deals; {pairs}.",
    HandDealt: "The cards are dealt{cards:dealt}.",
    UpcardTurned: "{card} is the upcard.",
    UpcardPassed: "Seat {seat} passes the upcard.",
    StockDrawn: "Seat {seat} draws {card} from the stock; {stock_count} left.",
    DiscardTaken: "Seat {seat} takes {card}.",
    CardDiscarded: "Seat {seat} discards {card}.",
    Knocked: "Seat {seat} {:knock}{discard} and lays down {melds}; deadwood {deadwood} ({value}).",
    LaidOff: "Seat {seat} answers with {melds}, and lays off {layoffs}; deadwood {deadwood} ({value}).",
    HandShown: "Seat {seat} shows {melds}; deadwood {deadwood} ({value}).",
    HandScored: "The hand is over: {:scored}. Points: {points}. Totals: {totals}.",
    HandVoided: "The hand is void, with {stock_count} cards left in the stock.",
    HandClosed: "Hand {hand_no} is closed.",
    PointsNetted: "Points of both tables together: {points}. Totals: {totals}.",
    GameEnded: "The game is over: {winners}{reason}. Totals: {totals}.",
}

SCORED = {
    "knock": "seat {knocker} wins by its knock",
    "undercut": "seat {defender} undercuts seat {knocker}",
    "gin": "seat {knocker} wins with gin",
    "big_gin": "seat {knocker} wins with big gin",
}

IN_WORDS: words.Words = {
    "how": {"random": "by lot", "loser": "having lost the game before"}.__getitem__,
    "pairs": lambda x: " and ".join(f"seat {a} plays against seat {b}" for a, b in x),
    "knock": lambda event: "goes gin" if event.gin else "knocks",
    "discard": lambda x: "" if x is None else f", discarding {words.name_card(x)},",
    "melds": lambda x: " | ".join(map(words.name_cards, x)) or "no melds",
    "deadwood": lambda x: words.name_cards(x).replace("no cards", "none"),
    "layoffs": lambda x: ", ".join(f"{NAMES[laid.card]} on meld {laid.meld + 1}" for laid in x) or "nothing",
    "scored": lambda event: SCORED[event.kind].format(knocker=event.knocker, defender=event.defender),
}

text = words.event_text(TEXTS, IN_WORDS)
