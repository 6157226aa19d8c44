"""Puts triggers on the stack and resolves its objects (fivewells 3)."""

from domain.core.cards import Seat
from domain.games.fivewells.casting import Candidates, candidates, everything, still_legal
from domain.games.fivewells.effects import Run, apply
from domain.games.fivewells.events import (
    AbilityTriggered,
    ChoiceRequested,
    PermanentEntered,
    ResolutionBegan,
    SpellFailed,
    SpellResolved,
    TriggerDropped,
)
from domain.games.fivewells.printed import PRINTED, program, rules_of
from domain.games.fivewells.records import Handle, Handles, Targets, is_seat, of_item, seat_of
from domain.games.fivewells.state import StackItem, State, owner_of, top
from domain.games.fivewells.triggers import Telling, next_waiting


def trigger_options(s: State) -> tuple[Candidates, ...]:
    """Return what may be chosen as the targets of the trigger that is put on the stack next."""
    one = next_waiting(s)
    return tuple(candidates(s, rule, one.controller, one.source) for rule in rules_of(one.card, one.ability))


def stack_trigger(t: Telling) -> None:
    """Put the next trigger on the stack; ask for its targets if there are several ways to choose them."""
    one = next_waiting(t.state)
    options = trigger_options(t.state)
    ways = [option.ways for option in options]
    if 0 in ways:
        t.tell(TriggerDropped(one.controller, one.source, one.card, one.ability))
    elif 2 in ways:
        t.tell(ChoiceRequested(one.controller, "trigger_targets", 0, 0, (one.source,), ()))
    else:
        trigger(t, Targets(**{option.id: option.of for option in options}))


def trigger(t: Telling, targets: Targets) -> None:
    """Put the next trigger on the stack with these targets."""
    one = next_waiting(t.state)
    item = of_item(t.state.next_item)
    t.tell(AbilityTriggered(one.controller, item, one.source, one.card, one.ability, targets, one.about))


def resolve_top(t: Telling) -> None:
    """Resolve the top of the stack, or begin to; where an effect has to wait, `go_on` takes over."""
    item = top(t.state)
    if item.spell and PRINTED[item.card].permanent:
        tapped = PRINTED[item.card].enters_tapped
        owner = owner_of(t.state, item.source)
        t.tell(PermanentEntered(item.source, item.card, owner, item.controller, tapped, resolved=(item.item,)))
        return
    rules = rules_of(item.card, item.ability)
    targets = still_legal(t.state, rules, item.targets, item.controller, item.source) if rules else item.targets
    if everything(item.targets) and not everything(targets):
        t.tell(SpellFailed(item.item, item.card, "no_legal_target", *card_of(t.state, item)))
        return
    controllers = tuple(controller_of(t.state, handle) for handle in everything(targets))
    t.tell(ResolutionBegan(item.item, item.card, targets, controllers))
    run_on(Run(t, item, targets, controllers))


def controller_of(s: State, handle: Handle) -> Seat:
    """Return the controller of a target: of a permanent or a spell, a player's own seat, or a card's owner."""
    if is_seat(handle):
        return seat_of(handle)
    if handle in s.ids:
        return s.permanents[s.ids.index(handle)].controller
    spell = next((one for one in s.stack if one.item == handle), None)
    return owner_of(s, handle) if spell is None else spell.controller


def go_on(t: Telling) -> None:
    """Go on with a resolution that has its answer."""
    r = t.state.resolving
    assert r is not None
    run_on(Run(t, resolving_item(t.state), r.targets, r.controllers, r.n, r.unit, r.amount, t.state.answer))


def resolving_item(s: State) -> StackItem:
    """Return what is resolving: triggers wait until it is done, so it is the top of the stack."""
    return top(s)


def run_on(run: Run) -> None:
    """Do one effect after another, and take the object off the stack when all are done."""
    steps = program(run.item.card, run.item.ability)
    while run.n < len(steps):
        if apply(run, steps[run.n]):
            return
        run.n, run.unit, run.amount, run.answer = run.n + 1, 0, None, None
    item = run.item
    run.t.tell(SpellResolved(item.item, item.card, *card_of(run.state, item)))


def card_of(s: State, item: StackItem) -> tuple[Handles, Seat]:
    """Return the card that goes to a graveyard with an object on the stack, if it is a spell, and whose graveyard."""
    return ((item.source,), owner_of(s, item.source)) if item.spell else ((), item.controller)
