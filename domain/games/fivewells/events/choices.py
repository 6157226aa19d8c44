"""Defines the events of questions and answers while something resolves, or is put on the stack."""

from domain.core.cards import Seat
from domain.core.values import value
from domain.core.visibility import Private
from domain.games.fivewells.handles import NO_TARGETS, Faces, Handle, Handles, Targets
from domain.games.fivewells.records import Kind, Paid, Pool


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
    """What it is aimed at, by the letters of the card."""
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
