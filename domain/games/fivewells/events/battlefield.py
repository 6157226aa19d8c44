"""Defines the events of permanents and of life: what enters and leaves, and what effects do to it."""

from typing import Literal

from domain.card_sets.cards.card_kinds import Keyword
from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.handles import Handle, Handles
from domain.games.fivewells.records import Departed, Exit, Hit


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
    """Where they go; a token is no more."""
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
    """What is dealt to whom."""


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
    """What is added to the power."""
    toughness: int
    """What is added to the toughness."""
    keywords: tuple[Keyword, ...] = ()
    """The keywords that they get."""
    until_turn_of: Seat | None = None
    """The seat with whose next turn it ends; null where it ends with this turn."""
