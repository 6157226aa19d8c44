"""Defines the events of spells, cards and permanents, and lists all events, which rebuild a duel (fivewells 4)."""

from typing import Literal

from domain.card_sets.cards.card_kinds import Keyword, Mana
from domain.core.cards import Seat
from domain.core.values import value
from domain.core.visibility import Private
from domain.games.fivewells import records, turn_events

# --- Lands, mana, spells and abilities ---------------------------------------------------------------------


@value
class LandPlayed:
    seat: Seat
    object: records.Handle
    card: str
    """The id of the card."""
    tapped: bool
    """Whether it enters tapped."""


@value
class ManaAdded:
    """A source is tapped or sacrificed for mana; `pool` is what there is then."""

    seat: Seat
    source: records.Handle
    mana: Mana
    """The kind of mana."""
    amount: int
    """The amount of mana."""
    tapped: records.Handles
    """The permanents that are tapped."""
    pool: records.Pool
    """The mana in the seat's pool after this."""


@value
class SpellCast:
    """The card `source` goes to the stack as `object`, paid with the pool and these sources; `pool` is what is left."""

    seat: Seat
    object: records.Handle
    source: records.Handle
    card: str
    """The id of the card."""
    targets: records.Targets
    """The targets, by the letters of the card."""
    x: int | None
    """The number chosen for X; null if the cost has no X."""
    paid: tuple[records.Paid, ...]
    """The sources tapped for it."""
    by_hand: bool
    """Whether the player named the sources."""
    pool: records.Pool
    """The mana left in the seat's pool."""


@value
class AbilityActivated:
    seat: Seat
    object: records.Handle
    source: records.Handle
    card: str
    """The id of the card."""
    ability: int
    """The number of the ability on the card, counted from 0."""
    targets: records.Targets
    """The targets, by the letters of the card."""
    x: int | None
    """The number chosen for X; null if the cost has no X."""
    paid: tuple[records.Paid, ...]
    """The sources tapped for it."""
    by_hand: bool
    """Whether the player named the sources."""
    pool: records.Pool
    """The mana left in the seat's pool."""
    tapped: records.Handles
    """The permanents that are tapped."""
    sacrificed: records.Handles
    """The permanent sacrificed for it."""


@value
class TriggersNoted:
    """Abilities triggered, and will be put on the stack."""

    triggers: tuple[records.Noted, ...]
    """The abilities."""


@value
class AbilityTriggered:
    """A triggered ability is put on the stack."""

    seat: Seat
    object: records.Handle
    source: records.Handle
    card: str
    """The id of the card."""
    ability: int
    """The number of the ability on the card, counted from 0."""
    targets: records.Targets = records.NO_TARGETS
    """The targets, by the letters of the card."""
    about: records.Handle | None = None
    """The object that triggered it; null for none."""


@value
class TriggerDropped:
    """A triggered ability has no legal targets, and does nothing."""

    seat: Seat
    source: records.Handle
    card: str
    """The id of the card."""
    ability: int
    """The number of the ability on the card, counted from 0."""


@value
class ResolutionBegan:
    """The top of the stack begins to resolve; `targets` are those that are still legal, with their controllers."""

    object: records.Handle
    card: str
    """The id of the card."""
    targets: records.Targets
    """The targets that are still legal."""
    controllers: tuple[Seat, ...]
    """The controller of each target."""


@value
class SpellResolved:
    """A spell or an ability resolved; `gone` is the card, if it was a spell.

    If no seat stops in the window and nothing else happens first, `then` is the step that begins.
    """

    object: records.Handle
    card: str
    """The id of the card."""
    gone: records.Handles
    """The card that goes to the graveyard, if it was a spell."""
    owner: Seat
    then: records.Entered | None = None
    """The next step, if it begins immediately."""


@value
class SpellFailed:
    """All targets of a spell or an ability are illegal: nothing happens. `gone` is the card, if it was a spell."""

    object: records.Handle
    card: str
    """The id of the card."""
    reason: Literal["no_legal_target"]
    """Why it does nothing."""
    gone: records.Handles
    """The card that goes to the graveyard, if it was a spell."""
    owner: Seat


@value
class SpellCountered:
    object: records.Handle
    source: records.Handle
    card: str
    """The id of the card."""
    owner: Seat


# --- Questions and answers ---------------------------------------------------------------------------------


@value
class EffectDone:
    """A resolution waits for an answer; it goes on at effect `n`, from `unit` on, with this amount."""

    object: records.Handle
    n: int
    """The number of the effect to continue with."""
    unit: int
    """The part of that effect to continue with."""
    amount: int
    """The counted amount."""


@value
class ChoiceRequested:
    """A seat is asked to choose `least` to `most` of these objects, or of the cards that it is shown."""

    seat: Seat
    choice: records.Kind
    """The kind of choice."""
    least: int
    """Minimum number to choose."""
    most: int
    """Maximum number to choose; for a payment, its cost."""
    objects: records.Handles
    """The objects to choose from."""
    cards: Private[records.Faces]
    """The cards shown to the seat."""


@value
class ChoiceMade:
    """A seat answers: objects, targets, a number (of a mode, or 1 for yes), and what it pays."""

    seat: Seat
    choice: records.Kind
    """The kind of choice."""
    objects: records.Handles = ()
    """The chosen objects."""
    targets: records.Targets = records.NO_TARGETS
    """The targets, by the letters of the card."""
    number: int = 0
    """The number of a mode, from 0, or 1 for yes."""
    paid: tuple[records.Paid, ...] = ()
    """The sources tapped for it."""
    pool: records.Pool | None = None
    """The mana left in the seat's pool; null if nothing was paid."""


@value
class RandomDiscardDue:
    """A random discard is due, which chance answers."""

    seat: Seat


# --- Hands, libraries and graveyards -----------------------------------------------------------------------


@value
class CardDrawn:
    """A seat draws a card, by a spell or an ability; what it draws in its turn is in `TurnStarted`."""

    seat: Seat
    card: Private[records.Face]
    """The card."""


@value
class DrawFailed:
    seat: Seat


@value
class CardsDiscarded:
    seat: Seat
    cards: records.Faces
    """The cards."""
    why: Literal["choose", "random", "cleanup", "all"]
    """Why: the seat's choice, at random, at cleanup, or all cards."""


@value
class CardsMilled:
    seat: Seat
    cards: records.Faces
    """The cards."""


@value
class CardReturned:
    """A card goes from a graveyard to its owner's hand."""

    object: records.Handle
    card: str
    """The id of the card."""
    owner: Seat
    from_: Literal["graveyard"]
    """The zone that the card left."""
    to: Literal["hand"]
    """Its new zone."""


@value
class Scouted:
    """A seat has looked at the top cards of its library, and put some of them under it; the first lies deepest."""

    seat: Seat
    count: int
    """Number of scouted cards."""
    to_bottom: int
    """Number of cards put under the library."""
    top: Private[records.Handles]
    """The cards left on top, the top card first."""
    bottom: Private[records.Handles]
    """The cards put under the library, the deepest first."""


@value
class LibrarySearched:
    """A seat takes these cards out of its library, and shows them."""

    seat: Seat
    found: records.Faces
    """The cards."""
    to: Literal["hand", "battlefield_tapped"]
    """Their new zone."""


# --- Permanents and life -----------------------------------------------------------------------------------


@value
class PermanentEntered:
    """A permanent enters: `resolved` is the spell that it was, `from_graveyard` the card, if it comes from there."""

    object: records.Handle
    card: str
    """The id of the card."""
    owner: Seat
    controller: Seat
    tapped: bool
    """Whether it enters tapped."""
    resolved: records.Handles = ()
    """The resolved spell."""
    from_graveyard: records.Handles = ()
    """The card, if it left a graveyard."""


@value
class TokenCreated:
    object: records.Handle
    token: str
    """The id of the token."""
    owner: Seat


@value
class PermanentsLeft:
    """Permanents leave the battlefield at one moment, as they `were` last; `cards` are those that are no tokens."""

    objects: records.Handles
    """The permanents."""
    to: Literal["graveyard", "hand"]
    """Their new zone; tokens cease to exist."""
    reason: records.Exit
    """Why they leave."""
    were: tuple[records.Departed, ...]
    """Their last known state."""
    cards: records.Handles
    """The cards among them, without tokens."""


@value
class PermanentTapped:
    object: records.Handle


@value
class PermanentUntapped:
    object: records.Handle


@value
class PermanentFrozen:
    object: records.Handle


@value
class DamageDealt:
    """A source deals damage that is no combat damage, to all of these at one moment."""

    source: records.Handle
    rows: tuple[records.Hit, ...]
    """The damage, with its recipients."""


@value
class LifeChanged:
    seat: Seat
    delta: int
    """Life gained; negative if lost."""
    life: int
    """The seat's life after this."""


@value
class CountersAdded:
    """A creature gets growth counters."""

    object: records.Handle
    amount: int
    """Number of growth counters added."""
    total: int
    """Its growth counters after this."""


@value
class PumpApplied:
    objects: records.Handles
    """The creatures."""
    power: int
    """The number added to the power."""
    toughness: int
    """The number added to the toughness."""
    keywords: tuple[Keyword, ...] = ()
    """The keywords gained."""
    until_turn_of: Seat | None = None
    """The seat whose next turn ends it; null if it ends with this turn."""


# --- All events --------------------------------------------------------------------------------------------


Event = (
    turn_events.TurnEvent
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
    | turn_events.AttackersDeclared
    | turn_events.BlockersDeclared
    | turn_events.BlockersOrdered
    | turn_events.CombatDamageDealt
)
