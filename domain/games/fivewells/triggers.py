"""Produces events, and finds the abilities that they trigger (fivewells 3).

A copy of the state applies each event immediately, and finds the abilities that it triggers.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, Final, Literal

from domain.card_sets.cards.abilities import TriggeredAbility
from domain.card_sets.cards.card_kinds import Trigger
from domain.card_sets.cards.filters import Filter, Itself
from domain.core.cards import Seat
from domain.core.values import mutable, with_fields
from domain.games.fivewells.characteristics import PRINTED, Board, Thing, board, matches_filter, meets_condition
from domain.games.fivewells.events import (
    CardDrawn,
    CardsDiscarded,
    DrawFailed,
    Event,
    LandPlayed,
    LibrarySearched,
    LifeChanged,
    PermanentEntered,
    PermanentsLeft,
    SpellCast,
    SpellResolved,
    TokenCreated,
    TriggersNoted,
)
from domain.games.fivewells.evolve import enter_step, evolve
from domain.games.fivewells.records import Departed, Entered, Exit, Face, Handle, Handles, Noted, is_seat
from domain.games.fivewells.state import Permanent, State
from domain.games.fivewells.turn_events import (
    AttackersDeclared,
    BlockersDeclared,
    CombatDamageDealt,
    PriorityPassed,
    TurnStarted,
)

# --- Triggers ----------------------------------------------------------------------------------------------


_LAST: list[tuple[Any, frozenset[Trigger]]] = [(None, frozenset())]


def triggers_there(s: State) -> frozenset[Trigger]:
    """Return the triggers of all abilities on the battlefield."""
    # Each access is atomic, since another thread may work on another duel.
    ids, there = _LAST[0]
    if ids is not s.ids:
        there = frozenset().union(*[PRINTED[p.card].triggers for p in s.permanents])
        _LAST[0] = (s.ids, there)
    return there


def _entered(s: State, b: Board, handles: Iterable[Handle]) -> list[Thing]:
    return [b.things[handle] for handle in handles]


def _cast(s: State, event: SpellCast) -> list[Thing]:
    printed = PRINTED[event.card]
    spell = Permanent(event.source, event.card, event.seat, event.seat)
    return [Thing(spell, printed, event.source, event.seat, printed.power, printed.toughness, printed.keywords)]


BEFORE: Final[Mapping[type, Callable[[Any], tuple[Trigger, Handles]]]] = {
    PermanentsLeft: lambda event: (
        Trigger.DIES,
        event.objects if event.to == "graveyard" else (),
    ),
    CombatDamageDealt: lambda event: (Trigger.HITS_PLAYER, tuple(row.source for row in event.rows if is_seat(row.to))),
}
"""Events whose triggers and objects are read from the battlefield before them."""

AFTER: Final[Mapping[type, Callable[[Any], tuple[Trigger, Handles]]]] = {
    PermanentEntered: lambda event: (Trigger.ENTERS, (event.object,)),
    LandPlayed: lambda event: (Trigger.ENTERS, (event.object,)),
    TokenCreated: lambda event: (Trigger.ENTERS, (event.object,)),
    LibrarySearched: lambda event: (
        Trigger.ENTERS,
        tuple(face.object for face in event.found) if event.to == "battlefield_tapped" else (),
    ),
    AttackersDeclared: lambda event: (Trigger.ATTACKS, event.attackers),
    BlockersDeclared: lambda event: (Trigger.BLOCKS, tuple(one.blocker for one in event.blocks)),
}
"""Events whose triggers are read from the battlefield after them."""


WITH_NO_ROW: Final = frozenset([SpellCast, LifeChanged, CardDrawn, TurnStarted, CardsDiscarded])
"""Other events whose triggers are read from the battlefield before them: their objects are no permanents."""


def triggered_before(s: State, event: Event) -> tuple[Noted, ...]:
    """Return the abilities that an event triggers, by the state before it."""
    kind = type(event)
    if kind not in WITH_NO_ROW and kind not in BEFORE:
        return ()
    if kind in BEFORE:
        trigger, handles = BEFORE[kind](event)
        if trigger in triggers_there(s):
            things = [thing for handle in handles if (thing := board(s).things.get(handle))]
            if trigger is Trigger.DIES:
                things = [thing for thing in things if thing.printed.creature]
            return _of_things(s, trigger, things)
    elif isinstance(event, SpellCast):
        if Trigger.CAST in triggers_there(s):
            return _of_things(s, Trigger.CAST, _cast(s, event), event.object)
    elif isinstance(event, LifeChanged) and event.delta > 0 and Trigger.LIFE_GAINED in triggers_there(s):
        return triggered_for(s, Trigger.LIFE_GAINED, event.seat)
    elif isinstance(event, CardDrawn) or (isinstance(event, TurnStarted) and event.draws):
        return triggered_for(s, Trigger.DRAWS, event.seat)
    elif isinstance(event, CardsDiscarded):
        return triggered_for(s, Trigger.DISCARDS, event.seat) * len(event.cards)
    return ()


def triggered_after(s: State, event: Event) -> tuple[Noted, ...]:
    """Return the abilities that an event triggers, by the state after it."""
    if type(event) in AFTER:
        trigger, handles = AFTER[type(event)](event)
        if handles and trigger in triggers_there(s):
            return _of_things(s, trigger, _entered(s, board(s), handles))
    return ()


def triggered_for(s: State, trigger: Trigger, seat: Seat) -> tuple[Noted, ...]:
    """Return a seat's triggered abilities that need no object, such as those at its dawn."""
    if trigger not in triggers_there(s):
        return ()
    return tuple(
        Noted(source.object, source.permanent.card, number, source.controller)
        for source in board(s).things.values()
        if source.controller == seat
        for number, ability in source.printed.triggered
        if ability.event is trigger and _is_so(s, ability, seat)
    )


def _of_things(s: State, trigger: Trigger, things: Iterable[Thing], cast: Handle | None = None) -> tuple[Noted, ...]:
    """Return the abilities that trigger for these things; of a spell, `cast` is its handle on the stack."""
    happened_to = list(things)
    return tuple(
        Noted(source.object, source.permanent.card, number, source.controller, cast or thing.object)
        for source in board(s).things.values()
        if trigger in source.printed.triggers
        for number, ability in source.printed.triggered
        if ability.event is trigger and _is_so(s, ability, source.controller)
        for thing in happened_to
        if _is_of(ability.of, thing, source)
    )


def _is_of(of: Itself | Filter | None, thing: Thing, source: Thing) -> bool:
    if isinstance(of, Filter):
        return matches_filter(of, thing, source.controller, source.object)
    return thing.object == source.object


def _is_so(s: State, ability: TriggeredAbility, you: Seat) -> bool:
    return ability.if_ is None or meets_condition(ability.if_, you, s.life)


def next_waiting(s: State) -> Noted:
    """Return the trigger that is put on the stack next: the active player's first, then by source and by printing."""
    return min(s.waiting, key=lambda one: (one.controller != s.active, one.source, one.ability))


# --- Producing events --------------------------------------------------------------------------------------


LEADING: Final = (TurnStarted, PriorityPassed, AttackersDeclared, CombatDamageDealt, SpellResolved)
"""The events that can include the next step."""


@mutable
class Telling:
    """A separate copy of a state, and the events that have led to it."""

    state: State
    events: list[Event] = field(default_factory=list)

    def tell(self, *events: Event) -> None:
        """Apply events, and record the abilities that they trigger."""
        for event in events:
            noted = triggered_before(self.state, event)
            self._add(event)
            noted += triggered_after(self.state, event)
            if noted:
                self._add(TriggersNoted(noted))

    def tell_then(self, then: Entered | None) -> None:
        """Include the next step in the last event, if possible."""
        if then is not None and isinstance(self.events[-1], LEADING):
            enter_step(self.state, then)
            self.events[-1] = with_fields(self.events[-1], then=then)

    def _add(self, event: Event) -> None:
        evolve(self.state, event)
        self.events.append(event)


def telling(s: State) -> Telling:
    """Begin to produce events on a state, which stays unchanged."""
    return Telling(s.copy())


def depart(t: Telling, handles: Iterable[Handle], to: Literal["graveyard", "hand"], reason: Exit) -> None:
    """Remove these objects simultaneously, if they are on the battlefield."""
    things = board(t.state).things
    gone = [things[handle] for handle in sorted(set(handles)) if handle in things]
    if not gone:
        return
    rows = tuple(
        Departed(
            one.object, one.permanent.card, one.permanent.owner, one.controller, one.power, tuple(sorted(one.keywords))
        )
        for one in gone
    )
    cards = tuple(one.object for one in gone if not one.permanent.token)
    t.tell(PermanentsLeft(tuple([one.object for one in gone]), to, reason, rows, cards))


def change_life(t: Telling, seat: Seat, delta: int) -> None:
    """Make a player gain or lose life; 0 changes nothing."""
    if delta:
        t.tell(LifeChanged(seat, delta, t.state.life[seat] + delta))


def draw(t: Telling, seat: Seat, count: int) -> None:
    """Make a player draw cards, one after another."""
    for _ in range(count):
        library = t.state.libraries[seat]
        if not library:
            t.tell(DrawFailed(seat))
            return
        t.tell(CardDrawn(seat, Face(library[0], t.state.cards[library[0]])))
