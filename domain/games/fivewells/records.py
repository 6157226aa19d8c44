"""Names the objects of a duel, and defines the parts of its events, moves and states.

Cards are `o37`, spells and abilities on the stack `s3`, and seats, as targets, `0` and `1`. A handle is one number, so
that rows of them are quick to search and to sort. The handle of a card is its place in a shuffle of its owner's deck,
so it tells nothing of the deck or the library (fivewells 1).
"""

import re
from dataclasses import fields
from typing import Final, Literal, NewType

from domain.card_sets.cards.card_kinds import Keyword, Mana
from domain.core.cards import Seat
from domain.core.types import TextForm, named_like, written_as
from domain.core.values import value

# --- Handles -----------------------------------------------------------------------------------------------


Handle = NewType("Handle", int)
Handles = tuple[Handle, ...]

BACK: Final = Handle(-1)
"""A card seen from behind."""

STACK: Final = 1_000_000
"""The handles of objects on the stack are this number and more."""


def of_seat(seat: Seat) -> Handle:
    """Return the handle of a seat as a target."""
    return Handle(-2 - seat)


def is_seat(handle: Handle) -> bool:
    """Return whether the handle names a seat."""
    return handle < BACK


def seat_of(handle: Handle) -> Seat:
    """Return the seat that a handle names."""
    return -2 - handle


def of_item(number: int) -> Handle:
    """Return the handle of the object on the stack with this number."""
    return Handle(STACK + number)


def name(handle: Handle) -> str:
    """Write a handle."""
    if handle >= STACK:
        return f"s{handle - STACK}"
    if handle >= 0:
        return f"o{handle}"
    return "??" if handle == BACK else str(seat_of(handle))


WRITTEN: Final = r"^(o[1-9][0-9]{0,4}|s[1-9][0-9]{0,4}|[01])$"


def read_handle(text: str) -> Handle:
    """Read a handle. Raise `ValueError` if it is none."""
    if re.fullmatch(WRITTEN, text) is None:
        raise ValueError(f"{text!r} is not an object; write one as o37 or s3, or a seat as 0 or 1")
    if text[0] == "s":
        return of_item(int(text[1:]))
    return Handle(int(text[1:])) if text[0] == "o" else of_seat(int(text))


written_as(
    Handle,
    TextForm(
        write=name,
        stored=lambda text: BACK if text == "??" else read_handle(text),
        read=read_handle,
        schema={
            "type": "string",
            "pattern": WRITTEN,
            "description": "An object, as `o37` or `s3`, or a seat, as `0`.",
            "examples": ["o37"],
        },
        once=True,
    ),
)


@value
class Face:
    """A card as a player who sees it knows it: its handle, and which card it is."""

    object: Handle
    card: str
    """The id of the card."""


Faces = tuple[Face, ...]

UNSEEN: Final = Face(BACK, "")


@value
class Targets:
    """Targets are the objects and seats that were chosen under each letter."""

    a: Handles | None = None
    """The objects and seats under the letter a."""
    b: Handles | None = None
    """Those under the letter b."""
    c: Handles | None = None
    """Those under the letter c."""
    d: Handles | None = None
    """Those under the letter d."""
    e: Handles | None = None
    """Those under the letter e."""
    f: Handles | None = None
    """Those under the letter f."""
    g: Handles | None = None
    """Those under the letter g."""
    h: Handles | None = None
    """Those under the letter h."""
    i: Handles | None = None
    """Those under the letter i."""
    j: Handles | None = None
    """Those under the letter j."""
    k: Handles | None = None
    """Those under the letter k."""
    l: Handles | None = None  # noqa: E741
    """Those under the letter l."""
    m: Handles | None = None
    """Those under the letter m."""
    n: Handles | None = None
    """Those under the letter n."""
    o: Handles | None = None
    """Those under the letter o."""
    p: Handles | None = None
    """Those under the letter p."""
    q: Handles | None = None
    """Those under the letter q."""
    r: Handles | None = None
    """Those under the letter r."""
    s: Handles | None = None
    """Those under the letter s."""
    t: Handles | None = None
    """Those under the letter t."""
    u: Handles | None = None
    """Those under the letter u."""
    v: Handles | None = None
    """Those under the letter v."""
    w: Handles | None = None
    """Those under the letter w."""
    x: Handles | None = None
    """Those under the letter x."""
    y: Handles | None = None
    """Those under the letter y."""
    z: Handles | None = None
    """Those under the letter z."""

    def of(self, letter: str) -> Handles:
        """Return the targets under a letter."""
        chosen: Handles | None = getattr(self, letter)
        return chosen or ()


named_like(Targets, "^[a-z]$")

LETTERS: Final = tuple(field.name for field in fields(Targets))
"""The letters that a card may name its targets by."""

NO_TARGETS: Final = Targets()


# --- Words and small records -------------------------------------------------------------------------------


Step = Literal[
    "untap", "dawn", "main1", "attack", "block", "first_damage", "damage", "main2", "dusk", "cleanup", "ended"
]
DamageStep = Literal["first_damage", "damage"]
"""A step in which creatures deal combat damage."""
Exit = Literal["died", "destroyed", "sacrificed", "returned", "vanished"]
Ending = Literal["life", "library", "turns", "endless", "resignation", "draw", "abandoned"]
Kind = Literal[
    "discard", "cleanup_discard", "sacrifice", "scout", "search", "trigger_targets", "mode", "may", "pay_or_not"
]
HandOf = Literal["duel", "boosters"]
"""The kind of a hand: a duel, or the boosters that decks are built of before the first one."""
DeckFrom = Literal["brought", "default", "again", "built"]
"""The source of a deck: the lobby, the options, the previous game, or built or changed at the table."""
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
"""The mana in a pool: the amount of each kind, S T R F G and neutral."""


@value
class Entered:
    """A step began, and no seat stopped in the windows of the steps `passed`.

    The first seat that stops in it has priority. With the second main step, or a later one, the creatures
    `out_of_combat` leave combat. At cleanup, damage, pumps and venom marks of the creatures `recovered` end.
    """

    step: Step
    """The step that begins."""
    passed: tuple[Step, ...]
    """The steps in which no seat stopped."""
    priority: Seat | None
    passes: int
    """Passes so far in this window."""
    out_of_combat: Handles = ()
    """The creatures that left combat."""
    recovered: Handles = ()
    """The creatures whose damage, pumps and venom marks ended."""


@value
class Paid:
    """Mana of one kind comes from this source."""

    id: Handle
    color: Mana | None = None
    """The kind of mana; null if there is only one."""


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
    """The object that triggered it; null for none."""


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
    """The amount of damage."""
    venom: int | None
    """The number of venom marks; null for a player."""


@value
class Blocks:
    """A creature blocks an attacker."""

    blocker: Handle
    attacker: Handle
