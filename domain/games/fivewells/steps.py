"""Carries a duel on until somebody has to decide: steps, windows, automatic passes, checks (fivewells 3)."""

from collections.abc import Sequence
from typing import Final

from domain.core.cards import Seat
from domain.games.fivewells.cards.kinds import Trigger
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.combat import (
    attackers,
    blockers_declared,
    deal_damage,
    has_first_damage,
    possible_attackers,
    possible_blocks,
    strikers,
)
from domain.games.fivewells.ending import duel_over
from domain.games.fivewells.events import (
    ChoiceRequested,
    PriorityGiven,
    StepEntered,
    TriggersNoted,
    TurnEnded,
    TurnStarted,
)
from domain.games.fivewells.handles import Handles
from domain.games.fivewells.records import Step
from domain.games.fivewells.stack import go_on, resolve, stack_trigger
from domain.games.fivewells.state import NOBODY, State
from domain.games.fivewells.telling import Telling, depart, draw
from domain.games.fivewells.triggers import triggered_for

HAND: Final = 7
MOST_HAPPENINGS: Final = 1000
"""More triggers and resolutions than this in one turn end the game as drawn."""

WINDOWS: Final = frozenset(["dawn", "main1", "attack", "block", "first_damage", "damage", "main2", "dusk"])


def carry_on(t: Telling) -> None:
    """Let happen what must, until a seat or chance is to decide, or the game is over."""
    while not waits(t.state):
        advance(t)


def waits(s: State) -> bool:
    """Say whether somebody has to decide something, or nothing more happens."""
    if s.ended or s.asked or s.random_discard != NOBODY or any(s.to_shuffle) or not all(s.kept):
        return True
    if s.resolving or s.waiting or board(s).doomed or any(s.failed_draw) or min(s.life) <= 0:
        return False
    if s.happenings > MOST_HAPPENINGS:
        return False
    if s.unordered or (s.step in ("attack", "block") and not s.declared):
        return True
    return s.priority != NOBODY and s.passes < 2 and not passes_by_itself(s, s.priority, s.step)


def advance(t: Telling) -> None:
    """Take one step of what must happen."""
    s = t.state
    if s.resolving:
        go_on(t)
    elif s.happenings > MOST_HAPPENINGS:
        t.tell(duel_over(s, (), "endless"))
    elif check(t):
        return
    elif s.waiting and s.step in WINDOWS:
        stack_trigger(t)
    elif s.step in ("", "ended"):
        next_turn(t)
    elif s.step == "cleanup":
        t.tell(turn_ended(s, ()))
    elif s.step not in WINDOWS:
        walk(t)
    else:
        use_window(t)


def check(t: Telling) -> bool:
    """Let players lose and creatures die that must; False if nothing happens."""
    s = t.state
    lost = [seat for seat in (0, 1) if s.life[seat] <= 0 or s.failed_draw[seat]]
    if lost:
        winners = tuple(seat for seat in (0, 1) if seat not in lost)
        life = any(s.life[seat] <= 0 for seat in lost)
        t.tell(duel_over(s, winners, "life" if life else "library"))
        return True
    if doomed := board(s).doomed:
        depart(t, [thing.object for thing in doomed], "graveyard", "died")
    return bool(doomed)


# --- Windows ----------------------------------------------------------------------------------------------


def passes_by_itself(s: State, seat: Seat, step: str) -> bool:
    """Say whether a seat passes automatically in this window: this looks at nothing hidden."""
    if any(one.controller != seat for one in s.stack):
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


def holder(s: State, step: str, seat: Seat, passes: int) -> tuple[Seat | None, int]:
    """Give who has priority after automatic passes, and the passes; nobody if all have passed."""
    while passes < 2:
        if not passes_by_itself(s, seat, step):
            return seat, passes
        seat, passes = 1 - seat, passes + 1
    return None, 2


def use_window(t: Telling) -> None:
    """Give priority on, resolve the top of the stack, or go to the next step."""
    s = t.state
    seat, passes = holder(s, s.step, s.priority, s.passes)
    if seat is not None:
        t.tell(PriorityGiven(seat, passes))
    elif s.stack:
        resolve(t)
    else:
        walk(t)


# --- Steps ------------------------------------------------------------------------------------------------


def next_turn(t: Telling) -> None:
    """Begin the next turn, unless it is one too many; then draw."""
    s = t.state
    if s.turn >= s.rules.max_turns:
        t.tell(duel_over(s, (), "turns"))
    else:
        begin_turn(t, 1 - s.active if s.turn else s.first)


def begin_turn(t: Telling, seat: Seat) -> None:
    """Let a seat's turn begin: it untaps and draws; the first player does not draw in the first turn."""
    s = t.state
    own = [p for p in s.permanents if p.controller == seat]
    untapped: Handles = tuple(p.object for p in own if p.tapped and not p.frozen)
    thawed = tuple(p.object for p in own if p.frozen)
    t.tell(TurnStarted(seat, s.turn + 1, untapped, thawed, tuple(p.object for p in own if p.new)))
    if s.turn > 1:
        draw(t, seat, 1)


def walk(t: Telling) -> None:
    """Go to the next step in which something happens or somebody stops, and tell it in one event."""
    passed: list[Step] = []
    step = t.state.step
    while True:
        step = following(t.state, step)
        if step == "cleanup":
            clean_up(t, passed)
            return
        if enter(t, step, passed):
            return
        passed.append(step)  # type: ignore[arg-type]


def following(s: State, step: str) -> str:
    """Name the step after this one; without attackers, combat is over."""
    match step:
        case "untap":
            return "dawn"
        case "dawn":
            return "main1"
        case "main1":
            return "attack" if possible_attackers(s, s.active) else "main2"
        case "attack":
            return "block" if attackers(s) else "main2"
        case "block":
            return "first_damage" if has_first_damage(s) else "damage" if attackers(s) else "main2"
        case "first_damage":
            return "damage" if attackers(s) else "main2"
        case "damage":
            return "main2"
        case "main2":
            return "dusk"
        case _:
            return "cleanup"


def enter(t: Telling, step: str, passed: Sequence[Step]) -> bool:
    """Begin a step; False where nothing happens in it and nobody stops."""
    match step:
        case "attack":
            t.tell(entered(t.state, step, passed, None))
            return True
        case "block":
            if possible_blocks(t.state, 1 - t.state.active):
                t.tell(entered(t.state, step, passed, None))
            else:
                t.tell(blockers_declared(t.state, 1 - t.state.active, (), forced=True))
            return True
        case "first_damage" | "damage":
            if deal_damage(t, step, strikers(t.state, step)):
                return True
        case "dawn" | "dusk":
            return enter_with_triggers(t, step, passed)
    return enter_window(t, step, passed)


def enter_with_triggers(t: Telling, step: str, passed: Sequence[Step]) -> bool:
    """Begin dawn or dusk, with the abilities that trigger then."""
    trigger = Trigger.DAWN if step == "dawn" else Trigger.DUSK
    noted = triggered_for(t.state, trigger, t.state.active)
    if not noted and not t.state.waiting:
        return enter_window(t, step, passed)
    t.tell(entered(t.state, step, passed, t.state.active))
    if noted:
        t.tell(TriggersNoted(noted))
    return True


def enter_window(t: Telling, step: str, passed: Sequence[Step]) -> bool:
    """Begin a step for who stops in it first; False if nobody does."""
    seat, passes = holder(t.state, step, t.state.active, 0)
    if seat is None and not t.state.waiting:
        return False
    priority = t.state.active if seat is None else seat
    t.tell(entered(t.state, step, passed, priority, 0 if seat is None else passes))
    return True


def clean_up(t: Telling, passed: Sequence[Step]) -> None:
    """End the turn, after a discard down to seven."""
    s = t.state
    over = len(s.hands[s.active]) - HAND
    if over > 0:
        t.tell(entered(s, "cleanup", passed, None))
        t.tell(ChoiceRequested(s.active, "cleanup_discard", over, over, (), ()))
    else:
        t.tell(turn_ended(s, passed))


def turn_ended(s: State, passed: Sequence[Step]) -> TurnEnded:
    """End the turn, and all that lasts until its end."""
    marked = (p.object for p in s.permanents if p.damage or p.venom or p.power or p.toughness or p.keywords)
    return TurnEnded(s.active, tuple(passed), tuple(marked), fighters(s))


def fighters(s: State) -> Handles:
    """Give the creatures that are in combat, or were, until it is over."""
    return tuple(p.object for p in s.permanents if p.attacking or p.blocks or p.blocked or p.struck)


def entered(s: State, step: str, passed: Sequence[Step], priority: Seat | None, passes: int = 0) -> StepEntered:
    """Begin a step; with the second main step, or a later one, combat is over."""
    out = fighters(s) if step in ("main2", "dusk", "cleanup") else ()
    return StepEntered(step, tuple(passed), priority, passes, out)  # type: ignore[arg-type]
