"""Defines the events of a draft (fivewells_draft 2)."""

from typing import Literal

from domain.core.cards import Seat
from domain.core.collectible import Deck
from domain.core.values import value
from domain.core.visibility import Private
from domain.games.fivewells_draft.moves import Pack

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
    """Where packs are passed when all have picked."""


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
    """A seat has picked a card, which it alone knows."""

    seat: Seat
    how: Literal["picked", "left"]
    """`left` where the seat has given up, and takes what the rules name."""
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
    """A seat has built its deck; the others see how many cards it has, and how many lie beside it."""

    seat: Seat
    main: int
    """The number of cards in the deck."""
    sideboard: int
    """The number of cards beside it."""
    how: Literal["built", "left"]
    """`left` where the seat has given up, and plays what the rules build."""
    deck: Private[Deck]
    """The deck, with what lies beside it."""


@value
class SeatGaveUp:
    """A player has given up; the rules pick for the seat from now on, and build its deck."""

    seat: Seat


@value
class GameEnded:
    """The draft is over; nobody has won, and who gave up comes last."""

    reason: Ending
    """Why it is over."""
    gave_up: tuple[Seat, ...]
    """The seats whose players have given up."""


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
