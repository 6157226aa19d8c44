"""Defines the events of combat (fivewells 5)."""

from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.handles import Handle, Handles
from domain.games.fivewells.records import Blocks, DamageStep, Entered, Hit


@value
class AttackersDeclared:
    """Creatures attack; priority has who stops first. Where nobody does, or without attackers, `then` begins."""

    seat: Seat
    attackers: Handles
    """The creatures that attack."""
    tapped: Handles
    """Those of them that tap."""
    priority: Seat
    passes: int
    """How many have passed in the window."""
    then: Entered | None = None
    """The step that begins, where nothing else happens before."""


@value
class BlockersDeclared:
    """Creatures block; `unordered` are the attackers whose blockers are to be put in order.

    `forced` says that nothing could block, so that nobody was asked.
    """

    seat: Seat
    blocks: tuple[Blocks, ...]
    """Who blocks whom."""
    blocked: Handles
    """The attackers that are blocked."""
    unordered: Handles
    """The attackers whose blockers are still to be put in order."""
    priority: Seat
    passes: int
    """How many have passed in the window."""
    forced: bool = False
    """Whether nothing could block, so that nobody was asked."""


@value
class BlockersOrdered:
    seat: Seat
    attacker: Handle
    order: Handles
    """The blockers, who is dealt damage first in front."""
    unordered: Handles
    """The attackers whose blockers are still to be put in order."""


@value
class CombatDamageDealt:
    """All damage of a step of combat is dealt at once; where nothing else happens before, `then` is the next step."""

    step: DamageStep
    """The step of the damage."""
    rows: tuple[Hit, ...]
    """Who deals what to whom."""
    struck: Handles
    """The creatures that have dealt damage in the first of two steps."""
    life: tuple[int, ...]
    """The life of both seats after the damage."""
    then: Entered | None = None
    """The step that begins, where nothing else happens before."""
