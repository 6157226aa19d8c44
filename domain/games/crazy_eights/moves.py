"""Defines the moves of Crazy Eights (crazy_eights 2–4): those of the seats, then those of chance."""

from random import Random
from typing import Any, ClassVar, Literal

from domain.core.cards import SUITS, Card, Cards, Seat, names
from domain.core.values import value

SuitName = Literal["C", "D", "H", "S"]
SUIT_NAMES: tuple[SuitName, ...] = ("C", "D", "H", "S")
SUITS_IN_WORDS = ("clubs", "diamonds", "hearts", "spades")


@value
class PlayCard:
    card: Card
    """The card to play."""
    declared_suit: SuitName | None = None
    """The suit that an eight calls for; null or left out with any other card."""


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
    """This choice is one of these cards: plain ones as they are, an eight with a suit unless it is the last card."""

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
            "properties": {"card": {"enum": sorted(set(names(self.of)))}, "declared_suit": {"enum": suits}},
            "required": ["card", "declared_suit"] if named else ["card"],
            "additionalProperties": False,
        }
        return flat | self._by_card() if self.plain and self.eights else flat

    def _by_card(self) -> dict[str, Any]:
        """Describe what the suit may be by the card, where some name one and others do not."""
        suit = {"properties": {"declared_suit": {"enum": [*SUITS]}}, "required": ["declared_suit"]}
        return {
            "if": {"properties": {"card": {"enum": names(self.eights)}}},
            "then": {} if self.last else suit,
            "else": {"properties": {"declared_suit": {"type": "null"}}},
        }

    def sample(self, rng: Random) -> PlayCard:
        card = rng.choice(self.plain + self.eights)
        return PlayCard(card, rng.choice(SUIT_NAMES) if card in self.eights else None)
