"""Defines the state of a duel: where every object is, and what the game waits for."""

from dataclasses import dataclass
from typing import Final

from domain.card_sets.cards.card_kinds import Keyword
from domain.core.cards import Seat
from domain.core.collectible import Deck
from domain.core.values import Compiled, Copied, value
from domain.games.fivewells.options import Options, Rules, compile_rules
from domain.games.fivewells.records import (
    Departed,
    Face,
    Faces,
    Handle,
    Handles,
    Kind,
    Lasting,
    Noted,
    Pool,
    Stop,
    Targets,
)
from domain.games.fivewells.turn_events import GameEnded

NOBODY: Final[Seat] = -1
NO_HANDLE: Final = Handle(0)

EMPTY: Final[Pool] = (0, 0, 0, 0, 0, 0)

NOTHING_LASTS: Final[tuple[tuple[Lasting, ...], ...]] = ((), ())


@value
class Permanent:
    """A permanent is a card or a token on the battlefield. `new` means: since its controller's last untap step.

    `blocks` is the attacker that it blocks, `place` its place among the blockers of that; `venom` counts the marks.
    """

    object: Handle
    card: str
    owner: Seat
    controller: Seat
    tapped: bool = False
    new: bool = True
    frozen: bool = False
    damage: int = 0
    venom: int = 0
    counters: int = 0
    power: int = 0
    toughness: int = 0
    """The power and toughness that pumps add until the end of the turn."""
    keywords: tuple[Keyword, ...] = ()
    """The keywords that pumps give until the end of the turn."""
    token: bool = False
    attacking: bool = False
    blocked: bool = False
    blocks: Handle = NO_HANDLE
    place: int = 0
    struck: bool = False
    """Whether it has dealt damage in the first damage step."""
    lasting: tuple[tuple[Lasting, ...], ...] = NOTHING_LASTS
    """The pumps that last until each seat's next turn."""


@value
class Arrival:
    """A permanent as it entered the battlefield under a seat's control, or a card as it came into its graveyard."""

    object: Handle
    card: str
    controller: Seat
    is_buried: bool = False


@value
class StackItem:
    """An object on the stack: a spell, or an ability of `source` with this number."""

    item: Handle
    source: Handle
    card: str
    controller: Seat
    ability: int
    targets: Targets
    x: int | None = None
    spell: bool = False
    about: Handle | None = None
    """The object that the trigger happened to."""


@value
class Resolving:
    """The top of the stack is resolving: the next effect is number `n`, from `unit` on; `amount` is as it began."""

    n: int
    unit: int
    amount: int
    targets: Targets
    controllers: tuple[Seat, ...]


@value
class Question:
    """A seat is asked to choose; `cards` are shown only to it."""

    seat: Seat
    choice: Kind
    least: int
    most: int
    objects: Handles
    cards: Faces


@dataclass(slots=True)
class State(Copied):
    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    hand_of: str = ""
    """The kind of this hand: a duel, or the opening of boosters; an empty text between them."""
    decks: tuple[Deck | None, ...] = (None, None)
    """The decks, as far as they are known."""
    sizes: tuple[int, ...] = (0, 0)
    """The number of cards in each deck."""
    beside: tuple[int, ...] = (0, 0)
    """The number of cards beside each deck."""
    submitted: tuple[bool, ...] = (False, False)
    """The seats whose deck for this hand is known to the game."""
    first_duel: bool = False
    """Whether no duel of the match has been played."""
    opened: tuple[tuple[tuple[str, ...] | None, ...], ...] = ((), ())
    """The boosters that each seat has opened, as far as they are known."""
    last_loser: Seat = NOBODY
    """The seat that begins, in a game that is not the first of its match."""
    last_drawn: bool = False
    first: Seat = NOBODY
    begun: bool = False
    cards: tuple[str, ...] = ("",)
    """The cards by their handles, as far as they are known; the last place is that of a card seen from behind."""
    numbered: int = 0
    """The number of seats whose cards have their handles."""
    to_shuffle: tuple[bool, ...] = (False, False)
    searches: tuple[int, ...] = (0, 0)
    """How often each library was searched."""
    lots: int = 0
    """How often a card was discarded at random."""
    libraries: tuple[Handles, ...] = ((), ())
    """The libraries; the top card is the first."""
    hands: tuple[Handles, ...] = ((), ())
    graveyards: tuple[Handles, ...] = ((), ())
    """The graveyards; the top card is the last."""
    life: tuple[int, ...] = (20, 20)
    failed_draw: tuple[bool, ...] = (False, False)
    mulligans: tuple[int, ...] = (0, 0)
    kept: tuple[bool, ...] = (False, False)
    ids: Handles = ()
    """The handles of the permanents, in the order in which they entered."""
    permanents: tuple[Permanent, ...] = ()
    departed: tuple[Departed, ...] = ()
    """How the permanents last were that left in this turn and the one before."""
    departed_before: int = 0
    next_token: Handle = NO_HANDLE
    arrivals: tuple[Arrival, ...] = ()
    """What has entered the battlefield or a graveyard in this duel, in its order; it is called by it."""
    pushed: tuple[str, ...] = ()
    """The cards of all spells and abilities that were put on the stack, in the order of their handles."""
    next_item: int = 1
    stack: tuple[StackItem, ...] = ()
    """The stack; its top is the last."""
    waiting: tuple[Noted, ...] = ()
    """The abilities that have triggered and are not on the stack yet."""
    resolving: Resolving | None = None
    asked: Question | None = None
    answer: int | None = None
    """The answer that a resolution goes on with: a mode, or 1 for yes."""
    random_discard: Seat = NOBODY
    """The seat of which chance is to discard a card."""
    turn: int = 0
    active: Seat = NOBODY
    step: str = ""
    declared: bool = False
    """Whether the attackers or blockers of this step are declared."""
    unordered: Handles = ()
    """The attackers whose blockers are to be put in order."""
    priority: Seat = NOBODY
    passes: int = 0
    held: Seat = NOBODY
    """The seat that keeps priority whatever its stops say now: they were set while it had priority."""
    land_played: bool = False
    happenings: int = 0
    """The number of triggers and resolutions of this turn."""
    pools: tuple[Pool, ...] = (EMPTY, EMPTY)
    stops: tuple[tuple[Stop, ...], ...] = ((), ())
    once: tuple[tuple[Stop, ...], ...] = ((), ())
    """The stops to be used once."""
    stops_set: tuple[int, ...] = (0, 0)
    """How often each seat has set its stops in this turn."""
    until_turn: tuple[bool, ...] = (False, False)
    """The seats that pass until the next turn."""
    until_stack: tuple[bool, ...] = (False, False)
    """The seats that pass until the opponent puts something on the stack."""
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; games and hands are counted on from the game before."""
    rules = compile_rules(options)
    if last is None or last.ended is None:
        return State(rules, 0, 0, first_duel=True, stops=(rules.stops, rules.stops))
    drawn = not last.ended.winners
    loser = last.first if drawn else 1 - last.ended.winners[0]
    own = (rules.stops, rules.stops)
    s = State(rules, last.game_no, last.hand_no, last_loser=loser, last_drawn=drawn, stops=own)
    s.decks, s.sizes, s.beside, s.opened = last.decks, last.sizes, last.beside, last.opened
    return s


def find_permanent(s: State, handle: Handle) -> Permanent | None:
    """Return the permanent with this handle; None where it is not on the battlefield."""
    return s.permanents[s.ids.index(handle)] if handle in s.ids else None


def top(s: State) -> StackItem:
    """Return the top of the stack."""
    return s.stack[-1]


def faces(s: State, handles: Handles) -> Faces:
    """Return cards with their ids, as far as these are known."""
    return tuple([Face(handle, s.cards[handle]) for handle in handles])


def owner_of(s: State, handle: Handle) -> Seat:
    """Return the seat that began the game with a card."""
    return int(handle > s.sizes[0])
