"""Defines the events of spells, cards and permanents, and lists all events, which rebuild a duel (fivewells 4)."""

from typing import Literal

from domain.card_sets.cards.card_kinds import Keyword, Mana
from domain.core.cards import Seat
from domain.core.values import value
from domain.core.visibility import Private
from domain.games.fivewells.records import (
    NO_TARGETS,
    Departed,
    Entered,
    Exit,
    Face,
    Faces,
    Handle,
    Handles,
    Hit,
    Kind,
    Noted,
    Paid,
    Pool,
    Targets,
)
from domain.games.fivewells.turn_events import (
    AttackersDeclared,
    BlockersDeclared,
    BlockersOrdered,
    CombatDamageDealt,
    TurnEvent,
)

# --- Lands, mana, spells and abilities ---------------------------------------------------------------------


@value
class LandPlayed:
    seat: Seat
    object: Handle
    card: str
    """The id of the card."""
    tapped: bool
    """Whether it enters tapped."""


@value
class ManaAdded:
    """A source is tapped or sacrificed for mana; `pool` is what there is then."""

    seat: Seat
    source: Handle
    mana: Mana
    """The kind of mana."""
    amount: int
    """How much of it."""
    tapped: Handles
    """What is tapped."""
    pool: Pool
    """The mana that is then in the seat's pool."""


@value
class SpellCast:
    """The card `source` goes to the stack as `object`, paid with the pool and these sources; `pool` is what is left."""

    seat: Seat
    object: Handle
    source: Handle
    card: str
    """The id of the card."""
    targets: Targets
    """The targets, by the letters of the card."""
    x: int | None
    """The number chosen for X; null if the cost has no X."""
    paid: tuple[Paid, ...]
    """The sources that are tapped for it."""
    by_hand: bool
    """Whether the player named the sources."""
    pool: Pool
    """The mana that is left in the seat's pool."""


@value
class AbilityActivated:
    seat: Seat
    object: Handle
    source: Handle
    card: str
    """The id of the card."""
    ability: int
    """The number of the ability on the card, counted from 0."""
    targets: Targets
    """The targets, by the letters of the card."""
    x: int | None
    """The number chosen for X; null if the cost has no X."""
    paid: tuple[Paid, ...]
    """The sources that are tapped for it."""
    by_hand: bool
    """Whether the player named the sources."""
    pool: Pool
    """The mana that is left in the seat's pool."""
    tapped: Handles
    """What is tapped."""
    sacrificed: Handles
    """What is sacrificed for it."""


@value
class TriggersNoted:
    """These abilities have triggered, and will be put on the stack."""

    triggers: tuple[Noted, ...]
    """The abilities."""


@value
class AbilityTriggered:
    """A triggered ability is put on the stack."""

    seat: Seat
    object: Handle
    source: Handle
    card: str
    """The id of the card."""
    ability: int
    """The number of the ability on the card, counted from 0."""
    targets: Targets = NO_TARGETS
    """The targets, by the letters of the card."""
    about: Handle | None = None
    """The object that it happened to; null where it happens to none."""


@value
class TriggerDropped:
    """A triggered ability has no legal targets, and does nothing."""

    seat: Seat
    source: Handle
    card: str
    """The id of the card."""
    ability: int
    """The number of the ability on the card, counted from 0."""


@value
class ResolutionBegan:
    """The top of the stack begins to resolve; `targets` are those that are still legal, with their controllers."""

    object: Handle
    card: str
    """The id of the card."""
    targets: Targets
    """The targets that are legal still."""
    controllers: tuple[Seat, ...]
    """The controller of each target."""


@value
class SpellResolved:
    """A spell or an ability has resolved; `gone` is the card, if it was a spell.

    Where nobody stops in the window, and nothing else happens before, `then` is the step that begins.
    """

    object: Handle
    card: str
    """The id of the card."""
    gone: Handles
    """The card that goes to the graveyard, if it was a spell."""
    owner: Seat
    then: Entered | None = None
    """The step that begins, where nothing else happens before."""


@value
class SpellFailed:
    """All targets of a spell or an ability are illegal: nothing happens. `gone` is the card, if it was a spell."""

    object: Handle
    card: str
    """The id of the card."""
    reason: Literal["no_legal_target"]
    """Why it does nothing."""
    gone: Handles
    """The card that goes to the graveyard, if it was a spell."""
    owner: Seat


@value
class SpellCountered:
    object: Handle
    source: Handle
    card: str
    """The id of the card."""
    owner: Seat


# --- Questions and answers ---------------------------------------------------------------------------------


@value
class EffectDone:
    """A resolution waits for an answer; it goes on at effect `n`, from `unit` on, with this amount."""

    object: Handle
    n: int
    """The number of the effect at which it goes on."""
    unit: int
    """The part of that effect at which it goes on."""
    amount: int
    """The amount as it was counted."""


@value
class ChoiceRequested:
    """A seat is asked to choose `least` to `most` of these objects, or of the cards that it is shown."""

    seat: Seat
    choice: Kind
    """What is to be chosen."""
    least: int
    """How many must be chosen."""
    most: int
    """How many may be chosen; of a payment what it costs."""
    objects: Handles
    """What may be chosen."""
    cards: Private[Faces]
    """The cards that the seat is shown."""


@value
class ChoiceMade:
    """A seat answers: objects, targets, a number (of a mode, or 1 for yes), and what it pays."""

    seat: Seat
    choice: Kind
    """What was to be chosen."""
    objects: Handles = ()
    """What is chosen."""
    targets: Targets = NO_TARGETS
    """The targets, by the letters of the card."""
    number: int = 0
    """The number of a mode, from 0, or 1 for yes."""
    paid: tuple[Paid, ...] = ()
    """The sources that are tapped for it."""
    pool: Pool | None = None
    """The mana that is left in the seat's pool; null where nothing is paid."""


@value
class RandomDiscardDue:
    """Chance is to say which card the seat discards."""

    seat: Seat


# --- Hands, libraries and graveyards -----------------------------------------------------------------------


@value
class CardDrawn:
    """A seat draws a card, by a spell or an ability; what it draws in its turn is in `TurnStarted`."""

    seat: Seat
    card: Private[Face]
    """The card."""


@value
class DrawFailed:
    seat: Seat


@value
class CardsDiscarded:
    seat: Seat
    cards: Faces
    """The cards."""
    why: Literal["choose", "random", "cleanup", "all"]
    """Whether the seat chose, chance did, it was at cleanup, or it was all of them."""


@value
class CardsMilled:
    seat: Seat
    cards: Faces
    """The cards."""


@value
class CardReturned:
    """A card goes from a graveyard to its owner's hand."""

    object: Handle
    card: str
    """The id of the card."""
    owner: Seat
    from_: Literal["graveyard"]
    """The zone from which the card came."""
    to: Literal["hand"]
    """The zone to which it goes."""


@value
class Scouted:
    """A seat has looked at the top cards of its library, and put some of them under it; the first lies deepest."""

    seat: Seat
    count: int
    """How many cards the seat has looked at."""
    to_bottom: int
    """How many it puts under the library."""
    top: Private[Handles]
    """The cards on top, from the top on."""
    bottom: Private[Handles]
    """The cards under the library; the first lies deepest."""


@value
class LibrarySearched:
    """A seat takes these cards out of its library, and shows them."""

    seat: Seat
    found: Faces
    """The cards."""
    to: Literal["hand", "battlefield_tapped"]
    """The zone to which they go."""


# --- Permanents and life -----------------------------------------------------------------------------------


@value
class PermanentEntered:
    """A permanent enters: `resolved` is the spell that it was, `from_graveyard` the card, if it comes from there."""

    object: Handle
    card: str
    """The id of the card."""
    owner: Seat
    controller: Seat
    tapped: bool
    """Whether it enters tapped."""
    resolved: Handles = ()
    """The spell that it was."""
    from_graveyard: Handles = ()
    """The card, where it comes from a graveyard."""


@value
class TokenCreated:
    object: Handle
    token: str
    """The id of the token."""
    owner: Seat


@value
class PermanentsLeft:
    """Permanents leave the battlefield at one moment, as they `were` last; `cards` are those that are no tokens."""

    objects: Handles
    """The permanents."""
    to: Literal["graveyard", "hand"]
    """The zone to which they go; a token ceases to exist."""
    reason: Exit
    """Why they leave."""
    were: tuple[Departed, ...]
    """How they last were."""
    cards: Handles
    """Those of them that are cards."""


@value
class PermanentTapped:
    object: Handle


@value
class PermanentUntapped:
    object: Handle


@value
class PermanentFrozen:
    object: Handle


@value
class DamageDealt:
    """A source deals damage that is no combat damage, to all of these at one moment."""

    source: Handle
    rows: tuple[Hit, ...]
    """The damage, with its recipients."""


@value
class LifeChanged:
    seat: Seat
    delta: int
    """How much life is gained, or lost if it is negative."""
    life: int
    """The life that the seat has then."""


@value
class CountersAdded:
    """A creature gets growth counters."""

    object: Handle
    amount: int
    """How many growth counters."""
    total: int
    """How many it has then."""


@value
class PumpApplied:
    objects: Handles
    """The creatures."""
    power: int
    """The number added to the power."""
    toughness: int
    """The number added to the toughness."""
    keywords: tuple[Keyword, ...] = ()
    """The keywords that they get."""
    until_turn_of: Seat | None = None
    """The seat with whose next turn it ends; null where it ends with this turn."""


# --- All events --------------------------------------------------------------------------------------------


Event = (
    TurnEvent
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
