"""Defines the events of the course of a duel: opening, end, turns, steps, windows, combat (fivewells 2, 3, 5)."""

from typing import Literal

from domain.core.cards import Seat
from domain.core.collectible import Deck
from domain.core.values import value
from domain.core.visibility import Hidden, PerSeat, Private
from domain.games.fivewells import records

# --- Before the first turn, and the end (fivewells 2) ------------------------------------------------------


@value
class DeckBrought:
    """A player brought a deck to the lobby; it stays hidden from others until the match is over."""

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
    of: records.HandOf
    """The kind of game: a duel, or the opening of boosters."""


@value
class BoosterOpened:
    """A seat opens a booster of this set; its number counts the seat's boosters from 0."""

    seat: Seat
    n: int
    """The number of the booster among the seat's, from 0."""
    set: str
    """The code of its set."""
    count: int
    """Number of its cards."""
    cards: Private[tuple[str, ...]]
    """The ids of its cards."""


@value
class DeckSubmitted:
    """A seat chose this deck; the others see the sizes of deck and sideboard."""

    seat: Seat
    main: int
    """Number of cards to play with."""
    sideboard: int
    """Number of sideboard cards."""
    how: records.DeckFrom
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
    first: records.Handle
    count: int
    """The number of cards."""
    cards: Hidden[tuple[str, ...]]
    """The ids of the cards, by their handles."""


@value
class LibraryShuffled:
    seat: Seat
    count: int
    """The number of cards."""
    library: Hidden[records.Handles]
    """The library, the top card first."""


@value
class HandDealt:
    """The seats draw their first cards, or, after a mulligan, one of them draws others; `counts` says how many."""

    counts: tuple[int, ...]
    """How many cards each seat draws."""
    cards: PerSeat[records.Faces]
    """The cards that the reader draws."""


@value
class MulliganTaken:
    seat: Seat
    count: int
    """The seat's mulligans so far."""


@value
class HandKept:
    seat: Seat
    cards_left: int
    """The number of kept cards."""
    bottom: Private[records.Handles]
    """The cards for the bottom of the library, the deepest first."""


@value
class GameEnded:
    winners: tuple[Seat, ...]
    """The seats that have won; none if the game is drawn."""
    ranking: tuple[int, ...]
    """The place of each seat."""
    life: tuple[int, ...]
    """The life of each seat."""
    reason: records.Ending
    """Why the game is over."""


# --- Turns, steps and windows (fivewells 3) ----------------------------------------------------------------


@value
class TurnStarted:
    """A turn began: these permanents untapped, lost the frozen mark, or are no longer new; then the seat drew.

    If nothing else happens first, `then` is the step that begins.
    """

    seat: Seat
    turn: int
    """The number of the turn, of both seats together."""
    untapped: records.Handles
    """The permanents that untap."""
    thawed: records.Handles
    """The permanents that lose the frozen mark."""
    settled: records.Handles
    """The permanents that are no longer new."""
    faded: records.Handles
    """The creatures whose pumps ended with the start of this turn."""
    draws: int
    """The number of drawn cards: 1, or 0 in the first turn and from an empty library."""
    card: Private[records.Face]
    """The card that the seat draws."""
    then: records.Entered | None = None
    """The next step, if it begins immediately."""


@value
class StepEntered:
    """A step began with an action or a stop, after a closed window.

    The first seat that stops in it has priority. With the second main step, or a later one, the creatures
    `out_of_combat` leave combat. At cleanup, damage, pumps and venom marks of the creatures `recovered` end.
    """

    step: records.Step
    """The step that begins."""
    priority: Seat | None
    passes: int
    """Passes so far in this window."""
    out_of_combat: records.Handles = ()
    """The creatures that left combat."""
    recovered: records.Handles = ()
    """The creatures whose damage, pumps and venom marks ended."""


@value
class WindowPassed:
    """No seat stopped in the window of a step, and another began."""

    step: records.Step
    """The step of this window."""
    then: records.Entered
    """The next step, if it begins immediately."""


@value
class PriorityGiven:
    """The seat received priority in the same window, since the other has no stop there; the number of passes stays."""

    seat: Seat
    passes: int
    """Passes so far in this window."""


@value
class PriorityPassed:
    """A seat passed by its own command; `once` are its remaining one-time stops.

    If this closes the window and nothing else happens first, `then` is the step that begins.
    """

    seat: Seat
    until: Private[records.Until | None]
    """How long the seat passes."""
    once: Private[tuple[records.Stop, ...]]
    """Its remaining one-time stops."""
    then: records.Entered | None = None
    """The next step, if it begins immediately."""


@value
class StopsSet:
    seat: Seat
    stops: Private[tuple[records.Stop, ...]]
    """The windows with a permanent stop."""
    once: Private[tuple[records.Stop, ...]]
    """The windows with a one-time stop."""


@value
class TurnEnded:
    """Damage, pumps and venom marks of these creatures end after a discard at cleanup."""

    seat: Seat
    recovered: records.Handles
    """The creatures whose damage, pumps and venom marks ended."""


# --- Combat (fivewells 5) ----------------------------------------------------------------------------------


@value
class AttackersDeclared:
    """Creatures attacked; the first seat that stops has priority. If none stops or attacks, `then` begins."""

    seat: Seat
    attackers: records.Handles
    """The creatures that attack."""
    tapped: records.Handles
    """The attackers that tapped."""
    priority: Seat
    passes: int
    """Passes so far in this window."""
    then: records.Entered | None = None
    """The next step, if it begins immediately."""


@value
class BlockersDeclared:
    """Creatures blocked; `unordered` are the attackers whose blockers need an order.

    `forced` means that nothing could block, so that no seat had to choose.
    """

    seat: Seat
    blocks: tuple[records.Blocks, ...]
    """The blocks."""
    blocked: records.Handles
    """The blocked attackers."""
    unordered: records.Handles
    """The attackers whose blockers have no order yet."""
    priority: Seat
    passes: int
    """Passes so far in this window."""
    forced: bool = False
    """Whether nothing could block, so that no seat had to choose."""


@value
class BlockersOrdered:
    seat: Seat
    attacker: records.Handle
    order: records.Handles
    """The blockers in order of damage."""
    unordered: records.Handles
    """The attackers whose blockers have no order yet."""


@value
class CombatDamageDealt:
    """All damage of a combat step was dealt simultaneously; `then` is the next step if nothing else happens first."""

    step: records.DamageStep
    """The step of the damage."""
    rows: tuple[records.Hit, ...]
    """The damage, with its sources and recipients."""
    struck: records.Handles
    """The creatures that dealt first-strike damage."""
    life: tuple[int, ...]
    """The life of both seats after the damage."""
    then: records.Entered | None = None
    """The next step, if it begins immediately."""


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
