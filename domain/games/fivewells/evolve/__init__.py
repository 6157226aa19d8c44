"""Takes in the events of a duel: it assigns, and decides nothing."""

from typing import assert_never

from domain.games.fivewells.events import (
    AbilityActivated,
    AbilityTriggered,
    AttackersDeclared,
    BlockersDeclared,
    BlockersOrdered,
    BoosterOpened,
    CardDrawn,
    CardReturned,
    CardsDiscarded,
    CardsMilled,
    CardsNumbered,
    ChoiceMade,
    ChoiceRequested,
    CombatDamageDealt,
    CountersAdded,
    DamageDealt,
    DeckBrought,
    DecksBuilt,
    DeckSubmitted,
    DrawFailed,
    EffectDone,
    Event,
    FirstPlayerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandKept,
    HandStarted,
    LandPlayed,
    LibrarySearched,
    LibraryShuffled,
    LifeChanged,
    ManaAdded,
    MulliganTaken,
    PermanentEntered,
    PermanentFrozen,
    PermanentsLeft,
    PermanentTapped,
    PermanentUntapped,
    PriorityGiven,
    PriorityPassed,
    PumpApplied,
    RandomDiscardDue,
    ResolutionBegan,
    Scouted,
    SpellCast,
    SpellCountered,
    SpellFailed,
    SpellResolved,
    StepEntered,
    StopsSet,
    TokenCreated,
    TriggerDropped,
    TriggersNoted,
    TurnEnded,
    TurnStarted,
    WindowPassed,
)
from domain.games.fivewells.evolve.battlefield import battle
from domain.games.fivewells.evolve.cards import carry
from domain.games.fivewells.evolve.choices import question
from domain.games.fivewells.evolve.combat import fight
from domain.games.fivewells.evolve.opening import evolve_opening
from domain.games.fivewells.evolve.stack import act
from domain.games.fivewells.evolve.turns import go_on
from domain.games.fivewells.state import State


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. What a seat was not shown is backs of cards."""
    match event:
        case PriorityPassed() | TurnStarted() | StepEntered() | WindowPassed() | PriorityGiven() | TurnEnded():
            go_on(s, event)
        case StopsSet():
            go_on(s, event)
        case CardDrawn() | DrawFailed() | CardsDiscarded() | CardsMilled() | CardReturned() | Scouted():
            carry(s, event)
        case LibrarySearched():
            carry(s, event)
        case LandPlayed() | ManaAdded() | SpellCast() | AbilityActivated() | TriggersNoted() | AbilityTriggered():
            act(s, event)
        case TriggerDropped() | ResolutionBegan() | SpellResolved() | SpellFailed() | SpellCountered():
            act(s, event)
        case AttackersDeclared() | BlockersDeclared() | BlockersOrdered() | CombatDamageDealt():
            fight(s, event)
        case PermanentEntered() | TokenCreated() | PermanentsLeft() | DamageDealt() | LifeChanged() | PumpApplied():
            battle(s, event)
        case PermanentTapped() | PermanentUntapped() | PermanentFrozen() | CountersAdded():
            battle(s, event)
        case EffectDone() | ChoiceRequested() | ChoiceMade() | RandomDiscardDue():
            question(s, event)
        case GameStarted() | FirstPlayerChosen() | HandStarted() | CardsNumbered() | LibraryShuffled() | HandDealt():
            evolve_opening(s, event)
        case (
            MulliganTaken()
            | HandKept()
            | GameEnded()
            | DeckBrought()
            | BoosterOpened()
            | DeckSubmitted()
            | DecksBuilt()
        ):
            evolve_opening(s, event)
        case _:
            assert_never(event)
