"""Defines the state of a duel, where every object is and what the game waits for, and moves and changes objects."""

from typing import Any, Final

from domain.card_sets.cards.card_kinds import Keyword
from domain.core.cards import NOBODY, Seat, add_cards, remove_cards
from domain.core.collectible import Deck
from domain.core.values import Compiled, Copied, mutable, put_at, value, with_fields
from domain.games.fivewells import records
from domain.games.fivewells.events import PermanentsLeft
from domain.games.fivewells.options import Options, Rules, compile_rules
from domain.games.fivewells.turn_events import GameEnded

NO_HANDLE: Final = records.Handle(0)

EMPTY: Final[records.Pool] = (0, 0, 0, 0, 0, 0)

NOTHING_LASTS: Final[tuple[tuple[records.Lasting, ...], ...]] = ((), ())


@value
class Permanent:
    """A card or a token on the battlefield.

    `new` means that it entered since its controller's last untap step. `blocks` is the attacker that it blocks, and
    `place` its place among that attacker's blockers. `venom` counts its venom marks.
    """

    object: records.Handle
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
    blocks: records.Handle = NO_HANDLE
    place: int = 0
    struck: bool = False
    """Whether it has dealt damage in the first damage step."""
    lasting: tuple[tuple[records.Lasting, ...], ...] = NOTHING_LASTS
    """The pumps that last until each seat's next turn."""


@value
class Arrival:
    """A permanent as it entered the battlefield under a seat's control, or a card as it came into its graveyard."""

    object: records.Handle
    card: str
    controller: Seat
    is_buried: bool = False


@value
class StackItem:
    """An object on the stack: a spell, or an ability of `source` with this number."""

    item: records.Handle
    source: records.Handle
    card: str
    controller: Seat
    ability: int
    targets: records.Targets
    x: int | None = None
    spell: bool = False
    about: records.Handle | None = None
    """The object that the trigger happened to."""


@value
class Resolving:
    """The resolving top of the stack: effect `n` is next, from `unit` on; `amount` was counted when it began."""

    n: int
    unit: int
    amount: int
    targets: records.Targets
    controllers: tuple[Seat, ...]


@value
class Question:
    """A seat is asked to choose; `cards` are shown only to it."""

    seat: Seat
    choice: records.Kind
    least: int
    most: int
    objects: records.Handles
    cards: records.Faces


@mutable
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
    """The number of sideboard cards of each deck."""
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
    libraries: tuple[records.Handles, ...] = ((), ())
    """The libraries; the top card is the first."""
    hands: tuple[records.Handles, ...] = ((), ())
    graveyards: tuple[records.Handles, ...] = ((), ())
    """The graveyards; the top card is the last."""
    life: tuple[int, ...] = (20, 20)
    failed_draw: tuple[bool, ...] = (False, False)
    mulligans: tuple[int, ...] = (0, 0)
    kept: tuple[bool, ...] = (False, False)
    ids: records.Handles = ()
    """The handles of the permanents, in the order in which they entered."""
    permanents: tuple[Permanent, ...] = ()
    departed: tuple[records.Departed, ...] = ()
    """The last states of the permanents that left in this turn and the one before."""
    departed_before: int = 0
    next_token: records.Handle = NO_HANDLE
    arrivals: tuple[Arrival, ...] = ()
    """The objects that have entered the battlefield or a graveyard in this duel, in order; their names follow from it.
    """
    pushed: tuple[str, ...] = ()
    """The cards of all spells and abilities that were put on the stack, in the order of their handles."""
    next_item: int = 1
    stack: tuple[StackItem, ...] = ()
    """The stack; its top is the last."""
    waiting: tuple[records.Noted, ...] = ()
    """The abilities that have triggered and are not on the stack yet."""
    resolving: Resolving | None = None
    asked: Question | None = None
    answer: int | None = None
    """The answer with which a resolution continues: a mode, or 1 for yes."""
    random_discard: Seat = NOBODY
    """The seat with a random discard due."""
    turn: int = 0
    active: Seat = NOBODY
    step: str = ""
    declared: bool = False
    """Whether the attackers or blockers of this step are declared."""
    unordered: records.Handles = ()
    """The attackers whose blockers need an order."""
    priority: Seat = NOBODY
    passes: int = 0
    held: Seat = NOBODY
    """The seat that keeps priority regardless of its stops, which it set while it had priority."""
    land_played: bool = False
    happenings: int = 0
    """The number of triggers and resolutions of this turn."""
    pools: tuple[records.Pool, ...] = (EMPTY, EMPTY)
    stops: tuple[tuple[records.Stop, ...], ...] = ((), ())
    once: tuple[tuple[records.Stop, ...], ...] = ((), ())
    """The stops to be used once."""
    stops_set: tuple[int, ...] = (0, 0)
    """How often each seat has set its stops in this turn."""
    until_turn: tuple[bool, ...] = (False, False)
    """The seats that pass until the next turn."""
    until_stack: tuple[bool, ...] = (False, False)
    """The seats that pass until the opponent puts something on the stack."""
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; the numbers of games and hands continue from the previous game."""
    rules = compile_rules(options)
    if last is None or last.ended is None:
        return State(rules, 0, 0, first_duel=True, stops=(rules.stops, rules.stops))
    drawn = not last.ended.winners
    loser = last.first if drawn else 1 - last.ended.winners[0]
    own = (rules.stops, rules.stops)
    s = State(rules, last.game_no, last.hand_no, last_loser=loser, last_drawn=drawn, stops=own)
    s.decks, s.sizes, s.beside, s.opened = last.decks, last.sizes, last.beside, last.opened
    return s


def top(s: State) -> StackItem:
    """Return the top of the stack."""
    return s.stack[-1]


def faces(s: State, handles: records.Handles) -> records.Faces:
    """Return cards with their ids, as far as these are known."""
    return tuple([records.Face(handle, s.cards[handle]) for handle in handles])


def owner_of(s: State, handle: records.Handle) -> Seat:
    """Return the seat that began the game with a card."""
    return int(handle > s.sizes[0])


# --- Zones -------------------------------------------------------------------------------------------------


def know(s: State, cards: records.Faces) -> None:
    """Record the shown cards."""
    for face in cards:
        s.cards = put_at(s.cards, face.object, face.card)


def gain(s: State, seat: Seat, card: records.Handle) -> None:
    """Put a card into a hand."""
    s.hands = put_at(s.hands, seat, add_cards(s.hands[seat], (card,)))


def lose(s: State, seat: Seat, card: records.Handle) -> None:
    """Take a card out of a hand."""
    s.hands = put_at(s.hands, seat, remove_cards(s.hands[seat], card))


def bury(s: State, seat: Seat, cards: records.Handles) -> None:
    """Put cards into a graveyard; events may have named them before."""
    s.graveyards = put_at(s.graveyards, seat, s.graveyards[seat] + cards)
    s.arrivals = (*s.arrivals, *[Arrival(card, s.cards[card], seat, is_buried=True) for card in cards])


# --- The battlefield ---------------------------------------------------------------------------------------


def put_onto_battlefield(s: State, permanent: Permanent) -> None:
    """Put a permanent onto the battlefield."""
    s.ids = (*s.ids, permanent.object)
    s.permanents = (*s.permanents, permanent)
    s.arrivals = (*s.arrivals, Arrival(permanent.object, permanent.card, permanent.controller))


def take_off_battlefield(s: State, event: PermanentsLeft) -> None:
    """Take permanents off the battlefield; cards go to their owners."""
    owners = {}
    for gone in event.were:
        i = s.ids.index(gone.object)
        s.ids = s.ids[:i] + s.ids[i + 1 :]
        s.permanents = s.permanents[:i] + s.permanents[i + 1 :]
        owners[gone.object] = gone.owner
    s.departed += event.were
    for card in event.cards:
        match event:
            case PermanentsLeft(to="hand"):
                gain(s, owners[card], card)
            case _:
                bury(s, owners[card], (card,))


def permanents_of(s: State, objects: records.Handles) -> tuple[Permanent, ...]:
    """Return the permanents with these handles."""
    return tuple(s.permanents[s.ids.index(handle)] for handle in objects)


def change_permanents(s: State, objects: records.Handles, **fields: Any) -> None:
    """Change permanents in these fields."""
    for handle in objects:
        i = s.ids.index(handle)
        s.permanents = put_at(s.permanents, i, with_fields(s.permanents[i], **fields))


def tap(s: State, objects: records.Handles) -> None:
    """Tap permanents."""
    change_permanents(s, objects, tapped=True)


def wound(s: State, rows: tuple[records.Hit, ...]) -> None:
    """Mark damage and venom on creatures."""
    for one in rows:
        match one:
            case records.Hit(venom=int() as marks):
                p = s.permanents[s.ids.index(one.to)]
                change_permanents(s, (one.to,), damage=p.damage + one.amount, venom=p.venom + marks)


def recover(s: State, creatures: records.Handles) -> None:
    """End damage, pumps and venom marks."""
    change_permanents(s, creatures, damage=0, venom=0, power=0, toughness=0, keywords=())


def fade(s: State, seat: Seat, creatures: records.Handles) -> None:
    """End the pumps that lasted until a seat's turn."""
    for p in permanents_of(s, creatures):
        change_permanents(s, (p.object,), lasting=put_at(p.lasting, seat, ()))


def part(s: State, fighters: records.Handles) -> None:
    """End the combat of creatures."""
    change_permanents(s, fighters, attacking=False, blocked=False, blocks=records.Handle(0), place=0, struck=False)
