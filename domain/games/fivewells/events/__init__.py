"""The events of a duel, by their subjects; together they alone rebuild it (fivewells 4)."""

from domain.games.fivewells.events.acts import (
    AbilityActivated,
    AbilityTriggered,
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
from domain.games.fivewells.events.battlefield import (
    CountersAdded,
    DamageDealt,
    LifeChanged,
    PermanentEntered,
    PermanentFrozen,
    PermanentsLeft,
    PermanentTapped,
    PermanentUntapped,
    PumpApplied,
    TokenCreated,
)
from domain.games.fivewells.events.choices import (
    ChoiceMade,
    ChoiceRequested,
    EffectDone,
    RandomDiscardDue,
)
from domain.games.fivewells.events.combat import (
    AttackersDeclared,
    BlockersDeclared,
    BlockersOrdered,
    CombatDamageDealt,
)
from domain.games.fivewells.events.opening import (
    BoosterOpened,
    CardsNumbered,
    DeckBrought,
    DecksBuilt,
    DeckSubmitted,
    FirstPlayerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandKept,
    HandStarted,
    LibraryShuffled,
    MulliganTaken,
)
from domain.games.fivewells.events.turns import (
    PriorityGiven,
    PriorityPassed,
    StepEntered,
    StopsSet,
    TurnEnded,
    TurnStarted,
    WindowPassed,
)
from domain.games.fivewells.events.zones import (
    CardDrawn,
    CardReturned,
    CardsDiscarded,
    CardsMilled,
    DrawFailed,
    LibrarySearched,
    Scouted,
)

__all__ = [
    "AbilityActivated",
    "AbilityTriggered",
    "AttackersDeclared",
    "BlockersDeclared",
    "BlockersOrdered",
    "BoosterOpened",
    "CardDrawn",
    "CardReturned",
    "CardsDiscarded",
    "CardsMilled",
    "CardsNumbered",
    "ChoiceMade",
    "ChoiceRequested",
    "CombatDamageDealt",
    "CountersAdded",
    "DamageDealt",
    "DeckBrought",
    "DeckSubmitted",
    "DecksBuilt",
    "DrawFailed",
    "EffectDone",
    "Event",
    "FirstPlayerChosen",
    "GameEnded",
    "GameStarted",
    "HandDealt",
    "HandKept",
    "HandStarted",
    "LandPlayed",
    "LibrarySearched",
    "LibraryShuffled",
    "LifeChanged",
    "ManaAdded",
    "MulliganTaken",
    "PermanentEntered",
    "PermanentFrozen",
    "PermanentTapped",
    "PermanentUntapped",
    "PermanentsLeft",
    "PriorityGiven",
    "PriorityPassed",
    "PumpApplied",
    "RandomDiscardDue",
    "ResolutionBegan",
    "Scouted",
    "SpellCast",
    "SpellCountered",
    "SpellFailed",
    "SpellResolved",
    "StepEntered",
    "StopsSet",
    "TokenCreated",
    "TriggerDropped",
    "TriggersNoted",
    "TurnEnded",
    "TurnStarted",
    "WindowPassed",
]

Event = (
    DeckBrought
    | GameStarted
    | FirstPlayerChosen
    | HandStarted
    | BoosterOpened
    | DeckSubmitted
    | DecksBuilt
    | CardsNumbered
    | LibraryShuffled
    | HandDealt
    | MulliganTaken
    | HandKept
    | GameEnded
    | TurnStarted
    | StepEntered
    | WindowPassed
    | PriorityGiven
    | PriorityPassed
    | StopsSet
    | TurnEnded
    | LandPlayed
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
    | EffectDone
    | ChoiceRequested
    | ChoiceMade
    | RandomDiscardDue
    | CardDrawn
    | DrawFailed
    | CardsDiscarded
    | CardsMilled
    | CardReturned
    | Scouted
    | LibrarySearched
    | PermanentEntered
    | TokenCreated
    | PermanentsLeft
    | PermanentTapped
    | PermanentUntapped
    | PermanentFrozen
    | DamageDealt
    | LifeChanged
    | CountersAdded
    | PumpApplied
    | AttackersDeclared
    | BlockersDeclared
    | BlockersOrdered
    | CombatDamageDealt
)
