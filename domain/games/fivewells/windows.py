"""Says who is asked in a window: who stops there, or has an object of the opponent on the stack (fivewells 3.4).

Where a table wants it, a seat that can do nothing passes as well. That looks at its hand, so it is asked of the moment
as it is alone, and never of a step that is to come.
"""

from typing import Final

from domain.core.cards import Seat
from domain.games.fivewells.actions import has_action
from domain.games.fivewells.state import State

WINDOWS: Final = frozenset(["dawn", "main1", "attack", "block", "first_damage", "damage", "main2", "dusk"])


def passes_by_itself(s: State, seat: Seat, step: str) -> bool:
    """Say whether a seat passes automatically in this window: this looks at nothing hidden."""
    if s.stack and any(one.controller != seat for one in s.stack):
        return False
    if seat == s.held and step == s.step:
        return False
    if s.until_turn[seat] or s.until_stack[seat]:
        return True
    stop = stop_of(s, seat, step)
    return stop not in s.stops[seat] and stop not in s.once[seat]


def stop_of(s: State, seat: Seat, step: str) -> str:
    """Name the stop of a seat in this window of the present turn."""
    return f"{'own' if seat == s.active else 'opponent'} {step}"


def passes_now(s: State, seat: Seat) -> bool:
    """Say whether a seat passes automatically as things stand, for its stops or since it can do nothing."""
    return passes_by_itself(s, seat, s.step) or (s.rules.passes_without_action and not has_action(s, seat))


def holder_now(s: State) -> tuple[Seat | None, int]:
    """Give who has priority after automatic passes as things stand, and the passes; nobody if all have passed."""
    seat, passes = s.priority, s.passes
    while passes < 2:
        if not passes_now(s, seat):
            return seat, passes
        seat, passes = 1 - seat, passes + 1
    return None, 2


def holder(s: State, step: str, seat: Seat, passes: int) -> tuple[Seat | None, int]:
    """Give who has priority in a window after the passes that follow from stops; nobody if all have passed."""
    while passes < 2:
        if not passes_by_itself(s, seat, step):
            return seat, passes
        seat, passes = 1 - seat, passes + 1
    return None, 2
