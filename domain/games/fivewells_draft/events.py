"""Defines the moves and events of a draft, and explains refusals (fivewells_draft 2–4)."""

from random import Random
from typing import Any, ClassVar, Literal

from domain.card_sets.decks.deck import DECK_REFUSALS as REFUSALS
from domain.core.cards import Seat
from domain.core.choices import argument_name, arguments_schema
from domain.core.collectible import Deck
from domain.core.values import value
from domain.core.visibility import Private

# --- Moves ----------------------------------------------------------------------------------------


Pack = tuple[str, ...]
"""The cards of a pack, by their ids."""


@value
class PickCard:
    """Take this card of the pack on offer, by its id."""

    card: str
    """The id of a card of the pack on offer."""


@value
class SubmitDeck:
    """Play these cards, by their ids; the other picks are the sideboard."""

    main: tuple[str, ...]
    """The ids of the cards to play with, at least forty."""
    sideboard: tuple[str, ...] = ()
    """The ids of the sideboard cards; all other picks are added to it."""


Move = PickCard | SubmitDeck


@value
class OpenPack:
    """Chance: these are the cards of a pack."""

    cards: Pack


@value
class OneOfPack:
    """The choice to take one card of a pack."""

    of: Pack
    make: ClassVar[type] = PickCard
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is PickCard and move.card in self.of

    def schema(self) -> dict[str, Any]:
        return arguments_schema({argument_name(PickCard): {"enum": sorted(self.of)}})

    def sample(self, rng: Random) -> Any:
        return PickCard(rng.choice(self.of))


# --- Events ---------------------------------------------------------------------------------------


Direction = Literal["left", "right"]
Ending = Literal["played", "draw", "abandoned", "resignation"]


@value
class GameStarted:
    """A draft begins."""

    game_no: int
    """The number of the game in the match, from 1."""


@value
class HandStarted:
    """A round begins: every seat opens a pack of this set, and passes it in this direction."""

    hand_no: int
    """The number of the round in the match, from 1."""
    round_no: int
    """The number of the round in the draft, from 1."""
    set: str
    """The set of the packs."""
    direction: Direction
    """The direction in which packs are passed after all picks."""


@value
class PackOffered:
    """A seat is offered a pack of `count` cards, to take the pick with this number in the round from."""

    seat: Seat
    pick_no: int
    """The number of the pick in the round, from 1."""
    count: int
    """The number of cards in the pack."""
    cards: Private[Pack]
    """The ids of the cards in the pack."""


@value
class CardPicked:
    """A seat has picked a card, which only it knows."""

    seat: Seat
    how: Literal["picked", "left"]
    """`left` if the seat resigned and the pick was automatic."""
    card: Private[str]
    """The id of the card."""


@value
class LastCardTaken:
    """A seat takes the one card that is left of the pack passed to it, as its pick with this number in the round."""

    seat: Seat
    pick_no: int
    """The number of the pick in the round, from 1."""
    card: Private[str]
    """The id of the card."""


@value
class PackKept:
    """A seat keeps all cards of the pack that it has opened."""

    seat: Seat
    count: int
    """The number of cards in the pack."""
    cards: Private[Pack]
    """The ids of the cards in the pack."""


@value
class RoundEnded:
    """All cards of the round are picked; after the last round, all decks are built as well."""

    hand_no: int
    """The number of the round in the match, from 1."""


@value
class DeckSubmitted:
    """A seat built its deck; the others see the sizes of deck and sideboard."""

    seat: Seat
    main: int
    """The number of cards in the deck."""
    sideboard: int
    """Number of sideboard cards."""
    how: Literal["built", "left"]
    """`left` if the seat resigned and its deck was automatic."""
    deck: Private[Deck]
    """The deck, with its sideboard."""


@value
class SeatGaveUp:
    """A player has given up; the rules pick for the seat from now on, and build its deck."""

    seat: Seat


@value
class GameEnded:
    """The draft ended without a winner; seats that resigned are last."""

    reason: Ending
    """Why it is over."""
    gave_up: tuple[Seat, ...]
    """The seats that resigned."""


Event = (
    GameStarted
    | HandStarted
    | PackOffered
    | CardPicked
    | LastCardTaken
    | PackKept
    | RoundEnded
    | DeckSubmitted
    | SeatGaveUp
    | GameEnded
)


# --- Refusals -------------------------------------------------------------------------------------


__all__ = ["REFUSALS"]
