"""Defines the events of a duel (fivewells 4)."""

from typing import Literal

from domain.core.cards import Seat
from domain.core.values import value
from domain.core.visibility import Hidden, Private
from domain.games.fivewells.cards.kinds import Keyword, Mana
from domain.games.fivewells.handles import NO_TARGETS, Face, Faces, Handle, Handles, Targets
from domain.games.fivewells.records import (
    Blocks,
    Departed,
    Ending,
    Exit,
    Hit,
    Kind,
    Noted,
    Paid,
    Pool,
    Step,
    Stop,
    Until,
    Wound,
)

# --- The beginning ----------------------------------------------------------------------------------------


@value
class GameStarted:
    game_no: int


@value
class FirstPlayerChosen:
    seat: Seat
    how: Literal["random", "loser", "again"]


@value
class HandStarted:
    """The duel begins: the decks are numbered and shuffled."""

    hand_no: int


@value
class CardsNumbered:
    """The cards of a deck get their handles, from `first` on."""

    seat: Seat
    first: Handle
    count: int
    cards: Hidden[tuple[str, ...]]


@value
class LibraryShuffled:
    seat: Seat
    count: int
    library: Hidden[Handles]


@value
class HandDealt:
    seat: Seat
    count: int
    cards: Private[Faces]


@value
class MulliganTaken:
    seat: Seat
    count: int


@value
class HandKept:
    seat: Seat
    cards_left: int
    bottom: Private[Handles]


# --- Turns, steps and priority ----------------------------------------------------------------------------


@value
class TurnStarted:
    """A turn begins: these permanents untap, lose the frozen mark, or are new no longer."""

    seat: Seat
    turn: int
    untapped: Handles
    thawed: Handles
    settled: Handles


@value
class CardDrawn:
    seat: Seat
    card: Private[Face]


@value
class DrawFailed:
    seat: Seat


@value
class StepEntered:
    """A step begins; in the windows of the steps `passed`, nobody stopped. Priority has who stops in this one first.

    With the second main step the combat is over for the creatures that were in it.
    """

    step: Step
    passed: tuple[Step, ...]
    priority: Seat | None
    passes: int
    out_of_combat: Handles = ()


@value
class PriorityGiven:
    """The seat has priority, after as many automatic passes."""

    seat: Seat
    passes: int


@value
class PriorityPassed:
    """A seat passes; `once` are the stops to be used once that it has left."""

    seat: Seat
    until: Private[Until | None]
    once: Private[tuple[Stop, ...]]


@value
class StopsSet:
    seat: Seat
    stops: Private[tuple[Stop, ...]]
    once: Private[tuple[Stop, ...]]


@value
class TurnEnded:
    """Damage, pumps and venom marks end, of the creatures that have any; `out_of_combat` are those that fought."""

    seat: Seat
    passed: tuple[Step, ...]
    marked: Handles
    out_of_combat: Handles


# --- Lands, mana, spells and abilities --------------------------------------------------------------------


@value
class LandPlayed:
    seat: Seat
    object: Handle
    card: str
    tapped: bool


@value
class ManaAdded:
    """A source is tapped or sacrificed for mana; `pool` is what there is then."""

    seat: Seat
    source: Handle
    mana: Mana
    amount: int
    tapped: Handles
    pool: Pool


@value
class SpellCast:
    """A card goes to the stack as `item`, paid with the pool and these sources; `pool` is what is left."""

    seat: Seat
    object: Handle
    card: str
    item: Handle
    targets: Targets
    x: int | None
    paid: tuple[Paid, ...]
    by_hand: bool
    pool: Pool


@value
class AbilityActivated:
    seat: Seat
    source: Handle
    card: str
    ability: int
    item: Handle
    targets: Targets
    x: int | None
    paid: tuple[Paid, ...]
    by_hand: bool
    pool: Pool
    tapped: Handles
    sacrificed: Handles


@value
class TriggersNoted:
    """These abilities have triggered, and will be put on the stack."""

    triggers: tuple[Noted, ...]


@value
class AbilityTriggered:
    """A triggered ability is put on the stack."""

    seat: Seat
    source: Handle
    card: str
    ability: int
    item: Handle
    targets: Targets = NO_TARGETS


@value
class TriggerDropped:
    """A triggered ability has no legal targets, and does nothing."""

    seat: Seat
    source: Handle
    card: str
    ability: int


@value
class SpellResolved:
    item: Handle
    object: Handle
    card: str
    owner: Seat


@value
class AbilityResolved:
    item: Handle
    source: Handle
    card: str


@value
class SpellFailed:
    """All targets of a spell or an ability are illegal: nothing happens. `gone` is the card, if it was a spell."""

    item: Handle
    card: str
    gone: Handles
    owner: Seat


@value
class SpellCountered:
    item: Handle
    object: Handle
    card: str
    owner: Seat


@value
class PermanentEntered:
    """A permanent enters: `items` is the spell that it was, `from_graveyard` the card, if it comes from there."""

    object: Handle
    card: str
    owner: Seat
    controller: Seat
    tapped: bool
    items: Handles = ()
    from_graveyard: Handles = ()


@value
class TokenCreated:
    object: Handle
    token: str
    owner: Seat


# --- Choices ----------------------------------------------------------------------------------------------


@value
class EffectDone:
    """A resolution waits for an answer; it goes on at this place, with these targets."""

    item: Handle
    n: int
    unit: int
    amount: int
    targets: Targets
    controllers: tuple[Seat, ...]


@value
class ChoiceRequested:
    """A seat is asked to choose `least` to `most` of these objects, or of the cards that it is shown."""

    seat: Seat
    choice: Kind
    least: int
    most: int
    objects: Handles
    cards: Private[Faces]


@value
class RandomDiscardDue:
    """Chance is to say which card the seat discards."""

    seat: Seat


@value
class ChoiceMade:
    """A seat answers: objects, targets, a number (of a mode, or 1 for yes), and what it pays."""

    seat: Seat
    choice: Kind
    objects: Handles = ()
    targets: Targets = NO_TARGETS
    number: int = 0
    paid: tuple[Paid, ...] = ()
    pool: Pool | None = None


@value
class Scouted:
    """A seat has looked at the top cards of its library, and put some of them under it; the first lies deepest."""

    seat: Seat
    count: int
    to_bottom: int
    top: Private[Handles]
    bottom: Private[Handles]


@value
class LibrarySearched:
    """A seat takes these cards out of its library, and shows them."""

    seat: Seat
    found: Faces
    to: Literal["hand", "battlefield_tapped"]


# --- What effects do --------------------------------------------------------------------------------------


@value
class PermanentsLeft:
    """Permanents leave the battlefield at one moment; `cards` are those of them that are no tokens."""

    objects: tuple[Departed, ...]
    cards: Handles
    to: Literal["graveyard", "hand"]
    reason: Exit


@value
class PermanentsTapped:
    objects: Handles


@value
class PermanentsUntapped:
    objects: Handles


@value
class PermanentsFrozen:
    objects: Handles


@value
class DamageDealt:
    wounds: tuple[Wound, ...]
    hits: tuple[Hit, ...]


@value
class LifeChanged:
    seat: Seat
    delta: int
    life: int


@value
class CountersAdded:
    objects: Handles
    amount: int


@value
class PumpApplied:
    objects: Handles
    power: int
    toughness: int
    keywords: tuple[Keyword, ...] = ()


@value
class CardsDiscarded:
    seat: Seat
    cards: Faces
    why: Literal["choose", "random", "cleanup", "all"]


@value
class CardsMilled:
    seat: Seat
    cards: Faces


@value
class CardReturned:
    """A card goes from a graveyard to its owner's hand."""

    object: Handle
    card: str
    owner: Seat


# --- Combat -----------------------------------------------------------------------------------------------


@value
class AttackersDeclared:
    seat: Seat
    attackers: Handles
    tapped: Handles


@value
class BlockersDeclared:
    """Creatures block; `unordered` are the attackers whose blockers are to be put in order.

    `forced` says that nothing could block, so that nobody was asked.
    """

    seat: Seat
    blocks: tuple[Blocks, ...]
    blocked: Handles
    unordered: Handles
    forced: bool = False


@value
class BlockersOrdered:
    seat: Seat
    attacker: Handle
    order: Handles
    unordered: Handles


@value
class CombatDamageDealt:
    """All damage of a step of combat is dealt at once."""

    step: Step
    wounds: tuple[Wound, ...]
    hits: tuple[Hit, ...]
    struck: Handles


@value
class GameEnded:
    winners: tuple[Seat, ...]
    ranking: tuple[int, ...]
    life: tuple[int, ...]
    reason: Ending


Event = (
    GameStarted
    | FirstPlayerChosen
    | HandStarted
    | CardsNumbered
    | LibraryShuffled
    | HandDealt
    | MulliganTaken
    | HandKept
    | TurnStarted
    | CardDrawn
    | DrawFailed
    | StepEntered
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
    | SpellResolved
    | AbilityResolved
    | SpellFailed
    | SpellCountered
    | PermanentEntered
    | TokenCreated
    | EffectDone
    | ChoiceRequested
    | RandomDiscardDue
    | ChoiceMade
    | Scouted
    | LibrarySearched
    | PermanentsLeft
    | PermanentsTapped
    | PermanentsUntapped
    | PermanentsFrozen
    | DamageDealt
    | LifeChanged
    | CountersAdded
    | PumpApplied
    | CardsDiscarded
    | CardsMilled
    | CardReturned
    | AttackersDeclared
    | BlockersDeclared
    | BlockersOrdered
    | CombatDamageDealt
    | GameEnded
)
