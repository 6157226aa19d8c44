"""What happens in Gin Rummy, each with its line of text (RULES 5.4–5.9).

Two hands may be on at once, at two tables of the partnership form. A fact that names no seat names its table.
"""

from collections.abc import Mapping
from typing import Any, Literal

from domain.cards import NAMES, Card, Cards, Seat, names
from domain.game import told
from domain.gin_rummy.melds import LaidCard, Melds
from domain.gin_rummy.options import Pair, Points
from domain.values import value
from domain.visibility import Hidden, PerSeat, Private

Kind = Literal["gin", "big_gin", "knock", "undercut"]


@value
class GameStarted:
    game_no: int


@value
class FirstDealerChosen:
    """The first dealer: drawn, or the loser of the game before."""

    seat: Seat
    how: Literal["random", "loser"]


@value
class HandStarted:
    """A hand begins; `pairs` are who plays whom at each table, the non-dealer first."""

    hand_no: int
    deal_no: int
    dealer: Seat
    pairs: tuple[Pair, ...]


@value
class HandDealt:
    table: int
    counts: tuple[int, ...]
    cards: PerSeat[Cards]
    stock: Hidden[Cards]


@value
class UpcardTurned:
    table: int
    card: Card


@value
class UpcardPassed:
    seat: Seat


@value
class StockDrawn:
    seat: Seat
    stock_count: int
    card: Private[Card]


@value
class DiscardTaken:
    """The top of the pile is taken; `upcard` if that was the offer at the opening."""

    seat: Seat
    card: Card
    upcard: bool


@value
class CardDiscarded:
    seat: Seat
    card: Card


@value
class Knocked:
    """A hand is laid down; without a discard it is big gin."""

    seat: Seat
    discard: Card | None
    melds: Melds
    deadwood: Cards
    value: int
    gin: bool


@value
class LaidOff:
    """The answer to a knock; `layoffs` count the knocker's melds from 0."""

    seat: Seat
    melds: Melds
    layoffs: tuple[LaidCard, ...]
    deadwood: Cards
    value: int


@value
class HandShown:
    """The hand that gin was made against."""

    seat: Seat
    melds: Melds
    deadwood: Cards
    value: int


@value
class HandScored:
    """A hand is scored: what knocker and defender had left, what they get, all totals and hands won so far."""

    table: int
    kind: Kind
    knocker: Seat
    defender: Seat
    values: tuple[int | None, ...]
    points: Points
    totals: Points
    boxes: Points


@value
class HandVoided:
    table: int
    stock_count: int


@value
class PointsNetted:
    """The points of both tables, side against side."""

    points: Points
    totals: Points
    boxes: Points


@value
class GameEnded:
    """`margins` say by how much each seat is beaten, bonuses included; `ranking` counts from 1."""

    totals: Points
    ranking: tuple[int, ...]
    winners: tuple[Seat, ...]
    boxes: Points
    margins: Points
    reason: str


Event = (
    GameStarted | FirstDealerChosen | HandStarted | HandDealt | UpcardTurned | UpcardPassed | StockDrawn | DiscardTaken
    | CardDiscarded | Knocked | LaidOff | HandShown | HandScored | HandVoided | PointsNetted | GameEnded
)  # fmt: skip

TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} begins.",
    FirstDealerChosen: "Seat {seat} deals first, by {how}.",
    HandStarted: "Hand {hand_no}, seat {dealer} deals: {pairs}.",
    HandDealt: "The hands, from seat 0: {cards}.",
    UpcardTurned: "The upcard is {card}.",
    UpcardPassed: "Seat {seat} passes the upcard.",
    StockDrawn: "Seat {seat} draws from the stock: {card}; {stock_count} left.",
    DiscardTaken: "Seat {seat} takes {card}.",
    CardDiscarded: "Seat {seat} discards {card}.",
    Knocked: "Seat {seat} lays down {melds}; deadwood {deadwood} ({value}); discard {discard}.",
    LaidOff: "Seat {seat} answers with {melds}, lays off {layoffs}; deadwood {deadwood} ({value}).",
    HandShown: "Seat {seat} shows {melds}; deadwood {deadwood} ({value}).",
    HandScored: "Seat {knocker}, {kind}: points {points}; totals {totals}.",
    HandVoided: "The hand is void, with {stock_count} cards in the stock.",
    PointsNetted: "The two tables together: points {points}; totals {totals}.",
    GameEnded: "The game ends at {totals}; won by {winners}.",
}


def text(event: Event) -> str:
    """Say the event in one line, to whoever was shown this much of it."""
    return told(TEXTS, in_words, event)


def in_words(name: str, x: Any) -> str:
    """Say the field of an event; cards that were not shown are `hidden`."""
    match name, x:
        case "card", None:
            return "hidden"
        case "discard", None:
            return "none"
        case (("card" | "discard"), _):
            return NAMES[Card(x)]
        case "cards", _:
            return " | ".join("hidden" if hand is None else in_words("deadwood", hand) for hand in x)
        case (("stock" | "deadwood"), _):
            return " ".join(names(x or ())) or "none"
        case "melds", _:
            return " | ".join(" ".join(names(meld)) for meld in x) or "no melds"
        case "layoffs", _:
            return ", ".join(f"{NAMES[laid.card]} on {laid.meld + 1}" for laid in x) or "nothing"
        case "pairs", _:
            return " and ".join(f"seat {a} against seat {b}" for a, b in x)
        case "kind", _:
            return str(x).replace("_", " ")
        case _, tuple():
            return ", ".join(map(str, x)) or "nobody"
        case _:
            return str(x)
