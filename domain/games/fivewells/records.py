"""Defines what events and states of a duel are made of: words, and small records."""

from typing import Literal

from domain.card_sets.cards.card_kinds import Keyword, Mana
from domain.core.cards import Seat
from domain.core.values import value
from domain.games.fivewells.handles import Handle, Handles

Step = Literal[
    "untap", "dawn", "main1", "attack", "block", "first_damage", "damage", "main2", "dusk", "cleanup", "ended"
]
DamageStep = Literal["first_damage", "damage"]
"""A step in which creatures deal combat damage: there is none in any other."""
Exit = Literal["died", "destroyed", "sacrificed", "returned", "vanished"]
Ending = Literal["life", "library", "turns", "endless", "resignation", "draw", "abandoned"]
Kind = Literal[
    "discard", "cleanup_discard", "sacrifice", "scout", "search", "trigger_targets", "mode", "may", "pay_or_not"
]
HandOf = Literal["duel", "boosters"]
"""What a hand is: a duel, or the boosters that decks are built of before the first one."""
DeckFrom = Literal["brought", "default", "again", "built"]
"""Where a deck comes from: the lobby, the options, the game before, or it was built or changed at the table."""
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
class Entered:
    """A step begins; in the windows of the steps `passed`, nobody stopped. Priority has who stops in this one first.

    With the second main step, or a later one, the creatures `out_of_combat` fight no longer. At cleanup the damage,
    pumps and venom marks of those that have `recovered` end.
    """

    step: Step
    """The step that begins."""
    passed: tuple[Step, ...]
    """The steps in whose windows nobody stopped."""
    priority: Seat | None
    passes: int
    """How many have passed in the window."""
    out_of_combat: Handles = ()
    """The creatures that fight no longer."""
    recovered: Handles = ()
    """The creatures whose damage, pumps and venom marks end."""


@value
class Paid:
    """Mana of one kind comes from this source."""

    id: Handle
    color: Mana | None = None
    """The kind of mana; null for the one that there is."""


@value
class Noted:
    """An ability has triggered, and waits to be put on the stack."""

    source: Handle
    card: str
    """The id of the card."""
    ability: int
    """The number of the ability on the card, counted from 0."""
    controller: Seat
    about: Handle | None = None
    """The object that it happened to; null where it happens to none."""


@value
class Lasting:
    """A pump that lasts until a player's next turn."""

    power: int
    toughness: int
    keywords: tuple[Keyword, ...]


@value
class Departed:
    """A permanent is gone; this is how it last was."""

    object: Handle
    card: str
    """The id of the card."""
    owner: Seat
    controller: Seat
    power: int
    """The power that it had."""
    keywords: tuple[Keyword, ...] = ()
    """The keywords that it had."""


@value
class Hit:
    """A source deals damage to a creature or a player; `venom` are the marks that it leaves, None on a player."""

    source: Handle
    to: Handle
    amount: int
    """How much damage."""
    venom: int | None
    """How many venom marks; null for a player."""


@value
class Blocks:
    """A creature blocks an attacker."""

    blocker: Handle
    attacker: Handle
