"""Tells events: a copy of the state takes each in at once, and with it the abilities that it triggers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from domain.core.cards import Seat
from domain.core.values import changed
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.events import (
    AttackersDeclared,
    CardDrawn,
    CombatDamageDealt,
    DrawFailed,
    Event,
    LifeChanged,
    PermanentsLeft,
    PriorityPassed,
    SpellResolved,
    TriggersNoted,
    TurnStarted,
)
from domain.games.fivewells.evolve import evolve
from domain.games.fivewells.evolve.turns import enter_step
from domain.games.fivewells.handles import Face, Handle
from domain.games.fivewells.records import Departed, Entered, Exit
from domain.games.fivewells.state import State
from domain.games.fivewells.triggers import triggered_after, triggered_before

LEADING: Final = (TurnStarted, PriorityPassed, AttackersDeclared, CombatDamageDealt, SpellResolved)
"""The events that may bring the next step with them."""


@dataclass(slots=True)
class Telling:
    """A telling is a state of one's own, and the events that have led to it."""

    state: State
    events: list[Event] = field(default_factory=list)

    def tell(self, *events: Event) -> None:
        """Let events happen."""
        for event in events:
            noted = triggered_before(self.state, event)
            self._add(event)
            noted += triggered_after(self.state, event)
            if noted:
                self._add(TriggersNoted(noted))

    def tell_then(self, then: Entered | None) -> None:
        """Let the last event bring the next step with it, if it can."""
        if then is not None and isinstance(self.events[-1], LEADING):
            enter_step(self.state, then)
            self.events[-1] = changed(self.events[-1], then=then)

    def _add(self, event: Event) -> None:
        evolve(self.state, event)
        self.events.append(event)


def telling(s: State) -> Telling:
    """Begin to tell what happens in a state, which stays as it is."""
    return Telling(s.copy())


def depart(t: Telling, handles: Iterable[Handle], to: Literal["graveyard", "hand"], reason: Exit) -> None:
    """Let those of these objects that are on the battlefield leave it at one moment."""
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
    """Let a player gain or lose life; 0 is nothing."""
    if delta:
        t.tell(LifeChanged(seat, delta, t.state.life[seat] + delta))


def draw(t: Telling, seat: Seat, count: int) -> None:
    """Let a player draw cards, one after another."""
    for _ in range(count):
        library = t.state.libraries[seat]
        if not library:
            t.tell(DrawFailed(seat))
            return
        t.tell(CardDrawn(seat, Face(library[0], t.state.cards[library[0]])))
