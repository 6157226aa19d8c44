"""Puts triggers on the stack, resolves its objects, and carries out effects (fivewells 3).

Each effect has one function in one table, and the type checker finds a missing one. A function returns True if the
resolution waits for an answer; otherwise the next effect follows.
"""

from collections.abc import Iterable
from typing import assert_never

from domain.card_sets.cards import effects, filters
from domain.card_sets.cards.card_kinds import GraveyardExit, Keyword, OpenZone
from domain.core.cards import Seat
from domain.core.values import mutable
from domain.games.fivewells import characteristics, events
from domain.games.fivewells.casting import Candidates, all_targets, automatic, candidates, still_legal
from domain.games.fivewells.records import (
    Faces,
    Handle,
    Handles,
    Hit,
    Kind,
    Targets,
    is_seat,
    of_item,
    of_seat,
    seat_of,
)
from domain.games.fivewells.state import StackItem, State, faces, owner_of, top
from domain.games.fivewells.triggers import Telling, change_life, depart, draw, next_waiting

# --- Runs of a resolution ----------------------------------------------------------------------------------


@mutable
class Run:
    """A resolution in progress: at instruction `n`, from `unit` on, with the answer that it waited for."""

    t: Telling
    item: StackItem
    targets: Targets
    controllers: tuple[Seat, ...]
    n: int = 0
    unit: int = 0
    amount: int | None = None
    answer: int | None = None
    done: bool = False
    """Whether the last discard or sacrifice was carried out."""

    @property
    def state(self) -> State:
        return self.t.state

    @property
    def you(self) -> Seat:
        return self.item.controller

    def wait(self, unit: int) -> None:
        """Record that the resolution continues at this unit of the instruction after the answer."""
        self.t.tell(events.EffectDone(self.item.item, self.n, unit, self.amount or 0))

    def ask(self, seat: Seat, choice: Kind, count: tuple[int, int], objects: Handles = (), cards: Faces = ()) -> bool:
        """Request an answer from a seat; the resolution waits."""
        self.t.tell(events.ChoiceRequested(seat, choice, *count, objects, cards))
        return True


def targets_under(run: Run, id_: str) -> Handles:
    """Return the targets under a letter, or the object that the trigger happened to."""
    if id_ == filters.TRIGGER:
        return () if run.item.about is None else (run.item.about,)
    return run.targets.of(id_)


# --- Amounts, players and recipients of effects ------------------------------------------------------------


def amount_of(run: Run, amount: filters.Amount) -> int:
    """Return an amount, counted when the effect began."""
    if run.amount is None:
        match amount:
            case int():
                run.amount = amount
            case filters.ChosenX():
                run.amount = run.item.x or 0
            case filters.Count():
                run.amount = len(characteristics.those_that_pass(run.state, amount.of, run.you, run.item.source))
            case filters.CountCards():
                run.amount = sum(count_of(run.state, amount, seat) for seat in players(run, amount.who))
            case filters.PowerOf():
                run.amount = power_of(run, amount)
            case _:
                assert_never(amount)
    return run.amount


def count_of(s: State, amount: filters.CountCards, seat: Seat) -> int:
    """Count the cards of the required types in a player's zone."""
    if amount.zone is OpenZone.HAND:
        return len(s.hands[seat])
    types = amount.of.types_any
    return sum(
        not types or not characteristics.PRINTED[s.cards[card]].types.isdisjoint(types) for card in s.graveyards[seat]
    )


def power_of(run: Run, amount: filters.PowerOf) -> int:
    """Return the power of the source or a target, as it is or last was."""
    match amount.of:
        case filters.Itself():
            of: Handles = (run.item.source,)
        case filters.Targeted(id=letter):
            of = targets_under(run, letter)
    things = characteristics.board(run.state).things
    powers = (things[one].power if one in things else last_power(run.state, one) for one in of)
    return max(0, sum(powers))


def last_power(s: State, handle: Handle) -> int:
    """Return the power that a permanent had when it left."""
    return next((one.power for one in reversed(s.departed) if one.object == handle), 0)


def last_controller(run: Run, handle: Handle) -> Seat:
    """Return the controller of an object on the battlefield or the stack, or its last controller."""
    if thing := characteristics.board(run.state).things.get(handle):
        return thing.controller
    gone = (one.controller for one in reversed(run.state.departed) if one.object == handle)
    return next(gone, next((one.controller for one in run.state.stack if one.item == handle), run.you))


def players(run: Run, who: filters.Players) -> tuple[Seat, ...]:
    """Return the players that an effect names, in order."""
    match who:
        case filters.Party.YOU:
            return (run.you,)
        case filters.Party.OPPONENT:
            return (1 - run.you,)
        case filters.Party.EACH_PLAYER:
            return (run.state.active, 1 - run.state.active)
        case filters.TargetedPlayer():
            return tuple(seat_of(handle) for handle in run.targets.of(who.id))
        case filters.ControllerOf(id=id_) if id_ == filters.TRIGGER:
            return tuple(last_controller(run, handle) for handle in targets_under(run, id_))
        case filters.ControllerOf():
            known = dict(zip(all_targets(run.targets), run.controllers, strict=True))
            return tuple(known[handle] for handle in sorted(run.targets.of(who.id)))
        case _:
            assert_never(who)


def recipients(run: Run, to: filters.Recipient) -> Handles:
    """Return the permanents and players that an effect applies to, without removed ones."""
    things = characteristics.board(run.state).things
    match to:
        case filters.Itself():
            return (run.item.source,) if run.item.source in things else ()
        case filters.YourOpponent():
            return (of_seat(1 - run.you),)
        case filters.Targeted():
            return tuple(handle for handle in targets_under(run, to.id) if is_seat(handle) or handle in things)
        case filters.Each():
            return tuple(
                thing.object for thing in characteristics.those_that_pass(run.state, to.of, run.you, run.item.source)
            )
        case _:
            assert_never(to)


def creatures(run: Run, to: filters.Recipient) -> Handles:
    """Return the creatures among the recipients."""
    things = characteristics.board(run.state).things
    return tuple(handle for handle in recipients(run, to) if handle in things and things[handle].printed.creature)


def nature(run: Run, source: Handle) -> tuple[Seat, frozenset[Keyword]]:
    """Return the controller and keywords of a source of damage, as it is or last was; a spell has no keywords."""
    thing = characteristics.board(run.state).things.get(source)
    if run.item.spell and source == run.item.source:
        return run.you, frozenset()
    if thing:
        return thing.controller, thing.keywords
    last = next((one for one in reversed(run.state.departed) if one.object == source), None)
    return (last.controller, frozenset(last.keywords)) if last else (run.you, frozenset())


def deal(run: Run, rows: Iterable[tuple[Handle, Handle, int]]) -> None:
    """Deal simultaneous damage by sources: rows of source, recipient and amount."""
    dealt = [row for row in rows if row[2] > 0]
    natures = {source: nature(run, source) for source, _, _ in dealt}
    for source in natures:
        marks = int(Keyword.VENOM in natures[source][1])
        hits = [Hit(source, to, n, None if is_seat(to) else marks) for from_, to, n in dealt if from_ == source]
        run.t.tell(events.DamageDealt(source, tuple(hits)))
    for _, to, amount in dealt:
        if is_seat(to):
            change_life(run.t, seat_of(to), -amount)
    for source, (controller, keywords) in natures.items():
        if Keyword.LEECH in keywords:
            change_life(run.t, controller, sum(n for from_, _, n in dealt if from_ == source))


# --- One function for each effect --------------------------------------------------------------------------


def damage(run: Run, effect: effects.Damage) -> None:
    """Deal damage to creatures and players."""
    amount = amount_of(run, effect.amount)
    things = characteristics.board(run.state).things
    to = [one for one in recipients(run, effect.to) if is_seat(one) or things[one].printed.creature]
    deal(run, [(run.item.source, one, amount) for one in to])


def discard(run: Run, effect: effects.DiscardCards) -> bool:
    """Make players discard cards, of their choice or at random; a player with too few discards all."""
    amount = amount_of(run, effect.amount)
    who = players(run, effect.who)
    each = amount if effect.how == "random" else 1
    run.done = run.unit > 0
    for unit in range(run.unit, len(who) * each):
        seat = who[unit // each]
        hand = run.state.hands[seat]
        left = amount - unit % each
        if hand and len(hand) <= left:
            run.t.tell(events.CardsDiscarded(seat, faces(run.state, hand), "all"))
            run.done = True
        elif hand and amount:
            run.wait(unit + 1)
            if effect.how == "random":
                run.t.tell(events.RandomDiscardDue(seat))
                return True
            return run.ask(seat, "discard", (amount, amount))
    return False


def mill(run: Run, effect: effects.Mill) -> None:
    """Put the top cards of libraries into graveyards."""
    amount = amount_of(run, effect.amount)
    for seat in players(run, effect.who):
        if milled := run.state.libraries[seat][:amount]:
            run.t.tell(events.CardsMilled(seat, faces(run.state, milled)))


def scout(run: Run, effect: effects.Scout) -> bool:
    """Ask the controller what to do with the top cards of its library."""
    looked_at = run.state.libraries[run.you][: amount_of(run, effect.amount)]
    if not looked_at or run.unit:
        return False
    run.wait(1)
    return run.ask(run.you, "scout", (0, len(looked_at)), cards=faces(run.state, looked_at))


def return_to_hand(run: Run, effect: effects.ReturnToHand) -> None:
    """Return permanents to the hands of their owners."""
    gone = recipients(run, effect.to)
    things = characteristics.board(run.state).things
    vanish = all(things[handle].permanent.token for handle in gone)
    depart(run.t, gone, "hand", "vanished" if vanish else "returned")


def return_from_graveyard(run: Run, effect: effects.ReturnFromGraveyard) -> None:
    """Return cards from a graveyard, if they are still there."""
    if not isinstance(effect.to, filters.Targeted):
        return
    for card in targets_under(run, effect.to.id):
        owner = owner_of(run.state, card)
        name = run.state.cards[card]
        if card not in run.state.graveyards[owner]:
            continue
        if effect.dest is GraveyardExit.HAND:
            run.t.tell(events.CardReturned(card, name, owner, "graveyard", "hand"))
        else:
            tapped = characteristics.PRINTED[name].enters_tapped
            run.t.tell(events.PermanentEntered(card, name, owner, run.you, tapped, from_graveyard=(card,)))


def tap(run: Run, effect: effects.Tap) -> None:
    """Tap the untapped ones of these permanents."""
    things = characteristics.board(run.state).things
    run.t.tell(*[events.PermanentTapped(one) for one in recipients(run, effect.to) if not things[one].permanent.tapped])


def untap(run: Run, effect: effects.Untap) -> None:
    """Untap the tapped ones of these permanents."""
    things = characteristics.board(run.state).things
    run.t.tell(*[events.PermanentUntapped(one) for one in recipients(run, effect.to) if things[one].permanent.tapped])


def freeze(run: Run, effect: effects.Freeze) -> None:
    """Freeze those of these permanents that are not frozen."""
    things = characteristics.board(run.state).things
    run.t.tell(*[events.PermanentFrozen(one) for one in recipients(run, effect.to) if not things[one].permanent.frozen])


def pump(run: Run, effect: effects.Pump) -> None:
    """Pump creatures until the end of the turn, or until the next turn of the controller."""
    if objects := creatures(run, effect.to):
        until = run.you if effect.until == "your_next_turn" else None
        run.t.tell(events.PumpApplied(objects, effect.power, effect.toughness, effect.keywords, until))


def add_counters(run: Run, effect: effects.AddCounters) -> None:
    """Put growth counters on creatures."""
    amount = amount_of(run, effect.amount)
    if amount:
        things = characteristics.board(run.state).things
        rows = [(one, things[one].permanent.counters + amount) for one in creatures(run, effect.to)]
        run.t.tell(*[events.CountersAdded(one, amount, total) for one, total in rows])


def create_token(run: Run, effect: effects.CreateToken) -> None:
    """Create tokens."""
    amount = amount_of(run, effect.amount)
    for seat in players(run, effect.who):
        for _ in range(amount):
            run.t.tell(events.TokenCreated(run.state.next_token, effect.token, seat))


def counter(run: Run, effect: effects.CounterSpell) -> bool:
    """Counter spells one after another; a player who can pay is asked first."""
    if not isinstance(effect.to, filters.Targeted):
        return False
    spells = targets_under(run, effect.to.id)
    for unit in range(run.unit, len(spells)):
        spell = next((one for one in run.state.stack if one.item == spells[unit]), None)
        if spell is None:
            continue
        answer, run.answer = run.answer, None
        if effect.unless_pays is not None and answer is None:
            price = amount_of(run, effect.unless_pays)
            if price == 0:
                continue
            if automatic(run.state, spell.controller, (0, 0, 0, 0, 0, price)) is not None:
                run.wait(unit)
                return run.ask(spell.controller, "pay_or_not", (price, price), (spell.item,))
        if not answer:
            owner = owner_of(run.state, spell.source)
            run.t.tell(events.SpellCountered(spell.item, spell.source, spell.card, owner))
    return False


def search_land(run: Run, effect: effects.SearchLand) -> bool:
    """Make players search their libraries for basic lands.

    Every player gets the prompt: only they know if they have one.
    """
    amount = amount_of(run, effect.amount)
    who = players(run, effect.who)
    for unit in range(run.unit, len(who)):
        seat = who[unit]
        library = run.state.libraries[seat]
        if library and amount:
            lands = tuple(sorted(card for card in library if characteristics.PRINTED[run.state.cards[card]].basic))
            run.wait(unit + 1)
            return run.ask(seat, "search", (0, amount), cards=faces(run.state, lands))
    return False


def sacrifice(run: Run, effect: effects.SacrificePermanents) -> bool:
    """Make players sacrifice permanents of their choice; a player with too few sacrifices all."""
    amount = amount_of(run, effect.amount)
    run.done = run.unit > 0
    who = players(run, effect.who)
    for unit in range(run.unit, len(who)):
        seat = who[unit]
        things = characteristics.board(run.state).things
        options = tuple(
            handle
            for handle in sorted(things)
            if things[handle].controller == seat
            and characteristics.matches_filter(effect.filter, things[handle], seat, run.item.source)
        )
        if len(options) <= amount:
            depart(run.t, options, "graveyard", "sacrificed")
            run.done = run.done or bool(options)
        elif amount:
            run.wait(unit + 1)
            return run.ask(seat, "sacrifice", (amount, amount), options)
    return False


def fight(run: Run, effect: effects.Fight) -> None:
    """Let two creatures deal damage to each other simultaneously."""
    a, b = creatures(run, effect.a), creatures(run, effect.b)
    if not a or not b:
        return
    things = characteristics.board(run.state).things
    deal(run, [(a[0], b[0], things[a[0]].power), (b[0], a[0], things[b[0]].power)])


def ask_controller(run: Run, step: characteristics.Ask) -> bool:
    """Ask the controller whether to go on."""
    if run.answer is None:
        run.wait(0)
        return run.ask(run.you, "may", (0, 1))
    if not run.answer:
        run.n = step.to - 1
    return False


def mode(run: Run, step: characteristics.Mode) -> bool:
    """Ask the controller for a mode."""
    if run.answer is None:
        run.wait(0)
        return run.ask(run.you, "mode", (0, len(step.starts) - 1))
    run.n = step.starts[run.answer] - 1
    return False


# --- The table of effects ----------------------------------------------------------------------------------


def apply(run: Run, step: characteristics.Instruction) -> bool:
    """Carry out an instruction; return True if the resolution waits."""
    match step:
        case effects.Damage():
            damage(run, step)
        case effects.GainLife():
            for seat in players(run, step.who):
                change_life(run.t, seat, amount_of(run, step.amount))
        case effects.LoseLife():
            for seat in players(run, step.who):
                change_life(run.t, seat, -amount_of(run, step.amount))
        case effects.Draw():
            for seat in players(run, step.who):
                draw(run.t, seat, amount_of(run, step.amount))
        case effects.DiscardCards():
            return discard(run, step)
        case effects.Mill():
            mill(run, step)
        case effects.Scout():
            return scout(run, step)
        case effects.Destroy():
            depart(run.t, recipients(run, step.to), "graveyard", "destroyed")
        case effects.ReturnToHand():
            return_to_hand(run, step)
        case effects.ReturnFromGraveyard():
            return_from_graveyard(run, step)
        case effects.Tap():
            tap(run, step)
        case effects.Untap():
            untap(run, step)
        case effects.Freeze():
            freeze(run, step)
        case effects.Pump():
            pump(run, step)
        case effects.AddCounters():
            add_counters(run, step)
        case effects.CreateToken():
            create_token(run, step)
        case effects.CounterSpell():
            return counter(run, step)
        case effects.SearchLand():
            return search_land(run, step)
        case effects.SacrificePermanents():
            return sacrifice(run, step)
        case effects.Fight():
            fight(run, step)
        case characteristics.Unless():
            if not characteristics.meets_condition(step.cond, run.you, run.state.life):
                run.n = step.to - 1
        case characteristics.Undone():
            if not run.done:
                run.n = step.to - 1
        case characteristics.Ask():
            return ask_controller(run, step)
        case characteristics.Mode():
            return mode(run, step)
        case characteristics.Jump():
            run.n = step.to - 1
        case _:
            assert_never(step)
    return False


# --- Triggers, and the top of the stack --------------------------------------------------------------------


def trigger_options(s: State) -> tuple[Candidates, ...]:
    """Return the candidates for the targets of the trigger that goes on the stack next."""
    one = next_waiting(s)
    return tuple(
        candidates(s, rule, one.controller, one.source) for rule in characteristics.rules_of(one.card, one.ability)
    )


def stack_trigger(t: Telling) -> None:
    """Put the next trigger on the stack; ask for its targets if there are several ways to choose them."""
    one = next_waiting(t.state)
    options = trigger_options(t.state)
    ways = [option.ways for option in options]
    if 0 in ways:
        t.tell(events.TriggerDropped(one.controller, one.source, one.card, one.ability))
    elif 2 in ways:
        t.tell(events.ChoiceRequested(one.controller, "trigger_targets", 0, 0, (one.source,), ()))
    else:
        trigger(t, Targets(**{option.id: option.of for option in options}))


def trigger(t: Telling, targets: Targets) -> None:
    """Put the next trigger on the stack with these targets."""
    one = next_waiting(t.state)
    item = of_item(t.state.next_item)
    t.tell(events.AbilityTriggered(one.controller, item, one.source, one.card, one.ability, targets, one.about))


def resolve_top(t: Telling) -> None:
    """Resolve the top of the stack; if an effect has to wait, `go_on` continues later."""
    item = top(t.state)
    if item.spell and characteristics.PRINTED[item.card].permanent:
        tapped = characteristics.PRINTED[item.card].enters_tapped
        owner = owner_of(t.state, item.source)
        t.tell(events.PermanentEntered(item.source, item.card, owner, item.controller, tapped, resolved=(item.item,)))
        return
    rules = characteristics.rules_of(item.card, item.ability)
    targets = still_legal(t.state, rules, item.targets, item.controller, item.source) if rules else item.targets
    if all_targets(item.targets) and not all_targets(targets):
        t.tell(events.SpellFailed(item.item, item.card, "no_legal_target", *card_of(t.state, item)))
        return
    controllers = tuple(controller_of(t.state, handle) for handle in all_targets(targets))
    t.tell(events.ResolutionBegan(item.item, item.card, targets, controllers))
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
    """Continue a resolution that has its answer. It is the top of the stack, because triggers wait until it is done."""
    r = t.state.resolving
    assert r is not None
    run_on(Run(t, top(t.state), r.targets, r.controllers, r.n, r.unit, r.amount, t.state.answer))


def run_on(run: Run) -> None:
    """Carry out one effect after another, then take the object off the stack."""
    steps = characteristics.program(run.item.card, run.item.ability)
    while run.n < len(steps):
        if apply(run, steps[run.n]):
            return
        run.n, run.unit, run.amount, run.answer = run.n + 1, 0, None, None
    item = run.item
    run.t.tell(events.SpellResolved(item.item, item.card, *card_of(run.state, item)))


def card_of(s: State, item: StackItem) -> tuple[Handles, Seat]:
    """Return the card of a spell on the stack, if it is one, and the seat whose graveyard it goes to."""
    return ((item.source,), owner_of(s, item.source)) if item.spell else ((), item.controller)
