"""Continues a duel until a seat has to decide: windows, declarations, steps, checks, the end (fivewells 1, 3, 5)."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from domain.card_sets.cards.card_kinds import Keyword, Trigger
from domain.core.cards import NOBODY, Seat
from domain.core.game import Outcome
from domain.core.values import with_fields
from domain.games.fivewells import turn_events
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.combat import (
    attackers,
    combat_damage,
    deal_damage,
    has_first_damage,
    possible_attackers,
    possible_blocks,
)
from domain.games.fivewells.effects import go_on, resolve_top, stack_trigger
from domain.games.fivewells.events import ChoiceRequested, DrawFailed, TriggersNoted
from domain.games.fivewells.legal import has_action
from domain.games.fivewells.records import Blocks, Ending, Entered, Handles, Step
from domain.games.fivewells.state import State, faces
from domain.games.fivewells.triggers import Telling, depart, triggered_for

# --- Windows: who is asked (fivewells 3.4) -----------------------------------------------------------------


WINDOWS: Final = frozenset(["dawn", "main1", "attack", "block", "first_damage", "damage", "main2", "dusk"])


def passes_by_itself(s: State, seat: Seat, step: str) -> bool:
    """Return whether a seat passes automatically in this window, from public data only."""
    if s.stack and any(one.controller != seat for one in s.stack):
        return False
    if seat == s.held and step == s.step:
        return False
    if s.until_turn[seat] or s.until_stack[seat]:
        return True
    stop = stop_of(s, seat, step)
    return stop not in s.stops[seat] and stop not in s.once[seat]


def stop_of(s: State, seat: Seat, step: str) -> str:
    """Return the stop of a seat for this window of the current turn."""
    return f"{'own' if seat == s.active else 'opponent'} {step}"


def passes_now(s: State, seat: Seat) -> bool:
    """Return whether a seat passes automatically now, because of its stops or without options."""
    return passes_by_itself(s, seat, s.step) or (s.rules.passes_without_action and not has_action(s, seat))


def holder_now(s: State) -> tuple[Seat | None, int]:
    """Return the seat with priority after automatic passes, and the passes; None if all passed."""
    seat, passes = s.priority, s.passes
    while passes < 2:
        if not passes_now(s, seat):
            return seat, passes
        seat, passes = 1 - seat, passes + 1
    return None, 2


def holder(s: State, step: str, seat: Seat, passes: int) -> tuple[Seat | None, int]:
    """Return the seat with priority after the passes that follow from stops, and the passes; None if all passed."""
    while passes < 2:
        if not passes_by_itself(s, seat, step):
            return seat, passes
        seat, passes = 1 - seat, passes + 1
    return None, 2


# --- Declarations of attackers and blockers (fivewells 5) --------------------------------------------------


def attackers_declared(s: State, seat: Seat, attackers: Handles) -> turn_events.AttackersDeclared:
    """Return the effects of declaring these attackers: they tap, unless they are steadfast."""
    if not attackers:
        # Without attackers, no seat gets priority.
        return turn_events.AttackersDeclared(seat, (), (), seat, 2)
    things = board(s).things
    tapped = tuple(handle for handle in attackers if Keyword.STEADFAST not in things[handle].keywords)
    return turn_events.AttackersDeclared(seat, attackers, tapped, *first_asked(s, "attack"))


def blockers_declared(
    s: State, seat: Seat, blocks: Sequence[Blocks], *, forced: bool = False
) -> turn_events.BlockersDeclared:
    """Return the effects of declaring these blocks. If blockers need an order, the window opens after it."""
    count = Counter(pair.attacker for pair in blocks)
    blocked = tuple(sorted(count))
    unordered = tuple(handle for handle in blocked if count[handle] > 1)
    first = (s.active, 0) if unordered else first_asked(s, "block")
    return turn_events.BlockersDeclared(seat, tuple(blocks), blocked, unordered, *first, forced)


def first_asked(s: State, step: str) -> tuple[Seat, int]:
    """Return the seat with priority after a declaration, and the automatic passes; 2 if no seat stops."""
    seat, passes = holder(s, step, s.active, 0)
    return (s.active if seat is None else seat), passes


# --- The end (fivewells 1) ---------------------------------------------------------------------------------


def duel_over(s: State, winners: tuple[Seat, ...], reason: Ending) -> turn_events.GameEnded:
    """End the duel; without a winner it is drawn."""
    ranking = tuple(1 if not winners or seat in winners else 2 for seat in (0, 1))
    return turn_events.GameEnded(winners, ranking, s.life, reason)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[turn_events.GameEnded, ...]:
    """End the duel now: a seat that resigned loses; if none did, it is drawn."""
    why: Ending = "resignation" if reason == "resignation" else "draw" if reason == "draw" else "abandoned"
    return (duel_over(s, remaining(gave_up) if gave_up else (), why),)


def remaining(gave_up: Collection[Seat]) -> tuple[Seat, ...]:
    """Return the seats that did not resign."""
    return tuple(seat for seat in (0, 1) if seat not in gave_up)


def outcome(s: State) -> Outcome | None:
    """Return the result of a finished duel: a point for its winner."""
    if s.ended is None:
        return None
    scores = tuple(int(seat in s.ended.winners) for seat in (0, 1))
    return Outcome(s.ended.winners, s.ended.ranking, scores, s.ended.reason)


# --- The course of a duel ----------------------------------------------------------------------------------


HAND: Final = 7
MOST_HAPPENINGS: Final = 1000
"""Maximum number of triggers and resolutions in one turn; more draw the game."""


def carry_on(t: Telling) -> None:
    """Produce the automatic events until a seat or chance decides, or the game is over."""
    while not waits(t.state):
        advance(t)


def waits(s: State) -> bool:
    """Return whether a decision is open, or the game is over."""
    if s.ended or s.asked or s.random_discard != NOBODY or True in s.to_shuffle or False in s.kept:
        return True
    if s.resolving or s.waiting or board(s).doomed or True in s.failed_draw or min(s.life) <= 0:
        return False
    if s.happenings > MOST_HAPPENINGS:
        return False
    if s.unordered or (s.step in ("attack", "block") and not s.declared):
        return True
    return s.priority != NOBODY and s.passes < 2 and not passes_now(s, s.priority)


def advance(t: Telling) -> None:
    """Take one automatic step."""
    s = t.state
    if s.resolving:
        go_on(t)
        t.tell_then(step_after(s))
    elif s.happenings > MOST_HAPPENINGS and min(s.life) > 0 and True not in s.failed_draw:
        t.tell(duel_over(s, (), "endless"))
    elif apply_state_checks(t):
        return
    elif s.waiting and s.step in WINDOWS:
        stack_trigger(t)
    elif s.step == "":
        next_turn(t)
    elif s.step == "cleanup":
        clean_up(t)
    elif s.step not in WINDOWS:
        walk(t)
    else:
        use_window(t)


def apply_state_checks(t: Telling) -> bool:
    """End the game for losing players and remove dying creatures; return False if nothing happens."""
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


# --- Steps -------------------------------------------------------------------------------------------------


def use_window(t: Telling) -> None:
    """Pass priority on, resolve the top of the stack, or go to the next step."""
    s = t.state
    seat, passes = holder_now(s)
    if seat is not None:
        t.tell(turn_events.PriorityGiven(seat, passes))
    elif s.stack:
        resolve_top(t)
        t.tell_then(step_after(s))
    else:
        walk(t)


def next_turn(t: Telling) -> None:
    """Begin the next turn, or draw the game after the last one."""
    s = t.state
    if s.turn >= s.rules.max_turns:
        t.tell(duel_over(s, (), "turns"))
    else:
        begin_turn(t, 1 - s.active if s.turn else s.first)


def begin_turn(t: Telling, seat: Seat) -> None:
    """Begin a seat's turn: untap and draw; the first player does not draw in the first turn."""
    s = t.state
    own = [p for p in s.permanents if p.controller == seat]
    untapped: Handles = tuple(p.object for p in own if p.tapped and not p.frozen)
    thawed = tuple(p.object for p in own if p.frozen)
    settled = tuple(p.object for p in own if p.new)
    faded = tuple(p.object for p in s.permanents if p.lasting[seat])
    drawn = faces(s, s.libraries[seat][:1] if s.turn else ())
    card = drawn[0] if drawn else None
    t.tell(turn_events.TurnStarted(seat, s.turn + 1, untapped, thawed, settled, faded, len(drawn), card))
    if s.turn > 1 and not drawn:
        t.tell(DrawFailed(seat))
    else:
        t.tell_then(step_after(s))


def clean_up(t: Telling) -> None:
    """Discard down to seven, and end all marks; then begin the next turn."""
    s = t.state
    if over := too_many(s):
        t.tell(ChoiceRequested(s.active, "cleanup_discard", over, over, (), ()))
    elif marks := marked_creatures(s):
        t.tell(turn_events.TurnEnded(s.active, marks))
    else:
        next_turn(t)


def walk(t: Telling) -> None:
    """Go to the next step with an action or a stop, in one event."""
    s = t.state
    step, passed = next_step(s, unstopped_step(s))
    match begin_step(s, step):
        case None:
            tell_step(t, enter_step(s, step, passed))
        case turn_events.BlockersDeclared() as declared:
            t.tell(declared)
        case turn_events.CombatDamageDealt() as damage:
            deal_damage(t, damage)
            t.tell_then(step_after(s))
        case TriggersNoted() as noted:
            tell_step(t, Entered(step, passed, s.active, 0, *ended_by(s, step)))
            t.tell(noted)


def begin_step(
    s: State, step: Step
) -> turn_events.BlockersDeclared | turn_events.CombatDamageDealt | TriggersNoted | None:
    """Return the events at the start of a step, before any priority; None if there are none."""
    match step:
        case "block":
            return None if possible_blocks(s, 1 - s.active) else blockers_declared(s, 1 - s.active, (), forced=True)
        case "first_damage" | "damage":
            return combat_damage(s, step)
        case "dawn" | "dusk":
            noted = triggered_for(s, Trigger.DAWN if step == "dawn" else Trigger.DUSK, s.active)
            return TriggersNoted(noted) if noted else None
        case _:
            return None


def tell_step(t: Telling, begun: Entered) -> None:
    """Record the start of a step, with the windows before it in which no seat stopped."""
    if begun.passed:
        t.tell(turn_events.WindowPassed(begun.passed[0], with_fields(begun, passed=begun.passed[1:])))
    else:
        t.tell(turn_events.StepEntered(begun.step, begun.priority, begun.passes, begun.out_of_combat, begun.recovered))


def step_after(s: State) -> Entered | None:
    """Return the step that follows immediately, which the last event can include; None if more happens first."""
    if s.waiting or s.stack or s.resolving or s.asked or board(s).doomed or any(s.failed_draw) or min(s.life) <= 0:
        return None
    if s.happenings > MOST_HAPPENINGS or (s.step in WINDOWS and s.passes < 2 and holder_now(s)[0] is not None):
        return None
    step, passed = next_step(s, unstopped_step(s))
    return None if begin_step(s, step) else enter_step(s, step, passed)


def unstopped_step(s: State) -> tuple[Step, ...]:
    """Return the current step, if it has a window in which no seat has passed."""
    return (s.step,) if s.step in WINDOWS and not s.passes else ()  # type: ignore[return-value]


def next_step(s: State, passed: tuple[Step, ...]) -> tuple[Step, tuple[Step, ...]]:
    """Find the next step with an action or a stop, and add the steps before it to the passed ones."""
    step = following(s, s.step)
    while not happens(s, step):
        passed = (*passed, step)
        step = following(s, step)
    return step, passed


def following(s: State, step: str) -> Step:
    """Return the step after this one; without attackers, combat ends."""
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


def happens(s: State, step: Step) -> bool:
    """Return whether anything happens in a step, or a seat stops there."""
    if step in ("attack", "block", "cleanup") or s.waiting or holder(s, step, s.active, 0)[0] is not None:
        return True
    return begin_step(s, step) is not None


def enter_step(s: State, step: Step, passed: tuple[Step, ...]) -> Entered:
    """Return the event for a step without actions; declarations and cleanup come before any priority."""
    if step in ("attack", "block", "cleanup"):
        return Entered(step, passed, None, 0, *ended_by(s, step))
    seat, passes = holder(s, step, s.active, 0)
    who = (s.active, 0) if seat is None else (seat, passes)
    return Entered(step, passed, *who, *ended_by(s, step))


def ended_by(s: State, step: Step) -> tuple[Handles, Handles]:
    """Return the creatures that leave combat with a step, and those whose damage, pumps and venom marks end."""
    out = fighters(s) if step in ("main2", "dusk", "cleanup") else ()
    return out, marked_creatures(s) if step == "cleanup" and not too_many(s) else ()


def fighters(s: State) -> Handles:
    """Return the creatures that are in combat, or were, until it is over."""
    return tuple([p.object for p in s.permanents if p.attacking or p.blocks or p.blocked or p.struck])


def marked_creatures(s: State) -> Handles:
    """Return the creatures with damage, pumps or venom marks."""
    marks = (p.object for p in s.permanents if p.damage or p.venom or p.power or p.toughness or p.keywords)
    return tuple(marks)


def too_many(s: State) -> int:
    """Return how many cards the active seat must discard at cleanup."""
    return max(0, len(s.hands[s.active]) - HAND)
