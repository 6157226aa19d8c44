"""Shows a duel: all that a seat or a spectator knows of it, as data."""

from typing import TypedDict

from domain.core.cards import Seat
from domain.core.shown import TableShown
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.handles import BACK, LETTERS, Handle, Handles, name
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.state import NOBODY, State
from domain.games.fivewells.waiting import phase


class CardShown(TypedDict):
    """This is a card that the reader sees."""

    object: str
    """Its handle."""
    card: str
    """Its id."""
    name: str
    """Its name."""


class PermanentShown(CardShown):
    """This is a permanent as it is now."""

    owner: Seat
    """The seat that began with it, or created it."""
    controller: Seat
    """The seat that controls it."""
    power: int
    """Its power."""
    toughness: int
    """Its toughness."""
    keywords: list[str]
    """Its keywords."""
    damage: int
    """The damage that is marked on it."""
    counters: int
    """Its growth counters."""
    tapped: bool
    """Whether it is tapped."""
    frozen: bool
    """Whether it is frozen."""
    new: bool
    """Whether it came since its controller's last untap step."""
    attacking: bool
    """Whether it is attacking."""
    blocks: str | None
    """The attacker that it blocks."""


class StackShown(CardShown):
    """This is a spell or an ability on the stack."""

    source: str
    """The card, or the permanent whose ability it is."""
    controller: Seat
    """The seat that controls it."""
    spell: bool
    """Whether it is a spell."""
    targets: list[str]
    """Its targets."""
    x: int | None
    """The number chosen for X."""


class FivewellsShown(TableShown):
    """This is the table of a duel."""

    turn: int
    """The number of the turn, of both seats together."""
    active: Seat | None
    """The seat whose turn it is."""
    step: str
    """The step of the turn."""
    priority: Seat | None
    """The seat that has priority."""
    life: list[int]
    """The life of each seat."""
    library_counts: list[int]
    """The number of cards in each library."""
    pools: list[list[int]]
    """The mana in each pool: S T R F G and neutral."""
    held: list[CardShown]
    """The reader's cards."""
    graveyards: list[list[CardShown]]
    """The graveyards; the top card is the last."""
    battlefield: list[PermanentShown]
    """The permanents, in the order of their handles."""
    stack: list[StackShown]
    """The stack; its top is the last."""


def card_shown(s: State, handle: Handle) -> CardShown:
    """Show a card."""
    return {"object": name(handle), "card": s.cards[handle], "name": PRINTED[s.cards[handle]].name}


def shown_cards(s: State, handles: Handles) -> list[CardShown]:
    """Show the cards that are known."""
    return [card_shown(s, handle) for handle in handles if handle != BACK and s.cards[handle]]


def battlefield(s: State) -> list[PermanentShown]:
    """Show the permanents."""
    things = board(s).things
    rows: list[PermanentShown] = []
    for handle in sorted(things):
        thing, p = things[handle], things[handle].permanent
        rows.append(
            {
                "object": name(handle),
                "card": p.card,
                "name": thing.printed.name,
                "owner": p.owner,
                "controller": p.controller,
                "power": thing.power,
                "toughness": thing.toughness,
                "keywords": sorted(thing.keywords),
                "damage": p.damage,
                "counters": p.counters,
                "tapped": p.tapped,
                "frozen": p.frozen,
                "new": p.new,
                "attacking": p.attacking,
                "blocks": name(p.blocks) if p.blocks else None,
            }
        )
    return rows


def stack(s: State) -> list[StackShown]:
    """Show the stack."""
    return [
        {
            "object": name(one.item),
            "card": one.card,
            "name": PRINTED[one.card].name,
            "source": name(one.source),
            "controller": one.controller,
            "spell": one.spell,
            "targets": [name(target) for letter in LETTERS for target in one.targets.of(letter)],
            "x": one.x,
        }
        for one in s.stack
    ]


def view(s: State, seat: Seat | None) -> FivewellsShown:
    """Give the table as this reader knows it."""
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "hand_counts": [len(hand) for hand in s.hands],
        "scores": [int(s.ended is not None and one in s.ended.winners) for one in (0, 1)],
        "turn": s.turn,
        "active": None if s.active == NOBODY else s.active,
        "step": s.step,
        "priority": None if s.priority == NOBODY else s.priority,
        "life": list(s.life),
        "library_counts": [len(library) for library in s.libraries],
        "pools": [list(pool) for pool in s.pools],
        "held": [] if seat is None else shown_cards(s, s.hands[seat]),
        "graveyards": [shown_cards(s, pile) for pile in s.graveyards],
        "battlefield": battlefield(s),
        "stack": stack(s),
    }
