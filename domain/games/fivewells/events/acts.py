"""Defines the events of lands, mana, spells and abilities: what is put on the stack, and what becomes of it."""

from typing import Literal

from domain.card_sets.cards.card_kinds import Mana
from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.handles import NO_TARGETS, Handle, Handles, Targets
from domain.games.fivewells.records import Entered, Noted, Paid, Pool


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
    """What it is aimed at, by the letters of the card."""
    x: int | None
    """The number chosen for X; null where the cost has none."""
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
    """What it is aimed at, by the letters of the card."""
    x: int | None
    """The number chosen for X; null where the cost has none."""
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
    """What it is aimed at, by the letters of the card."""
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
    """The top of the stack begins to resolve; `targets` are those that are legal still, with who controls each."""

    object: Handle
    card: str
    """The id of the card."""
    targets: Targets
    """The targets that are legal still."""
    controllers: tuple[Seat, ...]
    """Who controls each of the targets."""


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
