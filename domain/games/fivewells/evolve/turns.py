"""Takes in turns, steps and passes."""

from typing import assert_never

from domain.core.cards import Seat, next_seat
from domain.core.values import put, shown
from domain.games.fivewells.events import (
    PriorityGiven,
    PriorityPassed,
    StepEntered,
    StopsSet,
    TurnEnded,
    TurnStarted,
    WindowPassed,
)
from domain.games.fivewells.evolve.zones import change_permanents, fade, gain, know, part, recover
from domain.games.fivewells.handles import UNSEEN
from domain.games.fivewells.records import Entered
from domain.games.fivewells.state import EMPTY, NOBODY, State


def go_on(
    s: State, event: TurnStarted | StepEntered | WindowPassed | PriorityGiven | PriorityPassed | StopsSet | TurnEnded
) -> None:
    """Take in how turns and windows follow each other."""
    match event:
        case PriorityPassed():
            s.passes += 1
            s.priority, s.held = next_seat(event.seat, 2), NOBODY
            s.once = put(s.once, event.seat, shown(event.once, ()))
            pass_on(s, event)
            enter_next(s, event.then)
        case PriorityGiven():
            s.priority, s.passes = event.seat, event.passes
        case StepEntered():
            enter_step(s, event)
        case WindowPassed():
            enter_step(s, event.then)
        case TurnStarted():
            begin_turn(s, event)
        case TurnEnded():
            recover(s, event.recovered)
        case StopsSet():
            s.held = s.priority
            s.stops_set = put(s.stops_set, event.seat, s.stops_set[event.seat] + 1)
            s.stops = put(s.stops, event.seat, shown(event.stops, ()))
            s.once = put(s.once, event.seat, shown(event.once, ()))
        case _:
            assert_never(event)


def begin_turn(s: State, event: TurnStarted) -> None:
    """Untap, begin the counts of a turn anew, and draw."""
    s.turn, s.active, s.step = event.turn, event.seat, "untap"
    s.priority, s.land_played, s.happenings, s.stops_set = NOBODY, False, 0, (0, 0)
    s.pools = (EMPTY, EMPTY)
    s.until_turn = (False, False)
    s.departed = s.departed[s.departed_before :]
    s.departed_before = len(s.departed)
    change_permanents(s, event.untapped, tapped=False)
    change_permanents(s, event.thawed, frozen=False)
    change_permanents(s, event.settled, new=False)
    fade(s, event.seat, event.faded)
    s.libraries = put(s.libraries, event.seat, s.libraries[event.seat][event.draws :])
    drawn = tuple(shown(event.card, UNSEEN) for _ in range(event.draws))
    know(s, drawn)
    for face in drawn:
        gain(s, event.seat, face.object)
    enter_next(s, event.then)


def enter_next(s: State, then: Entered | None) -> None:
    """Begin the step that an event brings with it, if it does."""
    match then:
        case Entered():
            enter_step(s, then)


def enter_step(s: State, event: StepEntered | Entered) -> None:
    """Begin a step; combat ends with the second main step."""
    s.step, s.passes, s.declared, s.pools = event.step, event.passes, False, (EMPTY, EMPTY)
    s.held = NOBODY
    s.priority = shown(event.priority, NOBODY)
    part(s, event.out_of_combat)
    recover(s, event.recovered)
    match event:
        case StepEntered(step="attack") | Entered(step="attack"):
            stop_passing(s, s.active)
        case StepEntered(step="block") | Entered(step="block"):
            stop_passing(s, next_seat(s.active, 2))


def pass_on(s: State, event: PriorityPassed) -> None:
    """Note until when a seat passes."""
    match event:
        case PriorityPassed(until="next_turn"):
            s.until_turn = put(s.until_turn, event.seat, x=True)
        case PriorityPassed(until="something_on_stack"):
            s.until_stack = put(s.until_stack, event.seat, x=True)


def stop_passing(s: State, seat: Seat) -> None:
    """A seat that is asked something passes no longer by itself."""
    s.until_turn = put(s.until_turn, seat, x=False)
    s.until_stack = put(s.until_stack, seat, x=False)
