"""Takes in lands, mana, and what is put on the stack and leaves it."""

from typing import Any, assert_never

from domain.core.cards import next_seat
from domain.core.values import put, shown
from domain.games.fivewells.events import (
    AbilityActivated,
    AbilityTriggered,
    ChoiceMade,
    LandPlayed,
    ManaAdded,
    ResolutionBegan,
    SpellCast,
    SpellCountered,
    SpellFailed,
    SpellResolved,
    TriggerDropped,
    TriggersNoted,
)
from domain.games.fivewells.evolve.turns import enter_next, stop_passing
from domain.games.fivewells.evolve.zones import bury, lose, put_onto_battlefield, tap
from domain.games.fivewells.handles import Handles
from domain.games.fivewells.state import NOBODY, Permanent, Resolving, StackItem, State

Act = (
    LandPlayed
    | ManaAdded
    | SpellCast
    | AbilityActivated
    | TriggersNoted
    | AbilityTriggered
    | TriggerDropped
    | ResolutionBegan
    | SpellResolved
    | SpellFailed
    | SpellCountered
)


def act(s: State, event: Act) -> None:
    """Take in what is played, and what becomes of it on the stack."""
    match event:
        case LandPlayed():
            lose(s, event.seat, event.object)
            s.cards = put(s.cards, event.object, event.card)
            s.land_played = True
            put_onto_battlefield(s, Permanent(event.object, event.card, event.seat, event.seat, event.tapped))
        case ManaAdded():
            tap(s, event.tapped)
            s.pools = put(s.pools, event.seat, event.pool)
        case SpellCast() | AbilityActivated() | AbilityTriggered():
            put_on_stack(s, event)
        case TriggersNoted():
            s.waiting += event.triggers
        case TriggerDropped():
            s.waiting = taken_out(s.waiting, event)
            s.asked = None
        case ResolutionBegan():
            s.resolving = Resolving(0, 0, 0, event.targets, event.controllers)
        case SpellResolved():
            take_off_stack(s, (event.object,))
            bury(s, event.owner, event.gone)
            enter_next(s, event.then)
        case SpellFailed():
            take_off_stack(s, (event.object,))
            bury(s, event.owner, event.gone)
        case SpellCountered():
            # What counters it is resolving still.
            i = tuple(one.item for one in s.stack).index(event.object)
            s.stack = s.stack[:i] + s.stack[i + 1 :]
            bury(s, event.owner, (event.source,))
        case _:
            assert_never(event)


def put_on_stack(s: State, event: SpellCast | AbilityActivated | AbilityTriggered) -> None:
    """Put a spell or an ability on the stack; the opponent passes no longer by itself."""
    s.next_item += 1
    s.held = NOBODY
    stop_passing(s, next_seat(event.seat, 2))
    match event:
        case SpellCast():
            lose(s, event.seat, event.source)
            s.cards = put(s.cards, event.source, event.card)
            spend(s, event)
            pushed = StackItem(
                event.object, event.source, event.card, event.seat, 0, event.targets, event.x, spell=True
            )
            s.priority, s.passes = next_seat(event.seat, 2), 1
        case AbilityActivated():
            spend(s, event)
            tap(s, event.tapped)
            pushed = StackItem(
                event.object, event.source, event.card, event.seat, event.ability, event.targets, event.x
            )
            s.priority, s.passes = next_seat(event.seat, 2), 1
        case AbilityTriggered():
            s.waiting, s.asked = taken_out(s.waiting, event), None
            s.happenings += 1
            pushed = StackItem(
                event.object, event.source, event.card, event.seat, event.ability, event.targets, about=event.about
            )
            s.priority, s.passes = s.active, 0
    s.stack = (*s.stack, pushed)
    s.pushed = (*s.pushed, pushed.card)


def spend(s: State, event: SpellCast | AbilityActivated | ChoiceMade) -> None:
    """Tap what pays, and leave in the pool what is left."""
    tap(s, tuple(source.id for source in event.paid))
    s.pools = put(s.pools, event.seat, shown(event.pool, s.pools[event.seat]))


def taken_out(waiting: Any, event: AbilityTriggered | TriggerDropped) -> Any:
    """Take a trigger out of those that wait."""
    i = tuple((one.source, one.card, one.ability) for one in waiting).index((event.source, event.card, event.ability))
    return waiting[:i] + waiting[i + 1 :]


def take_off_stack(s: State, items: Handles) -> None:
    """Take objects off the stack that have resolved, or failed to."""
    for item in items:
        i = tuple(one.item for one in s.stack).index(item)
        s.stack = s.stack[:i] + s.stack[i + 1 :]
        s.happenings += 1
        s.priority, s.passes, s.held, s.resolving, s.answer = s.active, 0, NOBODY, None, None
