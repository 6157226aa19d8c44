"""Defines the moves and events of Crazy Eights, describes events in words, and explains refusals (crazy_eights 2–5)."""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Literal

from domain.core import event_fields
from domain.core import text as words
from domain.core.cards import SUITS, Card, Cards, Seat, card_names
from domain.core.prompts import SUITS_IN_WORDS
from domain.core.refusals import Refusal
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.games.crazy_eights.options import Payments, Points

# --- Moves ----------------------------------------------------------------------------------------


SuitName = Literal["C", "D", "H", "S"]
SUIT_NAMES: tuple[SuitName, ...] = ("C", "D", "H", "S")


@value
class PlayCard:
    card: Card
    """The card to play."""
    declared_suit: SuitName | None = None
    """The suit to name with an eight; omit it with other cards."""


@value
class DrawCard:
    pass


@value
class PassTurn:
    pass


@value
class PickFirst:
    seat: Seat


@value
class Deal:
    pack: Cards


@value
class Restock:
    cards: Cards


Move = PlayCard | DrawCard | PassTurn | PickFirst | Deal | Restock


@value
class Plays:
    """The choice of one of these cards, with a suit if it is an eight and not the last card."""

    plain: Cards
    eights: Cards
    last: bool
    make: ClassVar[type] = PlayCard
    exact: ClassVar[bool] = True

    @property
    def of(self) -> Cards:
        return self.plain + self.eights

    def admits(self, move: Any) -> bool:
        if type(move) is not PlayCard:
            return False
        if move.card in self.plain:
            return move.declared_suit is None
        return move.card in self.eights and (self.last or move.declared_suit is not None)

    def schema(self) -> dict[str, Any]:
        named = self.eights and not self.plain and not self.last
        suits = [*(SUITS if self.eights else ()), *(() if named else (None,))]
        flat = {
            "type": "object",
            "properties": {"card": {"enum": sorted(set(card_names(self.of)))}, "declared_suit": {"enum": suits}},
            "required": ["card", "declared_suit"] if named else ["card"],
            "additionalProperties": False,
        }
        return flat | self._by_card() if self.plain and self.eights else flat

    def _by_card(self) -> dict[str, Any]:
        """Describe the suit by the card, if only some cards name one."""
        suit = {"properties": {"declared_suit": {"enum": [*SUITS]}}, "required": ["declared_suit"]}
        return {
            "if": {"properties": {"card": {"enum": card_names(self.eights)}}},
            "then": {} if self.last else suit,
            "else": {"properties": {"declared_suit": {"type": "null"}}},
        }

    def sample(self, rng: Random) -> PlayCard:
        card = rng.choice(self.plain + self.eights)
        return PlayCard(card, rng.choice(SUIT_NAMES) if card in self.eights else None)


# --- Events ---------------------------------------------------------------------------------------


@value
class GameStarted:
    game_no: event_fields.GameNo


@value
class FirstDealerChosen:
    seat: Seat
    how: Literal["random", "pick"]
    """How the first dealer was chosen: at random, or by the options."""


@value
class HandStarted:
    hand_no: event_fields.HandNo
    deal_no: event_fields.DealNo
    dealer: Seat
    """The seat that deals."""


@value
class HandDealt:
    """The hands are dealt; `stock` is what the deal leaves, hidden from all until the hand is over."""

    counts: event_fields.DealtCounts
    cards: PerSeat[Cards]
    """The hand of the reader."""
    stock: Hidden[Cards]
    """The stock, the top card first."""


@value
class EightBuried:
    """The top card of the stock goes under `depth` others."""

    card: Card
    """The eight."""
    depth: int
    """The number of cards above it."""


@value
class StarterTurned:
    card: Card
    """The first card of the pile."""
    stock_count: event_fields.StockCount


@value
class CardPlayed:
    seat: Seat
    card: Card
    """The played card."""
    declared_suit: SuitName | None
    """The named suit; null for none."""
    cards_left: int
    """The number of cards left in the seat's hand."""


@value
class CardDrawn:
    seat: Seat
    stock_count: event_fields.StockCount
    card: Private[Card]
    """The drawn card."""


@value
class StockRanOut:
    """A seat draws, and the stock is empty: the pile is shuffled first."""

    seat: Seat


@value
class Restocked:
    """All of the pile but its top card becomes the new stock."""

    stock_count: event_fields.StockCount
    stock: Hidden[Cards]
    """The new stock, the top card first."""


@value
class TurnPassed:
    """The seat passes; `in_a_row` counts the turns up to this one that were only a pass."""

    seat: Seat
    in_a_row: int
    """Consecutive passes, including this one."""


@value
class HandWon:
    seat: Seat


@value
class HandBlocked:
    pass


@value
class Ledger:
    """The balance of each seat in this game: collected minus paid (crazy_eights 6.9)."""

    net: Points
    """The amount that each seat has won or, below 0, lost, seat by seat."""


@value
class HandScored:
    hands: tuple[Cards, ...]
    """The remaining cards, seat by seat."""
    payments: Payments
    """The payments between seats."""
    points: event_fields.Gained[Points]
    totals: event_fields.Totals[Points]
    ledger: Ledger
    """The amounts collected and paid in the game so far."""


@value
class GameEnded:
    """The game ended. `ranking` has each seat's place, from 1; `winners` share the win, and is empty for a draw."""

    totals: event_fields.Totals[Points]
    ranking: event_fields.Places[tuple[int, ...]]
    winners: event_fields.Winners
    ledger: Ledger
    """The amounts collected and paid in the game."""
    reason: event_fields.EndReason


Event = (
    GameStarted
    | FirstDealerChosen
    | HandStarted
    | HandDealt
    | EightBuried
    | StarterTurned
    | CardPlayed
    | CardDrawn
    | StockRanOut
    | Restocked
    | TurnPassed
    | HandWon
    | HandBlocked
    | HandScored
    | GameEnded
)


TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} began.",
    FirstDealerChosen: "Seat {seat} got the first deal, {how}.",
    HandStarted: "Hand {hand_no}: seat {dealer} dealt.",
    HandDealt: "The cards were dealt{cards:dealt}.",
    EightBuried: "{card} was turned up and buried under {depth} cards.",
    StarterTurned: "{card} was turned up to start the pile; {stock_count} cards left in the stock.",
    CardPlayed: "Seat {seat} played {card}{declared_suit}; {cards_left} left in hand.",
    CardDrawn: "Seat {seat} drew {card}; {stock_count} left in the stock.",
    StockRanOut: "Seat {seat} found the stock empty.",
    Restocked: "The pile was shuffled into a new stock of {stock_count} cards.",
    TurnPassed: "Seat {seat} passed.",
    HandWon: "Seat {seat} played its last card.",
    HandBlocked: "No one could play: the hand was blocked.",
    HandScored: "The hand ended. Left in hand: {hands}. Points: {points}. Totals: {totals}.",
    GameEnded: "The game ended: {winners}{reason}. Totals: {totals}.",
}


IN_WORDS: words.Words = {
    "how": {"pick": "as the options set", "random": "by lot"}.__getitem__,
    "declared_suit": lambda x: "" if x is None else f" and named {SUITS_IN_WORDS[SUIT_NAMES.index(x)]}",
    "hands": lambda x: words.for_each_seat(map(words.name_cards, x)),
}


text = words.event_text(TEXTS, IN_WORDS)


# --- Refusals -------------------------------------------------------------------------------------


REFUSALS: Mapping[str, Refusal] = {
    "suit_required": Refusal("Name a suit", "Name the next suit together with the eight."),
    "suit_not_allowed": Refusal("Not an eight", "Play this card without naming a suit, or play an eight."),
    "not_playable": Refusal("The card does not match", "Match its suit or rank, play an eight, or draw."),
    "stock_empty": Refusal("The stock is empty", "Play a card that matches, or pass."),
    "draw_limit_reached": Refusal("No more draws this turn", "Play a card that matches, or pass."),
    "may_not_pass": Refusal("You may not pass", "Play or draw a card while you can."),
}
