"""Defines the events of turns, steps and windows (fivewells 3)."""

from domain.core.cards import Seat
from domain.core.values import value
from domain.core.visibility import Private
from domain.games.fivewells.handles import Face, Handles
from domain.games.fivewells.records import Entered, Step, Stop, Until


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
    """The windows in which it is asked the next time alone."""


@value
class TurnEnded:
    """Damage, pumps and venom marks of these creatures end after a discard at cleanup."""

    seat: Seat
    recovered: Handles
    """The creatures whose damage, pumps and venom marks end."""
