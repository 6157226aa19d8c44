"""Defines what events and states of a duel are made of: words, and small records."""

from typing import Literal

from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.cards.kinds import Keyword, Mana
from domain.games.fivewells.handles import Handle

Step = Literal[
    "untap", "dawn", "main1", "attack", "block", "first_damage", "damage", "main2", "dusk", "cleanup", "ended"
]
Exit = Literal["died", "destroyed", "sacrificed", "returned", "vanished"]
Ending = Literal["life", "library", "turns", "endless", "resignation", "draw", "abandoned"]
Kind = Literal[
    "discard", "cleanup_discard", "sacrifice", "scout", "search", "trigger_targets", "mode", "may", "pay_or_not"
]
Until = Literal["next_turn", "something_on_stack"]
Stop = Literal[
    "own dawn",
    "own main1",
    "own attack",
    "own block",
    "own first_damage",
    "own damage",
    "own main2",
    "own dusk",
    "opponent dawn",
    "opponent main1",
    "opponent attack",
    "opponent block",
    "opponent first_damage",
    "opponent damage",
    "opponent main2",
    "opponent dusk",
]
"""A window in which a seat is asked, of its own turns or the opponent's."""
Pool = tuple[int, ...]
"""The mana of a pool: how much there is of each kind, S T R F G and neutral."""


@value
class Paid:
    """Mana of one kind comes from this source."""

    id: Handle
    color: Mana | None = None


@value
class Noted:
    """An ability has triggered, and waits to be put on the stack."""

    source: Handle
    card: str
    ability: int
    controller: Seat


@value
class Departed:
    """A permanent is gone; this is how it last was."""

    object: Handle
    card: str
    owner: Seat
    controller: Seat
    power: int
    keywords: tuple[Keyword, ...] = ()


@value
class Wound:
    """A source deals damage to a creature."""

    source: Handle
    to: Handle
    amount: int
    venom: int = 0


@value
class Hit:
    """A source deals damage to a player."""

    source: Handle
    player: Seat
    amount: int


@value
class Blocks:
    """A creature blocks an attacker."""

    blocker: Handle
    attacker: Handle
