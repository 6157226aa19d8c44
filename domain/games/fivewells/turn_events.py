"""Defines the events of the course of a duel: opening, end, turns, steps, windows, combat (fivewells 2, 3, 5)."""

from typing import Literal

from domain.core.cards import Seat
from domain.core.collectible import Deck
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.games.fivewells.records import (
    Blocks,
    DamageStep,
    DeckFrom,
    Ending,
    Entered,
    Face,
    Faces,
    Handle,
    Handles,
    HandOf,
    Hit,
    Step,
    Stop,
    Until,
)

# --- Before the first turn, and the end (fivewells 2) ------------------------------------------------------


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
    """Number of sideboard cards."""
    how: DeckFrom
    """The source of the deck: the lobby, the options, the previous game, or built at the table."""
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


# --- Turns, steps and windows (fivewells 3) ----------------------------------------------------------------


@value
class TurnStarted:
    """A turn begins: these permanents untap, lose the frozen mark, or are new no longer; then the seat draws.

    Where nothing else happens before, `then` is the step that begins.
    """

    seat: Seat
    turn: int
    """The number of the turn, of both seats together."""
    untapped: Handles
    """The permanents that untap."""
    thawed: Handles
    """The permanents that lose the frozen mark."""
    settled: Handles
    """The permanents that are new no longer."""
    faded: Handles
    """The creatures whose pumps end that lasted until this turn of the seat."""
    draws: int
    """How many cards the seat draws: 1, or 0 in the first turn, and from an empty library."""
    card: Private[Face]
    """The card that the seat draws."""
    then: Entered | None = None
    """The step that begins, where nothing else happens before."""


@value
class StepEntered:
    """A step begins in which something happens or somebody stops, after one whose window somebody has closed.

    Priority has who stops in it first. With the second main step, or a later one, the creatures `out_of_combat` fight
    no longer. At cleanup the damage, pumps and venom marks of those that have `recovered` end.
    """

    step: Step
    """The step that begins."""
    priority: Seat | None
    passes: int
    """How many have passed in the window."""
    out_of_combat: Handles = ()
    """The creatures that fight no longer."""
    recovered: Handles = ()
    """The creatures whose damage, pumps and venom marks end."""


@value
class WindowPassed:
    """Nobody stopped in the window of a step, and another begins."""

    step: Step
    """The step whose window it was."""
    then: Entered
    """The step that begins, where nothing else happens before."""


@value
class PriorityGiven:
    """The seat has priority in the same window, for the other has no stop there: as many have passed."""

    seat: Seat
    passes: int
    """How many have passed in the window."""


@value
class PriorityPassed:
    """A seat passes by its own command; `once` are the stops to be used once that it has left.

    Where that ends the window, and nothing else happens before, `then` is the step that begins.
    """

    seat: Seat
    until: Private[Until | None]
    """How long the seat passes."""
    once: Private[tuple[Stop, ...]]
    """The stops to be used once that it has left."""
    then: Entered | None = None
    """The step that begins, where nothing else happens before."""


@value
class StopsSet:
    seat: Seat
    stops: Private[tuple[Stop, ...]]
    """The windows in which the seat is asked, always."""
    once: Private[tuple[Stop, ...]]
    """The windows in which it is asked only the next time."""


@value
class TurnEnded:
    """Damage, pumps and venom marks of these creatures end after a discard at cleanup."""

    seat: Seat
    recovered: Handles
    """The creatures whose damage, pumps and venom marks end."""


# --- Combat (fivewells 5) ----------------------------------------------------------------------------------


@value
class AttackersDeclared:
    """Creatures attack; priority has who stops first. Where nobody does, or without attackers, `then` begins."""

    seat: Seat
    attackers: Handles
    """The creatures that attack."""
    tapped: Handles
    """Those of them that tap."""
    priority: Seat
    passes: int
    """How many have passed in the window."""
    then: Entered | None = None
    """The step that begins, where nothing else happens before."""


@value
class BlockersDeclared:
    """Creatures block; `unordered` are the attackers whose blockers are to be put in order.

    `forced` says that nothing could block, so that nobody was asked.
    """

    seat: Seat
    blocks: tuple[Blocks, ...]
    """The blocks."""
    blocked: Handles
    """The attackers that are blocked."""
    unordered: Handles
    """The attackers whose blockers are still to be put in order."""
    priority: Seat
    passes: int
    """How many have passed in the window."""
    forced: bool = False
    """Whether nothing could block, so that no seat had to choose."""


@value
class BlockersOrdered:
    seat: Seat
    attacker: Handle
    order: Handles
    """The blockers, who is dealt damage first in front."""
    unordered: Handles
    """The attackers whose blockers are still to be put in order."""


@value
class CombatDamageDealt:
    """All damage of a step of combat is dealt at once; where nothing else happens before, `then` is the next step."""

    step: DamageStep
    """The step of the damage."""
    rows: tuple[Hit, ...]
    """The damage, with its sources and recipients."""
    struck: Handles
    """The creatures that have dealt damage in the first of two steps."""
    life: tuple[int, ...]
    """The life of both seats after the damage."""
    then: Entered | None = None
    """The step that begins, where nothing else happens before."""


TurnEvent = (
    DeckBrought
    | GameStarted
    | FirstPlayerChosen
    | HandStarted
    | BoosterOpened
    | DeckSubmitted
    | DecksBuilt
    | CardsNumbered
    | LibraryShuffled
    | HandDealt
    | MulliganTaken
    | HandKept
    | GameEnded
    | TurnStarted
    | StepEntered
    | WindowPassed
    | PriorityGiven
    | PriorityPassed
    | StopsSet
    | TurnEnded
)
