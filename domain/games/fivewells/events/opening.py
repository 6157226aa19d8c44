"""Defines the events before the first turn, and that which ends a duel (fivewells 2)."""

from typing import Literal

from domain.core.cards import Seat
from domain.core.collectible import Deck
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.games.fivewells.handles import Faces, Handle, Handles
from domain.games.fivewells.records import DeckFrom, Ending, HandOf


@value
class DeckBrought:
    """A player brings a deck to the lobby; nobody else sees it before the match is over."""

    seat: Seat
    deck: Private[Deck]
    """The deck that the player brings."""


@value
class GameStarted:
    game_no: int
    """The number of the game in the match, from 1."""


@value
class FirstPlayerChosen:
    seat: Seat
    how: Literal["random", "loser", "again"]
    """Whether it was drawn by lot, lost the game before, or began the drawn game before."""


@value
class HandStarted:
    """A duel begins, or the boosters are opened that decks are built of."""

    hand_no: int
    """The number of the hand in the match, from 1."""
    of: HandOf
    """Whether it is a duel, or the opening of boosters."""


@value
class BoosterOpened:
    """A seat opens a booster of this set; its number counts the seat's boosters from 0."""

    seat: Seat
    n: int
    """The number of the booster among the seat's, from 0."""
    set: str
    """The code of its set."""
    count: int
    """How many cards it holds."""
    cards: Private[tuple[str, ...]]
    """The ids of its cards."""


@value
class DeckSubmitted:
    """A seat plays this deck; the others see how many cards it has, and how many lie beside it."""

    seat: Seat
    main: int
    """How many cards are played."""
    sideboard: int
    """How many lie beside them."""
    how: DeckFrom
    """Where the deck comes from: the lobby, the options, the game before, or it was built at the table."""
    deck: Private[Deck]
    """The deck."""


@value
class DecksBuilt:
    """The decks are built of the boosters."""

    hand_no: int
    """The number of the hand in the match, from 1."""


@value
class CardsNumbered:
    """The cards of a deck get their handles, from `first` on."""

    seat: Seat
    first: Handle
    count: int
    """How many cards there are."""
    cards: Hidden[tuple[str, ...]]
    """The ids of the cards, by their handles."""


@value
class LibraryShuffled:
    seat: Seat
    count: int
    """How many cards there are."""
    library: Hidden[Handles]
    """The library, the top card first."""


@value
class HandDealt:
    """The seats draw their first cards, or, after a mulligan, one of them draws others; `counts` says how many."""

    counts: tuple[int, ...]
    """How many cards each seat draws."""
    cards: PerSeat[Faces]
    """The cards that the reader draws."""


@value
class MulliganTaken:
    seat: Seat
    count: int
    """The mulligans of the seat so far."""


@value
class HandKept:
    seat: Seat
    cards_left: int
    """How many cards the seat keeps."""
    bottom: Private[Handles]
    """The cards that go under the library; the first lies deepest."""


@value
class GameEnded:
    winners: tuple[Seat, ...]
    """The seats that have won; none if the game is drawn."""
    ranking: tuple[int, ...]
    """The place of each seat."""
    life: tuple[int, ...]
    """The life of each seat."""
    reason: Ending
    """Why the game is over."""
